import Fixtures
import Foundation
import PhotoFiles
import Testing
import Upright

/// The options of the command, which the parser needs as properties, compared with the table of settings.
struct SettingOptionTests {
  private static let settings = Setting.all + Setting.ofFiles

  /// The options with the names of settings, by command.
  private func options() throws -> [(command: String, option: HelpDump.Argument, setting: Setting)]
  {
    try HelpDump.commands().flatMap { command, arguments in
      arguments.compactMap { option in
        Self.settings.first { $0.name == option.longName }.map { (command, option, $0) }
      }
    }
  }

  @Test func `Options have the values, the default and the help of the settings of their names`()
    throws
  {
    let options = try options()
    // The service's and a comparison's own words, and limits whose default is the command's.
    let ownHelp = ["memory", "time-limit", "transform"]
    let ownDefault = ["unaligned", "max-bytes", "memory", "time-limit", "max-pixels"]
    for (command, option, setting) in options {
      let what: Comment = "\(command) --\(setting.name)"
      switch setting.kind {
      case .choice where setting.name != "transform":
        #expect(option.allValues == setting.values.map(\.name), what)
      case .flag: #expect(option.kind == "flag", what)
      default: #expect(option.kind == "option", what)
      }
      if option.kind == "option", !ownDefault.contains(setting.name) {
        #expect(option.defaultValue == setting.value(in: CallOptions()), what)
      }
      // The command that convert starts has no help.
      let isOwn =
        ownHelp.contains(setting.name) || command == "upright verify" || option.abstract == nil
      #expect(isOwn || option.abstract?.hasPrefix(setting.help) == true, what)
    }
    #expect(options.count > 100)
  }

  @Test func `Every policy is an option of the commands that take it`() throws {
    let options = try options()
    let commands: [(Setting.Takers, String)] = [
      (.normalize, "normalize"), (.normalize, "audit"), (.transform, "rotate"), (.crop, "crop"),
      (.tag, "tag set"), (.verify, "verify"),
    ]
    for policy in Setting.policies where policy.group == .policies {
      for (taker, command) in commands {
        let isOption = options.contains {
          $0.command == "upright \(command)" && $0.setting.name == policy.name
        }
        #expect(isOption == policy.takers.contains(taker), "\(command) --\(policy.name)")
      }
    }
  }

  @Test func `An unknown option, value or command names a similar one`() throws {
    for (arguments, similar) in [
      (["normalize", "--on-conflct", "skip", "x"], "'--on-conflict'"),
      (["normalize", "--registered", "keep", "x"], "'--registered-data'"),
      (["normalize", "--on-conflict", "trust", "x"], "'trust-tag'"),
      (["normalise", "x"], "normalize"),
    ] {
      let result = try upright(arguments)
      #expect(result.status == 64)
      #expect(result.errorText.contains("Did you mean \(similar)?"), "\(result.errorText)")
    }
    let other = try upright(["normalize", "--on-conflict", "rotate", "x"])
    #expect(!other.errorText.contains("Did you mean"))
  }

  @Test func `The description has every setting with its values`() throws {
    let text = try upright(["describe"]).text
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let settings = try #require(object?["settings"] as? [[String: Any]])
    #expect(settings.compactMap { $0["name"] as? String } == Self.settings.map(\.name))
    let regions = try #require(settings.first { $0["name"] as? String == "regions" })
    #expect(regions["default"] as? String == "auto")
    #expect(regions["takenBy"] as? [String] == ["normalize", "transform", "crop", "service"])
    let values = (regions["values"] as? [[String: String]])?.compactMap { $0["name"] }
    #expect(values == ["auto", "keep", "follow"])
  }
}

import Testing
import Upright

struct SettingTests {
  @Test(arguments: Setting.all.map(\.name))
  func `A setting has a name with hyphens, a sentence, and a default that is one of its values`(
    name: String
  ) throws {
    let setting = Setting.named(name)
    #expect(Setting.all.filter { $0.name == name }.count == 1)
    #expect(name.allSatisfy { $0 == "-" || $0.isASCII && $0.isLowercase })
    #expect(setting.prose.text.hasSuffix(".") && !setting.takers.isEmpty)
    let names = setting.values.map(\.name)
    if !names.isEmpty {
      #expect(names.contains(try #require(setting.value(in: CallOptions()))))
      #expect(Set(names).count == names.count)
    }
  }

  @Test(arguments: Setting.all.map(\.name))
  func `Each value that is set is the one that is read`(name: String) throws {
    let setting = Setting.named(name)
    let values =
      switch setting.kind {
      case .choice: setting.values.map(\.name)
      case .flag: ["true", "false"]
      case .number: ["0", "7000"]
      case .text: ["", "name"]
      }
    for value in values {
      var call = CallOptions()
      try setting.set(&call, to: value)
      #expect(setting.value(in: call) == value)
      // Nothing else changes. One flag is another name of a value.
      for other in Setting.all where other.name != name && setting.group != .call {
        if [name, other.name].allSatisfy({ ["unaligned", "lossless-only"].contains($0) }) {
          continue
        }
        #expect(other.value(in: call) == other.value(in: CallOptions()), "\(other.name)")
      }
    }
  }

  @Test(
    arguments: [
      ("unaligned", "trim"), ("redraw-quality", "max"), ("on-conflict", "reset-tag"),
      ("resolution", "follow"), ("regions", "keep"), ("registered-data", "keep"),
      ("content-credentials", "strip"), ("check-unchanged", "true"),
    ]
  )
  func `Policies are set by the names of the command's options and values`(
    name: String,
    value: String
  ) throws {
    var options = Options()
    #expect(try options.setPolicy(name, to: value))
    var expected = Options()
    switch name {
    case "unaligned": expected.unaligned = .trim
    case "redraw-quality": expected.redrawQuality = .max
    case "on-conflict": expected.onConflict = .resetTag
    case "resolution": expected.resolution = .follow
    case "regions": expected.regions = .keep
    case "registered-data": expected.registeredData = .keep
    case "check-unchanged": expected.checksUnchanged = true
    default: expected.contentCredentials = .strip
    }
    #expect(options == expected)
    #expect(try !options.setPolicy("color", to: "blue"))
    #expect(try !options.setPolicy("max-pixels", to: "1"))
  }

  @Test(arguments: [
    ("regions", "blue", Spelling.kebab, "regions must be one of auto, keep, follow"),
    (
      "on-conflict", "trust", .snake,
      "on_conflict must be one of skip, trust-tag, reset-tag; did you mean trust-tag?"
    ),
    ("tag-only", "1", .camel, "tagOnly must be true or false"),
    ("max-pixels", "-1", .camel, "maxPixels must be a whole number from 0 to 9223372036854775807"),
  ])
  func `A value that is not valid is an error that names the valid ones, as the caller spells it`(
    name: String,
    value: String,
    spelling: Spelling,
    message: String
  ) throws {
    var call = CallOptions()
    let error = #expect(throws: UprightError.self) {
      try Setting.named(name).set(&call, to: value, spelling: spelling)
    }
    #expect(error?.message == message)
    #expect(Setting.named(name).value(in: call) == Setting.named(name).value(in: CallOptions()))
  }

  @Test(arguments: [
    ("regons", ["regions"]), ("on-conflct", ["on-conflict"]),
    ("max", ["max-pixels", "max-scans", "max-bytes"]),
    ("registered", ["registered-data"]), ("color", []), ("", []), ("x", []),
    (String(repeating: "regions", count: 1000), []),
  ])
  func `A similar name is one of almost the same letters, or one that begins with the word`(
    word: String,
    names: [String]
  ) {
    #expect(Suggestion.names(like: word, among: Setting.all.map(\.name)) == names)
  }
}

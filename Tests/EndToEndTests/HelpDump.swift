import Fixtures
import Foundation

/// The options of the commands, as the parser describes them.
enum HelpDump {
  private struct Root: Decodable {
    var command: Command
  }

  private struct Command: Decodable {
    var commandName: String
    var subcommands: [Command]?
    var arguments: [Argument]?
  }

  struct Argument: Decodable {
    var names: [Name]?
    var kind: String
    var valueName: String?
    var allValues: [String]?
    var defaultValue: String?
    var abstract: String?

    var longName: String? { names?.first { $0.kind == "long" }?.name }
  }

  struct Name: Decodable {
    var kind: String
    var name: String

    /// The name as it is given.
    var spelling: String { (kind == "long" ? "--" : "-") + name }
  }

  /// Returns the arguments of each command, by its words, such as `upright tag set`.
  static func commands() throws -> [(command: String, arguments: [Argument])] {
    let text = try upright(["--experimental-dump-help"]).text
    let root = try JSONDecoder().decode(Root.self, from: Data(text.utf8)).command
    var found: [(command: String, arguments: [Argument])] = []
    func add(_ command: Command, _ name: String) {
      found.append((name, command.arguments ?? []))
      for each in command.subcommands ?? [] { add(each, "\(name) \(each.commandName)") }
    }
    add(root, "upright")
    return found
  }
}

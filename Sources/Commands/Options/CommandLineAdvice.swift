internal import ImageOrientation
internal import Upright

/// Advice for command lines whose command is not known.
enum CommandLineAdvice {
  /// The commands that do what other programs call so.
  private static let synonyms = [
    "auto-orient": "normalize", "auto-rotate": "normalize", "autoorient": "normalize",
    "autorot": "normalize", "autorotate": "normalize", "fix": "normalize", "orient": "normalize",
    "mirror": "flip", "restore": "undo", "revert": "undo", "compare": "verify", "info": "inspect",
  ]

  /// Returns what is wrong with the arguments and a correct command line, or nil if the parser's own message is
  /// used.
  static func advice(
    _ arguments: [String],
    _ commands: [String],
    programs: [String] = []
  ) -> String? {
    var rest = arguments[...]
    let isHelp = rest.first == "help"
    if isHelp { rest.removeFirst() }
    guard let word = rest.first, !word.isEmpty, !word.hasPrefix("-"), !commands.contains(word),
      word != "help"
    else { return adviceOnTag(arguments) }
    if programs.contains(word) {
      let call = ["upright", "as", word] + rest.dropFirst().prefix(8)
      let words =
        call.map { TextFormat.quoted(TextFormat.escaped($0)) }
        + (rest.count > 9 ? ["…"] : [])
      return "The options of \(word) are taken by: \(words.joined(separator: " "))"
    }
    let similar = synonyms[word].map { [$0] } ?? Suggestion.names(like: word, among: commands)
    if !similar.isEmpty {
      return "Unknown command \(word). Did you mean \(similar.joined(separator: " or "))?"
    }
    if !isHelp, word.contains(".") || word.contains("/") {
      return
        "A command must come first, as in: upright normalize \(TextFormat.quoted(TextFormat.escaped(word)))"
    }
    return "Unknown command \(TextFormat.escaped(word)). upright --help lists all commands."
  }

  /// Returns the correct command line of `upright tag` without `set` or `get`; nil if it is another.
  private static func adviceOnTag(_ arguments: [String]) -> String? {
    guard arguments.first == "tag", arguments.count > 1, !arguments[1].hasPrefix("-"),
      !["get", "set", "remove", "help"].contains(arguments[1])
    else { return nil }
    let isValue = Orientation(argument: arguments[1]) != nil
    let words = ["upright", "tag", isValue ? "set" : "get"] + arguments.dropFirst()
    return "upright tag requires get, set or remove, as in: \(TextFormat.commandLine(words))"
  }

  /// Returns the parser's message on an unknown option or value with similar ones.
  ///
  /// The parser suggests only options, and only of similar spelling.
  static func completed(_ message: String, options: [Substring]) -> String {
    guard let line = message.split(separator: "\n").first else { return message }
    let quoted = line.split(separator: "'", omittingEmptySubsequences: false)
    guard quoted.count > 2 else { return message }
    let word = String(quoted[1])
    let names: [String]
    let start: Substring
    if line.firstRange(of: "Unknown option '--") != nil {
      names = Suggestion.names(like: word, among: options.map(String.init))
      start = line[..<quoted[1].endIndex] + "'"
    } else if line.contains("Please provide one of '") {
      // The value, the option, and the valid values.
      let values = quoted.indices.dropFirst(5).filter { $0 % 2 == 1 }.map { String(quoted[$0]) }
      names = Suggestion.names(like: word, among: values)
      start = line
    } else {
      return message
    }
    guard !names.isEmpty else { return message }
    let found = names.map { "'\($0)'" }.joined(separator: " or ")
    return start + (start.last == "." ? " " : ". ") + "Did you mean \(found)?"
      + message[line.endIndex...]
  }

  /// Returns the arguments with counter-clockwise angles replaced by clockwise ones, because the parser takes
  /// `-90` for an option.
  static func corrected(_ arguments: [String]) -> [String] {
    guard arguments.first == "rotate" else { return arguments }
    let angles = ["-90": "270", "-180": "180", "-270": "90"]
    return arguments.map { angles[$0] ?? $0 }
  }
}

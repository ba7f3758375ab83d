/// Advice for command lines whose command is not known.
enum CommandLineAdvice {
  /// Returns what is wrong with the arguments and a correct command line, or nil if the parser's own message is
  /// used.
  ///
  /// - Parameters:
  ///   - arguments: The arguments.
  ///   - commands: The names of the commands.
  ///   - programs: The names of the programs whose options are taken.
  /// - Returns: The sentence.
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
    else { return nil }
    if programs.contains(word) {
      let call = ["upright", "as", word] + rest.dropFirst().prefix(8)
      let words =
        call.map { TextFormat.quoted(TextFormat.escaped($0)) }
        + (rest.count > 9 ? ["…"] : [])
      return "The options of \(word) are taken by: \(words.joined(separator: " "))"
    }
    let nearest = commands.map { (name: $0, distance: distance(word, $0)) }
      .min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= 2 {
      return "Unknown command \(word). Did you mean \(nearest.name)?"
    }
    if !isHelp, word.contains(".") || word.contains("/") {
      return
        "A command must come first, as in: upright normalize \(TextFormat.quoted(TextFormat.escaped(word)))"
    }
    return "Unknown command \(TextFormat.escaped(word)). upright --help lists all commands."
  }

  /// Returns a message on an unknown option with the options of the command that begin like it, if there are a few.
  ///
  /// The parser suggests only options of similar spelling.
  static func completed(_ message: String, options: [Substring]) -> String {
    guard let line = message.split(separator: "\n").first,
      let start = line.firstRange(of: "Unknown option '--"), line.last == "'"
    else { return message }
    let begun = "--" + line[start.upperBound...].dropLast()
    let names = options.filter { $0.hasPrefix(begun) }.map { "'\($0)'" }
    guard (1...3).contains(names.count) else { return message }
    return line + ". Did you mean \(names.joined(separator: " or "))?" + message[line.endIndex...]
  }

  /// Returns the arguments with counter-clockwise angles replaced by clockwise ones, because the parser takes
  /// `-90` for an option.
  static func corrected(_ arguments: [String]) -> [String] {
    guard arguments.first == "rotate" else { return arguments }
    let angles = ["-90": "270", "-180": "180", "-270": "90"]
    return arguments.map { angles[$0] ?? $0 }
  }

  /// Returns the Levenshtein distance of two words: the number of letters to change, insert or remove.
  static func distance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (index, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in second.indices {
        let change = diagonal + (second[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(change, row[column] + 1, row[column + 1] + 1)
      }
    }
    return row[second.count]
  }
}

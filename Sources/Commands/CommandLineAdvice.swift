/// What is wrong with a command line whose command is not known, and the right one.
enum CommandLineAdvice {
  /// What to say of arguments; nil where the parser may say it.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the process.
  ///   - commands: The names of all commands.
  /// - Returns: The sentence.
  static func advice(_ arguments: [String], _ commands: [String]) -> String? {
    var rest = arguments[...]
    let isHelp = rest.first == "help"
    if isHelp { rest.removeFirst() }
    guard let word = rest.first, !word.isEmpty, !word.hasPrefix("-"), !commands.contains(word),
      word != "help"
    else { return nil }
    let nearest = commands.map { (name: $0, distance: distance(word, $0)) }
      .min { $0.distance < $1.distance }
    if let nearest, nearest.distance <= 2 {
      return "There is no command \(word). Did you mean \(nearest.name)?"
    }
    if !isHelp, word.contains(".") || word.contains("/") {
      return
        "Name a command first, as in: upright normalize \(TextFormat.quoted(TextFormat.escaped(word)))"
    }
    return "There is no command \(TextFormat.escaped(word)). upright --help lists all commands."
  }

  /// The arguments with counter-clockwise degrees, which the parser takes for options, as clockwise ones.
  static func corrected(_ arguments: [String]) -> [String] {
    guard arguments.first == "rotate" else { return arguments }
    let angles = ["-90": "270", "-180": "180", "-270": "90"]
    return arguments.map { angles[$0] ?? $0 }
  }

  /// How many letters to change, insert or remove to make one word of another (Levenshtein).
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

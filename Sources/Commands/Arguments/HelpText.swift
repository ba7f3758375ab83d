/// Arranges the help of a command: the most important sections first, examples last.
enum HelpText {
  /// The sections in their order; others are printed first.
  private static let order = [
    "OPTIONS", "SUBCOMMANDS", "RESULTS", "POLICIES", "FILES", "OUTPUT", "ADVANCED", "EXAMPLES",
  ]

  /// Returns a help text with its sections in order.
  ///
  /// - Returns: The same sections; a text without sections is unchanged.
  static func arranged(_ text: String) -> String {
    guard text.hasPrefix("OVERVIEW:") else { return text }
    var blocks: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isHeading(line) { blocks.append([]) }
      blocks[blocks.count - 1].append(line)
    }
    let ranked = blocks.enumerated().sorted { first, second in
      (rank(first.element), first.offset) < (rank(second.element), second.offset)
    }
    return ranked.map { trimmed($0.element) }.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  /// Whether a line starts a section.
  private static func isHeading(_ line: Substring) -> Bool {
    guard let colon = line.firstIndex(of: ":"), colon != line.startIndex else { return false }
    return line[..<colon].utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }

  private static func rank(_ block: [Substring]) -> Int {
    let title = block.first?.prefix { $0 != ":" } ?? ""
    return order.firstIndex(of: String(title)) ?? -1
  }

  private static func trimmed(_ block: [Substring]) -> String {
    var lines = block[...]
    while lines.last?.isEmpty == true { lines.removeLast() }
    while lines.first?.isEmpty == true { lines.removeFirst() }
    return lines.joined(separator: "\n")
  }
}

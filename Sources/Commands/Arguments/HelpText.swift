internal import Upright

/// Arranges the help of a command: the most important sections first, examples last, or only what is needed every day.
enum HelpText {
  /// The sections in their order; others are printed first.
  private static let order = [
    "OPTIONS", "SUBCOMMANDS", "RESULTS", "POLICIES", "FILES", "OUTPUT", "ADVANCED", "EXAMPLES",
  ]

  /// The options that `-h` lists, in their order.
  private static let everyday =
    [
      "--host", "--port", "--allowed-host", "--check", "--html", "--recursive", "--dry-run",
      "--output", "--output-dir", "--record", "--last", "--backup", "--exact", "--quality",
      "--angles-from",
    ] + Setting.all.filter(\.isEveryday).map { "--\($0.name)" } + ["--quiet", "--verbose"]

  /// The column in which the texts begin.
  private static let column = 26

  /// Returns a help text with its sections in order; a text without sections is unchanged.
  static func arranged(_ text: String) -> String {
    guard isHelp(text) else { return text }
    let ranked = blocks(text).enumerated().sorted { first, second in
      (rank(first.element), first.offset) < (rank(second.element), second.offset)
    }
    var sections = ranked.map { trimmed($0.element) }.filter { !$0.isEmpty }
    if let command = command(text) {
      let examples = sections.firstIndex { $0.hasPrefix("EXAMPLES:") } ?? sections.count
      let manual = command.joined(separator: "-")
      sections.insert("More: man \(manual)", at: examples)
    }
    return sections.joined(separator: "\n\n")
  }

  /// Returns the words of a command that has options; nil for other texts.
  private static func command(_ text: String) -> [Substring]? {
    guard !text.contains("\nSUBCOMMANDS:"),
      let usage = text.split(separator: "\n").first(where: { $0.hasPrefix("USAGE: ") })
    else { return nil }
    let words = usage.split(separator: " ").dropFirst()
    return Array(words.prefix { $0.allSatisfy { $0.isLetter } })
  }

  /// Returns what a command does, how it is called, and its arguments and everyday options, each on one line.
  ///
  /// A text that is not the help of a command with options is arranged only.
  static func brief(_ text: String) -> String {
    let blocks = blocks(text)
    guard isHelp(text), let command = command(text),
      let usage = blocks.first(where: { $0.first?.hasPrefix("USAGE: ") == true })
    else { return arranged(text) }
    let abstract = blocks.joined().prefix { !$0.isEmpty }.joined(separator: " ")
      .dropFirst("OVERVIEW: ".count)
    let entries = blocks.flatMap(entries)
    var everyday = everyday
    // Commands that write have a report, too; an audit's page is what many people come for.
    if entries.contains(where: { $0.names.contains("--report") }) {
      everyday.removeAll { $0 == "--html" }
    }
    let options = everyday.compactMap { name in
      entries.first { $0.names.contains(Substring(name)) }
    }
    let explained = entries.filter { $0.label.hasPrefix("<") }.map(\.line)
    let words = usage.joined(separator: " ").split(separator: " ").dropFirst()
    // A short usage names options, too.
    let arguments = words.dropFirst(command.count)
      .filter {
        $0.first == "<" && $0.last == ">" || $0.hasPrefix("[<") || $0 == "...]"
      }
      .filter { !["<options>", "[<options>]"].contains($0) }
    return [
      String(abstract),
      "USAGE: " + (command + ["[<options>]"] + arguments).joined(separator: " "),
      (explained + options.map(\.line)).joined(separator: "\n"),
      "All options: \(command.joined(separator: " ")) --help",
    ].joined(separator: "\n\n")
  }

  /// An option or an argument, with what its help says.
  private struct Entry {
    var label: Substring
    var text: String

    var names: [Substring] { label.split { $0 == " " || $0 == "," } }

    /// The option and the first sentence of its help.
    var line: String {
      let sentence = text.firstRange(of: ". ").map { text[..<$0.lowerBound] + "." } ?? text[...]
      let padding = String(repeating: " ", count: max(2, column - 2 - label.count))
      return "  \(label)\(padding)\(sentence)"
    }
  }

  /// Returns the options and arguments of a section.
  private static func entries(_ block: [Substring]) -> [Entry] {
    var entries: [Entry] = []
    for line in block {
      if line.hasPrefix("  -") || line.hasPrefix("  <") {
        let label = line.dropFirst(2)
        let gap = label.firstRange(of: "  ")
        entries.append(
          Entry(
            label: gap.map { label[..<$0.lowerBound] } ?? label,
            text: gap.map { String(label[$0.upperBound...].drop { $0 == " " }) } ?? ""
          )
        )
      } else if !entries.isEmpty, line.hasPrefix("      ") {
        let words = line.drop { $0 == " " }
        let last = entries.count - 1
        entries[last].text += entries[last].text.isEmpty ? words : " " + words
      }
    }
    return entries
  }

  /// Returns the long names of the options in a help text.
  static func options(_ text: String) -> [Substring] {
    blocks(text).flatMap(entries).flatMap(\.names).filter { $0.hasPrefix("--") }
  }

  private static func isHelp(_ text: String) -> Bool { text.hasPrefix("OVERVIEW:") }

  /// The sections of a help text, each with its heading.
  private static func blocks(_ text: String) -> [[Substring]] {
    var blocks: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isHeading(line) { blocks.append([]) }
      blocks[blocks.count - 1].append(line)
    }
    return blocks
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

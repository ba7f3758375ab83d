internal import FileSystem
internal import Reports
internal import SystemPackage

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The colors of the words that name a status, for terminals.
struct Palette: Sendable {
  /// What a color means; the value is the parameter of SGR (ECMA-48, 8.3.117).
  enum Tone: Int {
    case failure = 31
    case success = 32
    case finding = 33
  }

  /// No colors.
  static let plain = Palette(isColored: false)

  private let isColored: Bool

  private init(isColored: Bool) { self.isColored = isColored }

  /// Creates the palette of a stream: colors if it is a terminal that has them, unless `NO_COLOR` is set.
  init(_ stream: FileDescriptor) {
    guard StandardStreams.isTerminal(stream) else {
      self = .plain
      return
    }
    let environment = ProcessInfo.processInfo.environment
    isColored = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// Returns a text in a color.
  func colored(_ text: String, _ tone: Tone?) -> String {
    guard isColored, let tone, !text.isEmpty else { return text }
    return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
  }

  /// Returns a text whose first words, up to a comma, colon or parenthesis, name a status in a color.
  func marked(_ text: String, _ tone: Tone?) -> String {
    guard isColored, tone != nil else { return text }
    var words = text.prefix { !":,(".contains($0) }
    let rest = text[words.endIndex...]
    while words.last == " " { words.removeLast() }
    let gap = text[words.endIndex..<rest.startIndex]
    return colored(String(words), tone) + gap + rest
  }
}

extension Palette {
  /// Returns a text about a file in which the status and what is not lossless are in color.
  func marked(_ text: String, _ status: Status) -> String {
    guard isColored else { return text }
    return noted(marked(text, status.tone))
  }

  /// Returns a text in which what is not lossless is in color.
  func noted(_ text: String) -> String {
    isColored ? text.replacing("re-encoded", with: colored("re-encoded", .finding)) : text
  }
}

extension Status {
  /// The color of the status; nil where nothing was done or found.
  var tone: Palette.Tone? {
    switch self {
    case .failed: .failure
    case .skipped, .interrupted: .finding
    case .normalized, .rotated, .flipped, .cropped, .reset, .tagged, .restored, .stripped,
      .converted:
      .success
    case .planned, .restorable, .convertible, .alreadyUpright, .unchanged: nil
    }
  }
}

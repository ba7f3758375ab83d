internal import FileSystem
internal import SystemPackage
internal import Upright

/// The text of reports for people.
enum TextFormat {
  /// Returns the details of re-encoding, as in `largest error 4 of 255, …`.
  static func redraw(_ redraw: RedrawReport) -> String {
    "re-encoding: largest error \(redraw.largestError) of 255; "
      + "image data \(redraw.sizeBefore) → \(redraw.sizeAfter) bytes"
  }

  /// Returns the disposition of an image in the file as text.
  static func disposition(_ disposition: EmbeddedImage.Disposition) -> String {
    switch disposition {
    case .transformed: "transformed with the image, lossless"
    case .reencoded: "transformed with the image, re-encoded"
    case .regenerated: "regenerated from the cropped image"
    case .removed: "removed"
    case .kept: "unchanged"
    case .stale: "unchanged, still as stored before"
    }
  }

  /// Returns a path for a terminal, with control characters and bytes that are not UTF-8 escaped.
  static func path(_ path: FilePath) -> String { path.escaped }

  /// Returns a word quoted for a shell.
  static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0)
        || "-_./=+:,@%…".unicodeScalars.contains($0)
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  /// Returns arguments as one line, quoted for a shell.
  static func commandLine(_ arguments: [String]) -> String {
    arguments.map { quoted(path(ArgumentPath.path($0))) }.joined(separator: " ")
  }

  /// Returns a text with control characters escaped.
  static func escaped(_ text: String) -> String { text.escaped }

  /// Returns `text` padded with spaces to a width in columns of a terminal.
  static func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - self.width(text)))
  }

  /// Returns `text` with spaces before it up to a width in columns, at least one.
  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(1, width - text.count)) + text
  }

  /// Returns the width of a text in columns of a terminal: two for each wide character.
  static func width(_ text: String) -> Int {
    text.reduce(0) { $0 + ($1.unicodeScalars.first.map(isWide) == true ? 2 : 1) }
  }

  /// Whether a character takes two columns.
  ///
  /// Source: Unicode Standard Annex #11, blocks of wide and fullwidth characters.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

extension String {
  /// Returns the text padded with zeros on the left to `length` characters.
  func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}

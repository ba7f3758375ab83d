internal import JPEGCore

/// A remark on a file for people, such as a field that is kept although it describes the image as it was stored.
public struct Note: Hashable, Sendable {
  /// The identifier.
  public var code: Code
  /// The text for people.
  public var text: String
  /// What changes what is noted.
  public var remedies: [Remedy]

  /// Creates a note from its parts.
  public init(_ code: Code, _ text: String, remedies: [Remedy] = []) {
    self.code = code
    self.text = text
    self.remedies = remedies
  }
}

extension Note {
  /// The note on data after an image that has another offset.
  static func dataMoved(_ text: String, by shift: Int) -> Note {
    Note(.dataMoved, "\(text) by \(shift) bytes; offsets in MakerNotes may point to it")
  }

  /// The notes on bytes between the segments of an image, and after the last MCU of its scans and restart intervals.
  ///
  /// - Parameters:
  ///   - container: The structure of the image.
  ///   - scans: The number of those in the scans.
  ///   - isRewritten: Whether the scans are written again, without them.
  ///   - role: The purpose of the image; nil for the primary one.
  /// - Returns: The notes.
  @ListBuilder<Note>
  static func strayBytes(
    _ container: Container,
    inScans scans: Int,
    isRewritten: Bool,
    of role: EmbeddedImage.Role? = nil
  ) -> [Note] {
    let owner = role.map { " of the \($0.rawValue)" } ?? ""
    if scans > 0 {
      let count = scans == 1 ? "1 stray byte" : "\(scans) stray bytes"
      // Decoders do not tell padding from the rest of a damaged scan.
      let rest = scans > 8 ? "; in an image that looks damaged, they would be the rest of it" : ""
      let verb = scans == 1 ? "is" : "are"
      Note(
        .strayBytes,
        "\(count) after MCUs\(owner) \(verb) \(isRewritten ? "removed" : "kept")\(rest)"
      )
    }
    if let offset = container.strayByteOffset {
      Note(.strayBytes, "the bytes between two segments\(owner) at byte \(offset) are kept")
    }
  }
}

extension Note: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

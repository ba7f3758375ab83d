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
}

extension Note: CustomStringConvertible {
  /// The text.
  public var description: String { text }
}

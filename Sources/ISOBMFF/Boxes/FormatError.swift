/// Why a part of a file cannot be used, and where.
package struct FormatError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Kind: Hashable, Sendable {
    /// The file ends before a part of it does.
    case truncated
    /// A size, count or value contradicts the standard, or parts of the file contradict each other.
    case malformed
    /// A feature whose use cannot be checked.
    case unsupported
    /// There are more pixels, images, bytes or steps than a limit allows.
    case limit
  }

  package var kind: Kind
  /// The offset in the file, if the error has a place.
  package var offset: Int?
  /// What was found, as text.
  package var message: String

  package init(_ kind: Kind, at offset: Int? = nil, _ message: String) {
    self.kind = kind
    self.offset = offset
    self.message = message
  }
  package static func truncated(at offset: Int? = nil, _ message: String) -> FormatError {
    FormatError(.truncated, at: offset, message)
  }

  package static func malformed(at offset: Int? = nil, _ message: String) -> FormatError {
    FormatError(.malformed, at: offset, message)
  }

  package static func unsupported(at offset: Int? = nil, _ message: String) -> FormatError {
    FormatError(.unsupported, at: offset, message)
  }

  package static func limit(at offset: Int? = nil, _ message: String) -> FormatError {
    FormatError(.limit, at: offset, message)
  }

  /// The error of a file that has no image besides those of a sequence.
  package static let onlySequence = FormatError(
    .unsupported,
    "the file has only a sequence of images, which is not read"
  )
}

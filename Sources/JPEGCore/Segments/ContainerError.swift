/// Why bytes are not a JPEG file that can be read, and where.
package struct ContainerError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case empty
    /// The bytes do not begin with SOI.
    case notJPEG
    /// The bytes end before the structure does; the rest of the file may contain more.
    case truncated
    /// A length, count or value contradicts the standard.
    case malformed
    /// There are more segments or scans than a limit allows.
    case limit
  }

  package var kind: Kind
  /// The offset in the file.
  package var offset: Int
  /// What was found, as text.
  package var message: String

  package init(_ kind: Kind, at offset: Int, _ message: String) {
    (self.kind, self.offset, self.message) = (kind, offset, message)
  }

  static func malformed(at offset: Int, _ message: String) -> ContainerError {
    ContainerError(.malformed, at: offset, message)
  }
}

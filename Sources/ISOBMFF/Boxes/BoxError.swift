/// Why boxes or items cannot be used, and where.
package struct BoxError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Kind: Hashable, Sendable {
    /// The file ends before a box does.
    case truncated
    /// A size, count or value contradicts the standard, or parts of the file contradict each other.
    case malformed
    /// A feature whose use cannot be checked.
    case unsupported
    /// There are more pixels, images or steps than a limit allows.
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
}

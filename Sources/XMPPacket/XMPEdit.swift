/// A change of bytes in a packet.
package struct XMPEdit: Sendable, Hashable {
  /// Where the change starts, in the packet as it was.
  package var offset: Int

  /// The bytes before the edit; none for an insertion.
  package var old: [UInt8]

  /// The bytes after the edit; none for a removal.
  package var new: [UInt8]

  /// The bytes that are replaced, in the packet as it was.
  package var range: Range<Int> { offset..<offset + old.count }

  /// Describes the replacement of `old` at `offset` by `new`.
  package init(offset: Int, old: [UInt8], new: [UInt8]) {
    self.offset = offset
    self.old = old
    self.new = new
  }
}

/// A packet after an edit, with the account of what changed.
package struct XMPRewrite: Sendable, Hashable {
  /// The whole packet.
  package var bytes: [UInt8]

  /// Every change, those of the padding included, in ascending order and without overlap.
  package var edits: [XMPEdit]

  /// Whether the packet is as long as it was.
  package var lengthKept: Bool
}

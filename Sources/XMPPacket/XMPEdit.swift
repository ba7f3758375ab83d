/// A change of bytes in a packet.
package struct XMPEdit: Sendable, Hashable {
  /// The offset of the change in the original packet.
  package var offset: Int

  /// The original bytes; empty for an insertion.
  package var old: [UInt8]

  /// The new bytes; empty for a removal.
  package var new: [UInt8]

  /// The range of the original bytes.
  package var range: Range<Int> { offset..<offset + old.count }

  /// Creates the replacement of `old` at `offset` by `new`.
  package init(offset: Int, old: [UInt8], new: [UInt8]) {
    self.offset = offset
    self.old = old
    self.new = new
  }
}

/// An edited packet, with the list of its changes.
package struct XMPRewrite: Sendable, Hashable {
  /// The edited packet.
  package var bytes: [UInt8]

  /// Every change, including those of the padding, in ascending order and without overlap.
  package var edits: [XMPEdit]

  /// Whether the packet kept its length.
  package var lengthKept: Bool
}

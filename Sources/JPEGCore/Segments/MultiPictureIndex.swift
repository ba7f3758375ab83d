/// The index of a multi-picture file: the APP2 segment of CIPA DC-007 (specification, section 5).
package struct MultiPictureIndex: Sendable {
  /// One picture of the file.
  package struct Entry: Hashable, Sendable {
    /// The picture's type: the low 24 bits of its attributes.
    package var type: UInt32
    /// Its size in bytes, as the index says; some cameras say it wrong.
    package var size: Int
    /// Where it begins in the file; the primary's stored offset is 0.
    package var start: Int
    /// Where the sixteen bytes of the entry stand in the file.
    package var position: Int
  }

  /// The entries, the primary first.
  package private(set) var entries: [Entry] = []
  /// Where the index's own header stands, which the stored offsets count from.
  package private(set) var base: Int
  package private(set) var order: ByteOrder
  /// Where the primary picture really ends.
  private let primaryEnd: Int

  private static let entryTag: UInt16 = 0xB002

  /// Reads the first MPF segment; nil where there is none that can be read.
  package init?(_ container: Container, _ bytes: Span<UInt8>) {
    guard let segment = container.segments(.multiPicture, in: bytes).first else { return nil }
    base = segment.payload.lowerBound + Segment.identifierLength(.multiPicture)
    guard base <= segment.payload.upperBound,
      let block = TIFFBlock(bytes, in: base..<segment.payload.upperBound),
      let value = block.entries(.ifd0, Self.entryTag).first?.value
    else { return nil }
    order = block.order
    primaryEnd = container.end
    for position in stride(from: value.lowerBound, to: value.upperBound - 15, by: 16) {
      guard let attributes = bytes.uint32(at: position, order),
        let size = bytes.uint32(at: position + 4, order),
        let offset = bytes.uint32(at: position + 8, order)
      else { return nil }
      entries.append(
        Entry(
          type: attributes & 0xFF_FFFF,
          size: Int(size),
          start: offset == 0 ? container.segments[0].range.lowerBound : base + Int(offset),
          position: position
        )
      )
    }
  }

  /// The edits that keep the index true when the bytes of the file move.
  ///
  /// - Parameters:
  ///   - edits: All other edits of the file.
  ///   - bytes: The file as it was.
  /// - Returns: Edits of sizes and offsets that change; none where nothing moves.
  package func edits(following edits: [Edit], _ bytes: Span<UInt8>) -> [Edit] {
    var result: [Edit] = []
    let newBase = edits.position(of: base)
    for (index, entry) in entries.enumerated() where entry.start + entry.size <= bytes.count {
      let newStart = edits.position(of: entry.start)
      // Some cameras give a wrong size, so it grows by what the picture grows, whatever it was.
      let end = index == 0 ? primaryEnd : entry.start + entry.size
      let newSize =
        entry.size
        + edits.filter { $0.range.lowerBound >= entry.start && $0.range.lowerBound < end }
        .totalShift
      var fields = [(4, "size", entry.size, newSize)]
      if entry.start > base {
        fields.append((8, "offset", entry.start - base, newStart - newBase))
      }
      for (place, name, old, new) in fields where old != new {
        let position = entry.position + place
        result.append(
          Edit(
            position..<position + 4,
            with: UInt32(truncatingIfNeeded: new).bytes(order),
            field: Edit.Field("mpf.\(index).\(name)", old: "\(old)", new: "\(new)")
          )
        )
      }
    }
    return result
  }
}

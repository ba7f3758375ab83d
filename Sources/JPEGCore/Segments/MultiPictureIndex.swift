package import FileBytes

/// The index of a multi-picture file: the APP2 segment of CIPA DC-007 (specification, section 5).
package struct MultiPictureIndex: Sendable {
  /// One image of the file.
  package struct Entry: Hashable, Sendable {
    /// The image's type: the low 24 bits of its attributes.
    package var type: UInt32
    /// Its size in bytes according to the index; some cameras write a wrong one.
    package var size: Int64
    /// The offset of its first byte in the file; the stored offset of the primary image is 0.
    package var start: Int64
    /// The offset of the 16-byte entry in the file.
    package var position: Int
  }

  /// The entries, the primary first.
  package private(set) var entries: [Entry] = []
  private let segment: Range<Int>
  private let block: TIFFBlock
  /// The offset of the MP header, to which stored offsets are relative.
  package private(set) var base: Int
  package private(set) var order: ByteOrder
  /// The actual end of the primary image.
  private let primaryEnd: Int

  private static let countTag: UInt16 = 0xB001
  private static let entryTag: UInt16 = 0xB002

  /// Whether its fields share so many bytes that not all of them were read: there are no entries, and it is not known
  /// which images it lists.
  package var isCut: Bool { block.isCut }

  /// Reads the first MPF segment; nil if there is none or it is invalid.
  package init?(_ container: Container, _ bytes: Span<UInt8>) {
    guard let segment = container.segments(.multiPicture, in: bytes).first else { return nil }
    base = segment.payload.lowerBound + Segment.identifierLength(.multiPicture)
    guard base <= segment.payload.upperBound,
      let block = TIFFBlock(bytes, in: base..<segment.payload.upperBound)
    else { return nil }
    let value = block.isCut ? 0..<0 : block.entry(.ifd0, Self.entryTag)?.value
    guard let value else { return nil }
    self.block = block
    self.segment = segment.range
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
          size: Int64(size),
          start: Int64(offset == 0 ? container.segments[0].range.lowerBound : base) + Int64(offset),
          position: position
        )
      )
    }
  }

  /// Returns whether the entries have bytes in common with other fields of the index.
  package func isShared(_ bytes: Span<UInt8>) -> Bool {
    if isCut { return true }
    guard let first = entries.first?.position, let last = entries.last?.position else {
      return false
    }
    return block.fields(bytes).areShared(first..<last + 16, isValue: true)
  }

  /// Returns the edits of sizes and offsets that change because of all other edits of the file; none if no image remains
  /// to be listed.
  package func edits(
    following edits: [Edit],
    removing removed: [Int] = [],
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    let kept = kept(removed)
    let positions = EditedPositions(edits)
    if kept.count < entries.count {
      return kept.count > 1 ? shortened(kept, positions, bytes) : []
    }
    var result: [Edit] = []
    for (index, entry) in entries.enumerated() {
      let (newSize, newOffset) = place(of: entry, index, positions, bytes)
      var fields = [(4, "size", entry.size, newSize)]
      if let newOffset { fields.append((8, "offset", entry.start - Int64(base), newOffset)) }
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

  /// Returns the size of an image and its offset in the edited file; nil for an offset into the primary image, which
  /// is not changed.
  ///
  /// Every image after the primary one moves, whether or not it can be read.
  private func place(
    of entry: Entry,
    _ index: Int,
    _ positions: EditedPositions,
    _ bytes: Span<UInt8>
  ) -> (size: Int64, offset: Int64?) {
    // Some cameras write a wrong size; it is increased by the growth of the image. 0 means that it is unknown.
    let end = index == 0 ? Int64(primaryEnd) : entry.start + entry.size
    let shift = positions.growth(from: entry.start.length, to: end.length)
    let isImage = entry.size > 0 && bytes.uint16(at: entry.start.length) == 0xFFD8
    let size = isImage ? Self.field(entry.size + Int64(shift)) ?? entry.size : entry.size
    guard entry.start >= max(primaryEnd, base + 1) else { return (size, nil) }
    let start = entry.start.length
    let moved = positions.position(of: start) - start - positions.position(of: base)
    return (size, Self.field(entry.start + Int64(moved)))
  }

  /// Returns a number, or nil if it does not fit in a field of the index.
  private static func field(_ value: Int64) -> Int64? { UInt32(exactly: value).map { Int64($0) } }
}

extension MultiPictureIndex {
  private func kept(_ removed: [Int]) -> [Int] {
    entries.indices.filter { $0 == 0 || !removed.contains(entries[$0].start.length) }
  }

  /// Returns the removal of the whole index if only the primary image remains; nil otherwise.
  package func removal(removing removed: [Int]) -> Edit? {
    let count = kept(removed).count
    guard count < entries.count, count == 1 else { return nil }
    return Edit(segment, with: [], field: Edit.Field("mpf", new: "removed"))
  }

  /// Returns edits that remove entries without changing the length of the index.
  private func shortened(
    _ kept: [Int],
    _ positions: EditedPositions,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    var table: [UInt8] = []
    for index in kept {
      let entry = entries[index]
      let (size, offset) = place(of: entry, index, positions, bytes)
      let old = bytes.bytes(entry.position..<entry.position + 16)
      // Dependent images are referred to by their numbers, starting at 1.
      let dependents = [12, 14].map { place -> UInt16 in
        let number = Int(bytes.uint16(at: entry.position + place, order) ?? 0)
        return UInt16(kept.firstIndex(of: number - 1).map { $0 + 1 } ?? 0)
      }
      table += old[..<4] + UInt32(truncatingIfNeeded: size).bytes(order)
      table += offset.map { UInt32(truncatingIfNeeded: $0).bytes(order) } ?? Array(old[8..<12])
      table += dependents.flatMap { $0.bytes(order) }
    }
    let start = entries[0].position
    table += [UInt8](repeating: 0, count: 16 * entries.count - table.count)
    var result = [
      Edit(
        start..<start + table.count,
        with: table,
        field: Edit.Field("mpf.entries", old: "\(entries.count)", new: "\(kept.count)")
      )
    ]
    result += block.entries(.ifd0, Self.countTag).compactMap {
      block.edit($0, to: Int64(kept.count), field: "mpf.count", bytes)
    }
    for entry in block.entries(.ifd0, Self.entryTag) {
      result.append(
        Edit(
          entry.offset + 4..<entry.offset + 8,
          with: UInt32(16 * kept.count).bytes(order),
          field: Edit.Field("mpf.entries-length", old: "\(entry.count)", new: "\(16 * kept.count)")
        )
      )
    }
    return result
  }
}

/// Where the bytes of a block are in the file, and which directories programs read.
extension TIFFBlock {
  /// The number of bytes, without the gaps.
  package var count: Int { range.count - gaps.reduce(0) { $0 + $1.count } }

  /// Returns the place in the file of the byte at an offset of the block.
  package func place(_ offset: Int) -> Int {
    var place = range.lowerBound + offset
    for gap in gaps where place >= gap.lowerBound { place += gap.count }
    return place
  }

  /// Returns where some bytes of the block are, with the gaps in them; nil if they are not within the block.
  package func places(_ offset: Int, _ length: Int) -> Range<Int>? {
    guard length > 0, offset <= range.count, length <= range.count - offset else { return nil }
    guard !gaps.isEmpty else {
      return range.lowerBound + offset..<range.lowerBound + offset + length
    }
    let (start, end) = (place(offset), place(offset + length - 1) + 1)
    return end <= range.upperBound ? start..<end : nil
  }

  /// Returns the parts of a range that belong to the block.
  package func parts(of range: Range<Int>) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var rest = range
    for gap in gaps where gap.overlaps(range) {
      parts.append(rest.lowerBound..<max(rest.lowerBound, gap.lowerBound))
      rest = min(gap.upperBound, rest.upperBound)..<rest.upperBound
    }
    return (parts + [rest]).filter { !$0.isEmpty }
  }

  /// Returns whether the bytes of a directory, from the number of its entries on, are those of one that programs read.
  ///
  /// Pointers of damaged files lead to any bytes. A directory that does not end within the block may have been cut off,
  /// and then all of its entries have a valid type.
  func isRead(_ directory: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    guard let count = bytes.uint16(at: directory.lowerBound, order) else { return false }
    let whole = min(Int(count), (directory.count - 2) / 12)
    func hasType(_ index: Int) -> Bool {
      let type = bytes.uint16(at: directory.lowerBound + 4 + 12 * index, order)
      return type.flatMap { Self.size(ofType: $0) } != nil
    }
    return whole == count
      ? (0..<whole).contains(where: hasType) : whole > 0 && (0..<whole).allSatisfy(hasType)
  }

  /// Returns whether the value of an entry is read or changed as one: all but texts and data of programs and makers.
  static func isUsedWhole(_ kind: Kind, _ tag: UInt16, _ type: UInt16) -> Bool {
    let isData = [1, 2, 6, 7].contains(type)
    let packets = [ExifTag.xmp, ExifTag.iptc, ExifTag.imageResources]
    return !isData || kind == .ifd0 && packets.contains(tag)
  }
}

/// Bytes that belong to several fields, as in damaged files and in no others.
extension TIFFBlock {
  /// Returns the bytes that the header, the directories, their values and the thumbnail use.
  func claims(_ bytes: Span<UInt8>) -> ByteClaims {
    var claims = ByteClaims()
    claims.add(range.prefix(8))
    for directory in directories { claims.add(directory.range) }
    for entry in entries where !entry.isInline {
      if let value = entry.value { claims.add(value) }
    }
    for (start, length) in [
      (ExifTag.thumbnailOffset, ExifTag.thumbnailLength),
      (ExifTag.stripOffsets, ExifTag.stripByteCounts),
    ] {
      guard let start = integer(.ifd1, start, bytes), let length = integer(.ifd1, length, bytes),
        start >= 0, length > 0, start < range.count
      else { continue }
      claims.add(place(Int(start))..<min(place(Int(start) + length.length), range.upperBound))
    }
    return claims
  }

  /// Returns which bytes of the block belong to which fields.
  package func fields(_ bytes: Span<UInt8>) -> Fields {
    var (fixed, values) = ([range.prefix(8)], [Range<Int>]())
    fixed.reserveCapacity(entries.count + 2 * directories.count + 1)
    values.reserveCapacity(entries.count)
    for directory in directories {
      fixed.append(directory.range.prefix(2))
      if directory.hasNext { fixed.append(directory.range.suffix(4)) }
    }
    for entry in entries {
      let number = entry.offset + 8..<entry.offset + 12
      let isInline = Self.size(ofType: entry.type).map { entry.count <= 4 / $0 } ?? false
      fixed.append(entry.offset..<(isInline ? number.lowerBound : number.upperBound))
      if let value = isInline ? number : reference(entry, bytes) { values.append(value) }
    }
    return Fields(
      isCut: isCut,
      structure: OverlapCounter(fixed),
      values: OverlapCounter(values)
    )
  }

  /// The bytes of the fields of a block.
  package struct Fields: Sendable {
    fileprivate let isCut: Bool
    fileprivate let structure: OverlapCounter
    fileprivate let values: OverlapCounter

    /// Returns whether a change of bytes would also change the structure of the block or the value of another field.
    ///
    /// A thumbnail is not a value: no field contains it.
    package func areShared(_ part: Range<Int>, isValue: Bool) -> Bool {
      isCut || structure.count(part) > 0 || values.count(part) > (isValue ? 1 : 0)
    }
  }

  /// Returns the bytes that the offset of an entry refers to, also those in the header, which some readers accept.
  private func reference(_ entry: Entry, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard let size = Self.size(ofType: entry.type), entry.count <= range.count,
      let offset = bytes.uint32(at: entry.offset + 8, order)
    else { return nil }
    return places(offset.length, size * Int(entry.count))
  }
}

internal import FileBytes
internal import ImageOrientation

extension TIFFBlock {
  /// Returns the dimensions of the camera's image in the MakerNote, or nil if it is of another maker or damaged.
  ///
  /// Programs that rotate an image do not know these fields, so they keep the shape in which the camera stored it. The
  /// layouts are those of exiftool's tables for Canon, Olympus and Panasonic.
  func makerNoteSize(_ bytes: Span<UInt8>) -> StatedSize? {
    guard let make = text(.ifd0, ExifTag.make, bytes),
      let note = entries.first(where: { $0.directory == .exif && $0.tag == ExifTag.makerNote })?
        .value
    else { return nil }
    let size =
      if make.hasPrefix("Canon") {
        canonSize(note, bytes)
      } else if bytes.hasPrefix(Array("OLYMP\0".utf8), at: note.lowerBound) {
        size(note, 8, 0x102E, 0x102F, bytes)
      } else if bytes.hasPrefix(Array("Panasonic\0\0\0".utf8), at: note.lowerBound) {
        size(note, 12, 0x004B, 0x004C, bytes)
      } else {
        StatedSize?.none
      }
    // Bytes that a program moved can be anything, but hardly two sides of a photo.
    guard let size, (160...65_535).contains(size.width), (120...65_535).contains(size.height),
      size.width <= size.height * 4, size.height <= size.width * 4
    else { return nil }
    return size
  }

  private func canonSize(_ note: Range<Int>, _ bytes: Span<UInt8>) -> StatedSize? {
    for (tag, place) in [(UInt16(0x0012), 2), (0x0026, 4), (0x003C, 4)] {
      guard let field = makerNoteField(tag, note, 0, bytes), field.type == 3, field.count >= 8,
        let offset = bytes.uint32(at: field.value, order)
      else { continue }
      let start = canonBase(note, bytes) + Int64(offset)
      guard start >= note.lowerBound, start + 16 <= note.upperBound else { continue }
      let words = (0..<8).compactMap {
        bytes.uint16(at: Int(start) + 2 * $0, order).map { Int64($0) }
      }
      // AFInfo begins with the number of AF points, the others with their length in bytes.
      guard words.count == 8,
        tag == 0x0012 ? (1...81).contains(words[0]) : words[0] == 2 * field.count
      else { continue }
      return StatedSize(width: words[place], height: words[place + 1])
    }
    return nil
  }

  /// Returns the position from which offsets of Canon's MakerNote count.
  ///
  /// That is the TIFF header, as long as no program moves the MakerNote. The note ends with a TIFF header of its own, whose
  /// offset is the position for which the offsets were made.
  private func canonBase(_ note: Range<Int>, _ bytes: Span<UInt8>) -> Int64 {
    let end = note.upperBound - 8
    guard end >= note.lowerBound, bytes.uint16(at: end + 2, order) == 42,
      let made = bytes.uint32(at: end + 4, order)
    else { return Int64(range.lowerBound) }
    return Int64(note.lowerBound) - Int64(made)
  }

  /// Returns the dimensions in two fields of a MakerNote whose directory is `head` bytes after its start.
  private func size(
    _ note: Range<Int>,
    _ head: Int,
    _ width: UInt16,
    _ height: UInt16,
    _ bytes: Span<UInt8>
  ) -> StatedSize? {
    func value(_ tag: UInt16) -> Int64? {
      guard let field = makerNoteField(tag, note, head, bytes), field.count == 1 else { return nil }
      return switch field.type {
      case 3: bytes.uint16(at: field.value, order).map { Int64($0) }
      case 4: bytes.uint32(at: field.value, order).map { Int64($0) }
      default: nil
      }
    }
    guard let width = value(width), let height = value(height) else { return nil }
    return StatedSize(width: width, height: height)
  }

  /// Returns the type and count of a field of a MakerNote, and the position of its value or the value's offset.
  private func makerNoteField(
    _ tag: UInt16,
    _ note: Range<Int>,
    _ head: Int,
    _ bytes: Span<UInt8>
  ) -> (type: UInt16, count: Int64, value: Int)? {
    let start = note.lowerBound + head
    guard start + 2 <= note.upperBound, let count = bytes.uint16(at: start, order) else {
      return nil
    }
    for index in 0..<Int(count) {
      let entry = start + 2 + 12 * index
      guard entry + 12 <= note.upperBound, let found = bytes.uint16(at: entry, order) else {
        return nil
      }
      guard found == tag else { continue }
      guard let type = bytes.uint16(at: entry + 2, order),
        let count = bytes.uint32(at: entry + 4, order)
      else { return nil }
      return (type, Int64(count), entry + 8)
    }
    return nil
  }
}

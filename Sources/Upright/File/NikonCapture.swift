internal import FileBytes

/// The edits of Nikon's Capture NX in a MakerNote, whose positions count in the stored image.
///
/// The layout is that of exiftool's tables.
enum NikonCapture {
  /// Returns the place of the edits in an Exif block; nil if it has none.
  static func place(in block: TIFFBlock, _ bytes: Span<UInt8>) -> Range<Int>? {
    guard let note = block.entry(.exif, ExifTag.makerNote)?.value,
      bytes.hasPrefix("Nikon\0", at: note.lowerBound)
    else { return nil }
    // Offsets count from a TIFF header in the MakerNote.
    let start = note.lowerBound + 10
    let order: ByteOrder = bytes.hasPrefix("II", at: start) ? .little : .big
    guard let first = bytes.uint32(at: start + 4, order)?.length, first < note.count,
      let count = bytes.uint16(at: start + first, order)
    else { return nil }
    for index in 0..<min(Int(count), note.count / 12) {
      let entry = start + first + 2 + 12 * index
      guard bytes.uint16(at: entry, order) == 0x0E01 else { continue }
      guard let length = bytes.uint32(at: entry + 4, order)?.length,
        let offset = bytes.uint32(at: entry + 8, order)?.length,
        start + offset <= block.range.upperBound
      else { return nil }
      return start + offset..<min(start + offset + length, block.range.upperBound)
    }
    return nil
  }

  /// Returns whether edits rotate, mirror, crop or retouch the image.
  static func hasGeometry(_ place: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    var position = place.lowerBound + 22
    while position + 22 < place.upperBound, let tag = bytes.uint32(at: position, .little),
      let size = bytes.uint32(at: position + 18, .little)?.length, size >= 4
    {
      let value = position + 22..<position + 18 + size
      guard value.upperBound <= place.upperBound else { return false }
      position = value.upperBound
      switch tag {
      // FlipHorizontal, Rotation, StraightenAngle, RedEyeCorrection.
      case 0x76A4_3206, 0x76A4_3207, 0x2FC0_8431, 0x3CFC_73C6:
        if value.prefix(8).contains(where: { bytes[$0] != 0 }) { return true }
      case 0x3742_33E0: if crops(value, bytes) { return true }
      default: break
      }
    }
    return false
  }

  /// Returns whether CropData has an edge that is not at the corner: left and top, which are doubles.
  private static func crops(_ value: Range<Int>, _ bytes: Span<UInt8>) -> Bool {
    guard value.count >= 0x3E else { return false }
    return (value.lowerBound + 0x1E..<value.lowerBound + 0x2E).contains { bytes[$0] != 0 }
  }
}

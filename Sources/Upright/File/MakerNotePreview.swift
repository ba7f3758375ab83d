internal import JPEGCore

extension TIFFBlock {
  /// Returns the offset of a JPEG stream in the MakerNote, or in the block where a field of the MakerNote points, besides the
  /// thumbnails; nil if there is none.
  ///
  /// Each maker has its own tags for it, which exiftool's tables name PreviewImageStart or PreviewImage, and its own header
  /// before the directory. So a field of any tag counts if it has the form of a directory's entry.
  func makerNotePreview(besides thumbnails: [Range<Int>], _ bytes: Span<UInt8>) -> Int? {
    guard let note = entries(.exif, ExifTag.makerNote).first?.value else { return nil }
    let block = bytes.extracting(0..<range.upperBound)
    var position = range.lowerBound
    while let start = block.indexOfFF(from: position) {
      position = start + 1
      if let thumbnail = thumbnails.first(where: { $0.contains(start) }) {
        position = thumbnail.upperBound
      } else if block.beginsStream(at: start),
        note.contains(start) || points(note, to: start, bytes)
      {
        return start
      }
    }
    return nil
  }

  /// Returns whether a directory's entry in a MakerNote gives a place, as an offset or as that of its value.
  private func points(_ note: Range<Int>, to place: Int, _ bytes: Span<UInt8>) -> Bool {
    // Offsets count from the TIFF header, from the MakerNote or, as Nikon's, from a TIFF header in it.
    let offsets = [range.lowerBound, note.lowerBound, note.lowerBound + 10].map { place - $0 }
    return note.dropFirst(8).contains { field in
      [ByteOrder.little, .big].contains { order in
        guard let offset = bytes.uint32(at: field, order), offsets.contains(Int(clamping: offset)),
          let type = bytes.uint16(at: field - 6, order),
          let count = bytes.uint32(at: field - 4, order)
        else { return false }
        return type == 4 && count == 1 || type == 7 && count > 4
      }
    }
  }
}

extension Span<UInt8> {
  /// Returns whether SOI is at an offset, and after it a marker segment and another marker.
  fileprivate func beginsStream(at start: Int) -> Bool {
    guard uint16(at: start) == 0xFFD8, let marker = uint16(at: start + 2),
      (0xFFC0..<0xFFFF).contains(marker), !(0xFFD0...0xFFD9).contains(marker),
      let length = uint16(at: start + 4), length >= 2,
      let next = uint16(at: start + 4 + Int(length))
    else { return false }
    return (0xFFC0..<0xFFFF).contains(next)
  }
}

internal import FileBytes

extension TIFFBlock {
  /// Returns the offset of a JPEG stream in the MakerNote, or in the block where a field of the MakerNote points, besides the
  /// thumbnails; nil if there is none.
  ///
  /// Each maker has its own tags for it, which exiftool's tables name PreviewImageStart or PreviewImage, and its own header
  /// before the directory. So a field of any tag counts if it has the form of a directory's entry.
  func makerNotePreview(besides thumbnails: [Range<Int>], _ bytes: Span<UInt8>) -> Int? {
    guard let note = entry(.exif, ExifTag.makerNote)?.value else { return nil }
    let block = bytes.extracting(0..<range.upperBound)
    func isPreview(_ place: Int) -> Bool {
      block.beginsStream(at: place) && !thumbnails.contains { $0.contains(place) }
    }
    var start = note.lowerBound
    while let place = block.indexOfFF(from: start), place < note.upperBound {
      if isPreview(place) { return place }
      start = place + 1
    }
    for field in note.dropFirst(8) where block.mayBeTyped(field) {
      guard let offset = offset(in: field, block), offset < block.count else { continue }
      // Offsets count from the TIFF header, from the MakerNote or, as Nikon's, from a TIFF header in it.
      let starts = [range.lowerBound, note.lowerBound, note.lowerBound + 10]
      if let start = starts.first(where: { isPreview($0 + offset) }) { return start + offset }
    }
    return nil
  }

  /// Returns the last field of a directory's entry, as an offset or as that of its value; nil if the fields before it are not
  /// those of such an entry.
  private func offset(in field: Int, _ bytes: Span<UInt8>) -> Int? {
    for order in [ByteOrder.little, .big] {
      guard let offset = bytes.uint32(at: field, order),
        let type = bytes.uint16(at: field - 6, order),
        let count = bytes.uint32(at: field - 4, order)
      else { return nil }
      if type == 4 && count == 1 || type == 7 && count > 4 { return Int(clamping: offset) }
    }
    return nil
  }
}

extension Span<UInt8> {
  /// Returns whether the type in an entry of a directory, whose last field is at an offset, may be LONG or UNDEFINED: few bytes
  /// of a MakerNote pass this.
  fileprivate func mayBeTyped(_ field: Int) -> Bool {
    guard field < count else { return false }
    let type = self[field - 6] | self[field - 5]
    return type == 4 || type == 7
  }

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

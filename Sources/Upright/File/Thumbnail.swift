package import ImageOrientation
package import JPEGCore

/// The thumbnail of an Exif block's IFD1.
package struct Thumbnail: Sendable {
  package enum Content: Sendable {
    /// A JPEG stream; nil if its header cannot be read.
    case jpeg(Header?)
    /// Rows of pixels of three bytes.
    case pixels(PixelSize)
    case other
  }

  package let block: TIFFBlock
  package let range: Range<Int>
  package let content: Content

  /// Finds the thumbnail of a block; nil if there is none, or if it does not start in the block.
  package init?(_ block: TIFFBlock, _ bytes: Span<UInt8>) {
    self.block = block
    if let place = Self.place(of: block, bytes),
      let range = Self.range(offset: place.offset, length: place.length, in: block)
    {
      self.range = range
      let start = range.lowerBound
      let part = bytes.extracting(0..<range.upperBound)
      guard let container = try? Container(part, at: start) else {
        content = .other
        return
      }
      content = .jpeg(container.isComplete ? try? Header(container, part) : nil)
      return
    }
    guard let (range, size) = Self.pixels(block, bytes) else { return nil }
    self.range = range
    let isPlain =
      Int64(range.count) >= Int64(size.width) * Int64(size.height) * 3
      && Self.isInterleavedRGB(block, bytes)
    content = isPlain ? .pixels(size) : .other
  }

  /// Returns a note if IFD1 places the thumbnail outside of the block, or nil.
  package static func misplacement(_ block: TIFFBlock, _ bytes: Span<UInt8>) -> String? {
    guard let place = place(of: block, bytes),
      range(offset: place.offset, length: place.length, in: block) == nil
    else { return nil }
    return
      "IFD1 gives a thumbnail of \(place.length) bytes at offset \(place.offset), outside of the"
      + " Exif block; it is kept and shows the image as it was stored"
  }

  private static func place(
    of block: TIFFBlock,
    _ bytes: Span<UInt8>
  ) -> (offset: Int64, length: Int64)? {
    guard let offset = block.integer(.ifd1, ExifTag.thumbnailOffset, bytes),
      let length = block.integer(.ifd1, ExifTag.thumbnailLength, bytes),
      offset > 0, length > 0
    else { return nil }
    return (offset, length)
  }

  /// Returns the range of a thumbnail, clamped to the block: some writers give a length beyond it.
  private static func range(offset: Int64, length: Int64, in block: TIFFBlock) -> Range<Int>? {
    guard offset > 0, length > 0, offset < block.range.count else { return nil }
    let start = block.range.lowerBound + Int(offset)
    return start..<min(start + length.length, block.range.upperBound)
  }

  private static func pixels(
    _ block: TIFFBlock,
    _ bytes: Span<UInt8>
  ) -> (Range<Int>, PixelSize)? {
    guard block.integer(.ifd1, ExifTag.compression, bytes) == 1,
      let offset = block.integer(.ifd1, ExifTag.stripOffsets, bytes),
      let length = block.integer(.ifd1, ExifTag.stripByteCounts, bytes),
      let width = block.integer(.ifd1, ExifTag.imageWidth, bytes),
      let height = block.integer(.ifd1, ExifTag.imageLength, bytes),
      let range = range(offset: offset, length: length, in: block),
      (1...65_535).contains(width), (1...65_535).contains(height),
      block.entries(.ifd1, ExifTag.stripOffsets).first?.count == 1
    else { return nil }
    return (range, PixelSize(width: Int(width), height: Int(height)))
  }

  private static func isInterleavedRGB(_ block: TIFFBlock, _ bytes: Span<UInt8>) -> Bool {
    guard block.integer(.ifd1, ExifTag.photometricInterpretation, bytes) == 2,
      block.integer(.ifd1, ExifTag.samplesPerPixel, bytes) ?? 3 == 3,
      block.integer(.ifd1, ExifTag.planarConfiguration, bytes) ?? 1 == 1
    else { return false }
    return block.integer(.ifd1, ExifTag.bitsPerSample, bytes) ?? 8 == 8
  }

  package var size: PixelSize? {
    switch content {
    case .jpeg(let header): header?.frame.size
    case .pixels(let size): size
    case .other: nil
    }
  }
}

extension Header {
  /// Returns whether edits would change bytes that also belong to other fields of Exif, which do not change, or that is
  /// not known.
  func sharesBytes(_ edits: [Edit], _ thumbnails: [Thumbnail], _ bytes: Span<UInt8>) -> Bool {
    if exif.contains(where: { $0.isCut }) { return true }
    var fields: [Int: TIFFBlock.Fields] = [:]
    // The pointer to IFD1, which a crop clears, is part of the structure.
    for edit in edits where edit.field.identifier != "exif.ifd1" {
      let first = exif.partitionPoint { $0.range.upperBound > edit.range.lowerBound }
      for index in exif.indices[first...] {
        let block = exif[index].range
        guard block.overlaps(edit.range) else { break }
        let own = fields[index] ?? exif[index].fields(bytes)
        fields[index] = own
        let place = thumbnails.partitionPoint { $0.block.range.lowerBound >= block.lowerBound }
        let isOwn = place < thumbnails.count && thumbnails[place].block.range == block
        // A crop replaces all of the thumbnail.
        let isThumbnail = edit.field.identifier.hasPrefix("thumbnail")
        if own.areShared(edit.range, isValue: !isThumbnail)
          || !isThumbnail && isOwn && thumbnails[place].range.overlaps(edit.range)
        {
          return true
        }
      }
    }
    return false
  }

  /// Returns the thumbnails of the Exif blocks, at most one of each.
  func thumbnails(_ bytes: Span<UInt8>) -> [Thumbnail] {
    exif.compactMap { Thumbnail($0, bytes) }
  }
}

package import FileBytes
package import ImageOrientation
internal import JPEGCore

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
  /// Its range in the file, with the headers of segments in it.
  package let range: Range<Int>
  package let content: Content
  /// The JPEG stream that ``content`` describes, if it is not in one piece in the file: one that is divided between
  /// segments, or that ends with the block although up to four bytes are missing, which readers add.
  package let stream: [UInt8]?

  /// Finds the thumbnail of a block; nil if there is none, or if it does not start in the block.
  package init?(_ block: TIFFBlock, _ bytes: Span<UInt8>) {
    self.block = block
    if let place = Self.place(of: block, bytes),
      let range = Self.range(offset: place.offset, length: place.length, in: block)
    {
      self.range = range
      let parts = block.parts(of: range)
      let missing = place.length - Int64(parts.reduce(0) { $0 + $1.count })
      let isDivided = parts.count != 1
      let first = isDivided ? .other : Self.content(bytes, range)
      if isDivided || first.lacksEnd && (1...4).contains(missing) {
        // Decoders take bits that are missing for zeros.
        let end: [UInt8] =
          missing > 0 && missing <= 4 ? [0, 0, 0xFF, 0xD9].suffix(Int(missing)) : []
        let joined = parts.flatMap { bytes.bytes($0) } + end
        content = Self.content(joined.span, joined.indices)
        stream = joined
      } else {
        content = first
        stream = nil
      }
      return
    }
    guard let (range, size) = Self.pixels(block, bytes) else { return nil }
    self.range = range
    stream = nil
    let isPlain =
      block.parts(of: range).count == 1
      && Int64(range.count) >= Int64(size.width) * Int64(size.height) * 3
      && Self.isInterleavedRGB(block, bytes)
    content = isPlain ? .pixels(size) : .other
  }

  private static func content(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Content {
    let part = bytes.extracting(0..<range.upperBound)
    guard let container = try? Container(part, at: range.lowerBound) else { return .other }
    return .jpeg(container.isComplete ? try? Header(container, part) : nil)
  }

  /// Returns the bytes of the file, or of the ``stream``, that ``content`` describes.
  package func source(_ file: [UInt8]) -> [UInt8] { stream ?? file }

  /// Returns the edits that replace the first bytes of the thumbnail; those beyond its end are added there.
  func replacement(_ content: [UInt8], _ field: Edit.Field) -> [Edit] {
    var rest = content[...]
    let parts = block.parts(of: range)
    return parts.indices.map { index in
      let part = parts[index]
      let own = index == parts.indices.last ? rest : rest.prefix(part.count)
      rest = rest.dropFirst(own.count)
      return Edit(
        part.lowerBound..<min(part.upperBound, part.lowerBound + own.count),
        with: Array(own),
        field: field
      )
    }
  }

  /// The number of bytes of the block that it has.
  var count: Int { block.parts(of: range).reduce(0) { $0 + $1.count } }

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
    guard offset > 0, length > 0, offset < block.count else { return nil }
    let end = min(length.length, block.count - Int(offset)) + Int(offset)
    return block.place(Int(offset))..<block.place(end - 1) + 1
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
      block.entry(.ifd1, ExifTag.stripOffsets)?.count == 1
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

extension Thumbnail.Content {
  /// Whether it is a JPEG stream that is incomplete or cannot be read.
  fileprivate var lacksEnd: Bool {
    if case .jpeg(nil) = self { true } else { false }
  }
}

extension Header {
  /// Returns whether edits would change bytes that also belong to other fields of Exif, which do not change, or that is
  /// not known.
  func sharesBytes(_ edits: [Edit], _ thumbnails: [Thumbnail], _ bytes: Span<UInt8>) -> Bool {
    if exif.contains(where: { $0.isCut }) { return true }
    var fields = [TIFFBlock.Fields?](repeating: nil, count: exif.count)
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

internal import ImageOrientation
internal import JPEGCore

/// Signs that a tag is stale: that somebody turned the pixels and left Orientation behind.
///
/// Only a transposing tag leaves signs, in what describes the raster by its shape (specification, section 6).
enum ConflictEvidence {
  /// What speaks against the tag, in words; empty where nothing does.
  static func find(_ header: Header, _ bytes: Span<UInt8>) -> [String] {
    guard let turn = header.orientation.usable?.turn, turn.transposes else { return [] }
    let frame = header.frame
    guard frame.width != frame.height else { return [] }
    var evidence: [String] = []
    for block in header.exif {
      if let width = block.integer(.exif, ExifTag.pixelXDimension, bytes),
        let height = block.integer(.exif, ExifTag.pixelYDimension, bytes),
        (width, height) == (frame.height, frame.width)
      {
        evidence.append(
          "EXIF gives \(width)×\(height) pixels, the picture is stored as \(frame.width)×\(frame.height)"
        )
      }
      if let thumbnail = thumbnail(of: block, bytes), isTransposed(thumbnail, frame) {
        evidence.append(
          "the thumbnail is \(thumbnail.width)×\(thumbnail.height),"
            + " the picture is stored as \(frame.width)×\(frame.height)"
        )
      }
    }
    return evidence
  }

  /// The frame of the JPEG thumbnail of IFD1.
  private static func thumbnail(of block: TIFFBlock, _ bytes: Span<UInt8>) -> Frame? {
    guard let offset = block.integer(.ifd1, ExifTag.thumbnailOffset, bytes),
      let length = block.integer(.ifd1, ExifTag.thumbnailLength, bytes),
      offset > 0, length > 0, offset + length <= block.range.count
    else { return nil }
    let start = block.range.lowerBound + offset
    let image = bytes.extracting(0..<start + length)
    guard let container = try? Container(image, at: start, extent: .header),
      let segment = container.segments.first(where: \.marker.startsFrame)
    else { return nil }
    return try? Frame(segment, in: image)
  }

  /// Whether the thumbnail has the picture's shape lying on its side.
  ///
  /// Thumbnails may be cut or padded to another shape, so anything but a clear match says nothing.
  private static func isTransposed(_ thumbnail: Frame, _ frame: Frame) -> Bool {
    guard thumbnail.width > 0, thumbnail.height > 0, frame.width > 0, frame.height > 0 else {
      return false
    }
    let shape = Double(frame.width) / Double(frame.height)
    let other = Double(thumbnail.height) / Double(thumbnail.width)
    return abs(other / shape - 1) < 0.03 && abs(shape * shape - 1) > 0.1
  }
}

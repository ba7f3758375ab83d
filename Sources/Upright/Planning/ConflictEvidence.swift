internal import ImageOrientation
internal import JPEGCore

/// Signs that a tag is stale: that somebody turned the pixels and left Orientation behind.
///
/// Only a transposing tag leaves signs, in what describes the raster by its shape (specification, section 6).
enum ConflictEvidence {
  /// What speaks against the tag, in words; empty where nothing does.
  static func find(
    _ header: Header,
    _ thumbnails: [Thumbnail],
    _ bytes: Span<UInt8>
  ) -> [String] {
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
    }
    for thumbnail in thumbnails {
      guard case .jpeg(let header?) = thumbnail.content,
        case let thumbnail = header.frame, thumbnail.size.liesOnItsSide(against: frame.size)
      else { continue }
      evidence.append(
        "the thumbnail is \(thumbnail.width)×\(thumbnail.height),"
          + " the picture is stored as \(frame.width)×\(frame.height)"
      )
    }
    return evidence
  }
}

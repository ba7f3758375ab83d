internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

extension Thumbnail {
  func isReencoded(with transform: OrientationTransform, of image: Header) -> Bool {
    guard case .jpeg(let header?) = content, header.isDecodable else { return false }
    let own = image.transform(ofThumbnail: header.frame.size, with: transform)
    return !header.frame.isLossless(under: own)
  }

  /// Returns edits of everything that the transform of the thumbnail changes, with the old bytes.
  func extent(_ bytes: Span<UInt8>) -> [Edit] {
    [Edit(range, with: bytes.bytes(range), field: Edit.Field("thumbnail.extent"))]
      + tagEdits(PixelSize(width: 0, height: 0), bytes)
  }

  /// Returns the edits of the tags in IFD1 that describe the thumbnail.
  func tagEdits(_ size: PixelSize, _ bytes: Span<UInt8>) -> [Edit] {
    [
      (ExifTag.orientation, Orientation.up.rawValue),
      (ExifTag.imageWidth, size.width), (ExifTag.imageLength, size.height),
      // For the single strip of an uncompressed thumbnail.
      (ExifTag.rowsPerStrip, size.height),
    ].flatMap { tag, value in block.edits(.ifd1, tag, to: Int64(value), bytes) }
  }
}

extension Header {
  /// Returns edits of everything that a transform of the image changes of its thumbnails, with the old bytes.
  func extents(
    of thumbnails: [Thumbnail],
    with transform: OrientationTransform,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    thumbnails.flatMap { thumbnail -> [Edit] in
      guard let size = thumbnail.size else { return [] }
      let own = self.transform(ofThumbnail: size, with: transform)
      return own == .none ? [] : thumbnail.extent(bytes)
    }
  }
}

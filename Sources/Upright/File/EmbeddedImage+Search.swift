internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// The images and videos of an unchanged file.
extension EmbeddedImage {
  static func all(in header: Header, _ bytes: Span<UInt8>) -> [EmbeddedImage] {
    header.thumbnails(bytes).map { EmbeddedImage($0, .kept) }
      + SecondaryImage.find(header, bytes).map { EmbeddedImage($0, .kept) }
      + [video(after: header.container.end, bytes)].compactMap { $0 }
  }

  /// Returns the video of a motion photo: the end of the file, beginning with an `ftyp` box.
  static func video(after end: Int, _ bytes: Span<UInt8>) -> EmbeddedImage? {
    guard end < bytes.count,
      let type = bytes.firstOffset(of: "ftyp", in: end..<bytes.count),
      case let start = type - 4, start >= end,
      let size = bytes.uint32(at: start), (8...1024).contains(size)
    else { return nil }
    return EmbeddedImage(.video, start..<bytes.count, nil, .kept)
  }

  init(_ image: SecondaryImage, _ disposition: Disposition) {
    self.init(image.role, image.range, image.header?.frame.size, disposition)
  }

  init(_ thumbnail: Thumbnail, _ disposition: Disposition) {
    self.init(.thumbnail, thumbnail.range, thumbnail.size, disposition)
  }

  init(_ role: Role, _ range: Range<Int>, _ size: PixelSize?, _ disposition: Disposition) {
    (self.role, self.range, self.disposition) = (role, range, disposition)
    (width, height) = (size?.width, size?.height)
  }
}

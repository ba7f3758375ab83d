internal import ImageOrientation
internal import JPEGCore

/// The pictures and films of a file that stays as it is.
enum Inventory {
  /// Everything besides the primary picture, in file order.
  static func pictures(_ header: Header, _ bytes: Span<UInt8>) -> [EmbeddedPicture] {
    var pictures = thumbnails(header.thumbnails(bytes))
    for picture in SecondaryPicture.find(header, bytes) {
      pictures.append(
        EmbeddedPicture(
          role: picture.role,
          range: picture.range,
          width: picture.header?.frame.width,
          height: picture.header?.frame.height,
          fate: .kept
        )
      )
    }
    if let video = video(behind: header.container.end, bytes) { pictures.append(video) }
    return pictures
  }

  /// The thumbnails of EXIF.
  static func thumbnails(_ thumbnails: [Thumbnail]) -> [EmbeddedPicture] {
    thumbnails.map { thumbnail in
      EmbeddedPicture(
        role: .thumbnail,
        range: thumbnail.range,
        width: thumbnail.size?.width,
        height: thumbnail.size?.height,
        fate: .kept
      )
    }
  }

  /// The film of a motion photo: the last thing in the file, beginning with an `ftyp` box.
  static func video(behind end: Int, _ bytes: Span<UInt8>) -> EmbeddedPicture? {
    guard end < bytes.count,
      let type = bytes.firstOffset(of: "ftyp", in: end..<bytes.count),
      case let start = type - 4, start >= end,
      let size = bytes.uint32(at: start), (8...1024).contains(size)
    else { return nil }
    return EmbeddedPicture(
      role: .video,
      range: start..<bytes.count,
      width: nil,
      height: nil,
      fate: .kept
    )
  }
}

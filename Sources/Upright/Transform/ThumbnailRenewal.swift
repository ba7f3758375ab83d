internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// Regenerates a thumbnail from the cropped image, because the old one shows what was cut away.
struct ThumbnailRenewal {
  let thumbnail: Thumbnail
  /// The reduced cropped image, or nil if it cannot be decoded.
  let image: ReducedImage?

  /// The maximum number of pixels of a thumbnail's longer side (Exif 2.32, 4.5.5; DCF has 160×120).
  static let maxSide = 160

  /// Returns the edits that replace all bytes of the old thumbnail with the new one.
  func rewrite(_ bytes: [UInt8]) -> PhotoTransformer.Part {
    guard isApart else {
      let text = "the thumbnail overlaps other fields; it is kept and shows what was cut away"
      return PhotoTransformer.Part(thumbnail, .stale, note: Note(.thumbnailKept, text))
    }
    if let image {
      switch thumbnail.content {
      case .jpeg: if let result = renewed(image, bytes) { return result }
      case .pixels: if let result = renewedPixels(image, bytes) { return result }
      case .other: break
      }
    }
    return removed(bytes)
  }

  /// Whether the thumbnail shares no bytes with the directories and values of the block; in damaged files it may.
  private var isApart: Bool {
    thumbnail.range.lowerBound >= thumbnail.block.range.lowerBound + 8
      && thumbnail.block.entries.allSatisfy { entry in
        !thumbnail.range.overlaps(entry.offset..<entry.offset + 12)
          && !(entry.value.map { thumbnail.range.overlaps($0) } ?? false)
      }
  }

  /// Returns a JPEG thumbnail of the best quality that fits, with fill bytes before its EOI.
  private func renewed(_ image: ReducedImage, _ bytes: [UInt8]) -> PhotoTransformer.Part? {
    let room = thumbnail.count
    var small = image.reduced(maxSide: Self.maxSide)
    while true {
      for quality in stride(from: 90, through: 30, by: -15) {
        guard let stream = small.encoded(quality: quality) else { return nil }
        guard stream.count <= room else { continue }
        let fill = [UInt8](repeating: 0xFF, count: room - stream.count)
        return result(stream.dropLast(2) + fill + stream.suffix(2), small, bytes)
      }
      let maxSide = max(small.width, small.height) * 3 / 4
      guard maxSide >= 16 else { return nil }
      small = image.reduced(maxSide: maxSide)
    }
  }

  /// Returns an uncompressed thumbnail with as many pixels as fit, followed by zeros.
  private func renewedPixels(
    _ image: ReducedImage,
    _ bytes: [UInt8]
  ) -> PhotoTransformer.Part? {
    let room = thumbnail.count
    var small = image.reduced(maxSide: Self.maxSide)
    while small.pixels.count > room {
      let maxSide = max(small.width, small.height) - 1
      guard maxSide > 0 else { return nil }
      small = image.reduced(maxSide: maxSide)
    }
    let zeros = [UInt8](repeating: 0, count: room - small.pixels.count)
    let count = Int64(small.pixels.count)
    var result = result(small.pixels + zeros, small, bytes)
    result.edits += thumbnail.block.edits(.ifd1, ExifTag.stripByteCounts, to: count, bytes.span)
    return result
  }

  /// Returns the edits that unlink IFD1 and overwrite the thumbnail with zeros.
  private func removed(_ bytes: [UInt8]) -> PhotoTransformer.Part {
    let block = thumbnail.block
    var edits: [Edit] = []
    if block.hasWholeIFD0, let next = block.entries.last(where: { $0.directory == .ifd0 }) {
      let pointer = next.offset + 12..<next.offset + 16
      edits = [Edit(pointer, with: [0, 0, 0, 0], field: Edit.Field("exif.ifd1", new: "removed"))]
    }
    let zeros = [UInt8](repeating: 0, count: thumbnail.count)
    edits += thumbnail.replacement(zeros, Edit.Field("thumbnail", new: "removed"))
    return PhotoTransformer.Part(
      thumbnail,
      .removed,
      edits,
      note: Note(
        .thumbnailRemoved,
        "the thumbnail is removed because it showed what was cut away; a new one "
          + (image == nil ? "cannot be made" : "does not fit into its space")
      )
    )
  }

  private func result(
    _ content: [UInt8],
    _ small: ReducedImage,
    _ bytes: [UInt8]
  ) -> PhotoTransformer.Part {
    let size = PixelSize(width: small.width, height: small.height)
    let field = Edit.Field("thumbnail", new: "\(size.width)×\(size.height)")
    return PhotoTransformer.Part(
      thumbnail,
      .regenerated,
      thumbnail.replacement(content, field) + thumbnail.tagEdits(size, bytes.span)
    )
  }
}

extension RasterTransform {
  /// Returns a reduced rendition of the new file's image, or nil if it cannot be decoded.
  func reduced(_ bytes: [UInt8], _ edits: [Edit], maxSide: Int) -> ReducedImage? {
    let file = edits.applied(to: Array(bytes[..<container.end]))
    guard let container = try? Container(file.span, at: start) else { return nil }
    let stream = container.decodableStream(file, showsColor: true)
    return try? ReducedImage(stream, frame: transformed, maxSide: maxSide)
  }
}

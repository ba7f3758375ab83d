internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

extension FileRewriter {
  /// Transforms the thumbnails of the Exif blocks, and returns their tones, too.
  func thumbnails(_ bytes: [UInt8]) -> (Part, tones: [ToneGrid]) {
    var part = Part()
    var tones: [ToneGrid] = []
    for thumbnail in thumbnails {
      guard let segment = header.segment(of: thumbnail.block) else { continue }
      let rewrite = ThumbnailRewriter(
        thumbnail: thumbnail,
        transform: thumbnail.size.map { header.transform(ofThumbnail: $0, with: raster.transform) }
          ?? raster.transform,
        segment: segment,
        options: options
      ).rewrite(bytes)
      part.add(thumbnail, rewrite)
      if let own = rewrite.tones { tones.append(own) }
    }
    return (part, tones)
  }

  func renewedThumbnails(_ bytes: [UInt8], _ image: [Edit]) -> Part {
    guard !thumbnails.isEmpty else { return Part() }
    let small = raster.reduced(bytes, image, maxSide: ThumbnailRenewal.maxSide)
    var part = Part()
    for thumbnail in thumbnails {
      part.add(thumbnail, ThumbnailRenewal(thumbnail: thumbnail, image: small).rewrite(bytes))
    }
    return part
  }
}

extension FileRewriter.Part {
  fileprivate mutating func add(_ thumbnail: Thumbnail, _ rewrite: ThumbnailRewriter.Result) {
    edits += rewrite.edits
    if let note = rewrite.note { notes.append(note) }
    if let image = rewrite.transformed { transformed.append(image) }
    images.append(EmbeddedImage(thumbnail, rewrite.disposition))
  }
}

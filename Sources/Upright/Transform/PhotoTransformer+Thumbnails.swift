internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

extension PhotoTransformer {
  /// Transforms the thumbnails of the Exif blocks.
  func thumbnails(_ bytes: [UInt8]) -> Part {
    thumbnails.compactMap { thumbnail in
      header.segment(of: thumbnail.block).map { segment in
        ThumbnailTransformer(
          thumbnail: thumbnail,
          transform: thumbnail.size.map {
            header.transform(ofThumbnail: $0, with: raster.transform)
          } ?? raster.transform,
          segment: segment,
          options: options
        ).rewrite(bytes)
      }
    }.merged
  }

  func renewedThumbnails(_ bytes: [UInt8], _ image: [Edit]) -> Part {
    guard !thumbnails.isEmpty else { return Part() }
    let small = raster.reduced(bytes, image, maxSide: ThumbnailRenewal.maxSide)
    return thumbnails.map { ThumbnailRenewal(thumbnail: $0, image: small).rewrite(bytes) }.merged
  }
}

extension PhotoTransformer.Part {
  /// Creates the part of a thumbnail.
  init(
    _ thumbnail: Thumbnail,
    _ disposition: EmbeddedImage.Disposition,
    _ edits: [Edit] = [],
    note: Note? = nil
  ) {
    self.init(
      edits: edits,
      notes: [note].compactMap { $0 },
      images: [EmbeddedImage(thumbnail, disposition)]
    )
  }
}

internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

extension FileRewriter {
  /// Regenerates the thumbnails from the cropped image.
  ///
  /// - Returns: The edits of the thumbnails.
  func renewThumbnails(_ bytes: [UInt8], _ rewritten: [Edit], _ result: inout Result) -> [Edit] {
    guard !thumbnails.isEmpty else { return [] }
    let small = raster.reduced(bytes, rewritten, maxSide: ThumbnailRenewal.maxSide)
    var edits: [Edit] = []
    for thumbnail in thumbnails {
      let rewrite = ThumbnailRenewal(thumbnail: thumbnail, image: small).rewrite(bytes)
      edits += rewrite.edits
      if let note = rewrite.note { result.notes.append(note) }
      result.images.append(EmbeddedImage(thumbnail, rewrite.disposition))
    }
    return edits
  }

  /// Returns the edits that remove the version segments of gain maps (ISO 21496-1).
  func gainMapVersionEdits(_ bytes: Span<UInt8>) -> [Edit] {
    header.container.segments(.isoGainMap, in: bytes).map {
      Edit($0.range, with: [], field: Edit.Field("iso-gain-map", new: "removed"))
    }
  }
}

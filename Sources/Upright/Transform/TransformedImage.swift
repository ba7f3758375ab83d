internal import ImageOrientation
internal import JPEGCore

/// An image whose scans were encoded again.
struct TransformedImage {
  let raster: RasterTransform
  /// How the original was coded.
  let info: ReconstructionInfo
  /// The original coefficients that do not follow from the re-encoded ones.
  var exceptions: RedrawExceptions?
  /// The first zigzag position from which re-encoding drops the smallest coefficients to fit into the available space.
  var thinnedFrom: Int?

  /// Returns the notes on bytes of the original that belong to nothing; see ``Note``.
  func strayByteNotes(of role: EmbeddedImage.Role? = nil) -> [Note] {
    Note.strayBytes(
      raster.container,
      inScans: info.strayByteCount,
      isRewritten: true,
      of: role
    )
  }
}

internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// Compares a result with what TurboJPEG's lossless transform makes of the original, coefficient by coefficient.
///
/// Nothing of Upright's own codec has a part in it: TurboJPEG transforms the original, reads the result, and both
/// must have the same coefficients.
struct ReferenceCheck {
  let original: [UInt8]
  let result: [UInt8]
  let edits: [EditOutline]

  /// Checks an image.
  ///
  /// - Parameter raster: How the image was transformed.
  /// - Returns: Whether TurboJPEG could judge it: not a redraw, a crop, or one that it does not read.
  /// - Throws: ``UprightError`` of code `verification` if a coefficient differs.
  func judge(_ raster: RasterTransform) throws(UprightError) -> Bool {
    guard raster.isTrimmedAtMost else { return false }
    let start = edits.position(of: raster.start)
    guard let container = try? Container(result.span, at: start),
      let expected = try? LosslessTransform.digests(
        raster.container.decodableStream(original),
        transformedBy: raster.transform
      )
    else { return false }
    let found = try? LosslessTransform.digests(
      container.decodableStream(result),
      transformedBy: .none
    )
    guard found == expected else {
      throw UprightError(
        .verification,
        "the result's coefficients differ from TurboJPEG's lossless transform of the original"
      )
    }
    return true
  }
}

extension RasterTransform {
  /// Whether nothing happens to the image but a lossless transform and the trim that belongs to it.
  fileprivate var isTrimmedAtMost: Bool {
    switch partialMCUs {
    case .lossless: isWhole
    case .trim: !isCropped
    case .redraw: false
    }
  }
}

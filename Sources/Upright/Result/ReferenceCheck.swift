internal import ImageOrientation
internal import JPEGCore
internal import TurboTransform

/// Compares a result with TurboJPEG's lossless transform of the original, coefficient by coefficient.
///
/// Upright's codec is not used: TurboJPEG transforms the original and decodes the result.
struct ReferenceCheck {
  let original: [UInt8]
  let result: [UInt8]
  /// The changes, in file order.
  let changes: [Change]

  /// Throws if a coefficient differs, and returns whether TurboJPEG can check the image.
  ///
  /// It cannot check re-encoded and cropped images, nor images or results whose sampling it has no name for.
  func passes(_ raster: RasterTransform) throws(UprightError) -> Bool {
    guard raster.isTrimmedAtMost else { return false }
    let start = changes.positionInResult(of: raster.start)
    guard let container = try? Container(result.span, at: start),
      let expected = try? LosslessTransform.digests(
        raster.container.decodableStream(original),
        transformedBy: raster.transform
      )
    else { return false }
    let found: [UInt64]?
    do throws(TransformError) {
      found = try LosslessTransform.digests(
        container.decodableStream(result),
        transformedBy: .none
      )
    } catch {
      switch error {
      case .damaged: found = nil
      case .unknownSampling, .missing, .outOfMemory: return false
      }
    }
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
  /// Whether the image is only transformed losslessly, with or without trimming.
  fileprivate var isTrimmedAtMost: Bool {
    switch partialMCUs {
    case .lossless: isWhole
    case .trim: !isCropped
    case .redraw: false
    }
  }
}

internal import ImageOrientation
internal import JPEGCore

/// Conversion of crop rectangles between the upright and the stored image.
extension Planner {
  /// Returns the requested part of the stored image, snapped to MCUs unless the crop is exact.
  func window(
    _ frame: Frame,
    _ transform: OrientationTransform
  ) throws(UprightError) -> PixelRectangle {
    let size = frame.size.transformed(by: transform)
    guard let (part, snap) = request.part else { return frame.bounds }
    guard part.width > 0, part.height > 0, PixelRectangle(size).contains(part) else {
      throw UprightError(
        .outsideImage,
        "the rectangle \(part) is not within the upright image"
          + " of \(size.width)×\(size.height) pixels"
      )
    }
    let stored = transform.inverse.matrix(of: size).applied(to: part)
    if stored == frame.bounds { return stored }
    let window =
      switch snap {
      case .grow: frame.snapped(stored, for: transform, .grow)
      case .shrink: frame.snapped(stored, for: transform, .shrink)
      case .exact: stored
      }
    guard window.width > 0, window.height > 0 else {
      let stored = frame.interleavedMCU
      let mcu = transform.size(width: stored.width, height: stored.height)
      throw UprightError(
        .emptyCrop,
        "the rectangle \(part) contains no whole MCU of"
          + " \(mcu.width)×\(mcu.height) pixels to shrink to"
      )
    }
    return window
  }

  /// Returns the crop with its resulting rectangle in the upright image, or nil without a crop.
  func crop(_ raster: RasterTransform) -> Crop? {
    request.part.map { part in
      Crop(
        requested: part.rectangle,
        result: raster.transform.matrix(of: raster.frame.size).applied(to: raster.window)
      )
    }
  }
}

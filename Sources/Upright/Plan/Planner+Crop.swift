internal import ImageOrientation
internal import JPEGCore

/// Conversion of crop rectangles between the upright and the stored image.
extension Planner {
  /// Returns the requested part of the stored image, snapped to MCUs unless the crop is exact.
  func window(
    _ frame: Frame,
    _ transform: OrientationTransform
  ) throws(UprightError) -> PixelRectangle {
    guard let crop = request.crop else { return frame.bounds }
    let size = frame.size.transformed(by: transform)
    guard crop.rectangle.width > 0, crop.rectangle.height > 0,
      PixelRectangle(size).contains(crop.rectangle)
    else {
      throw UprightError(
        .outsideImage,
        "the rectangle \(crop.rectangle) is not within the upright image"
          + " of \(size.width)×\(size.height) pixels"
      )
    }
    let stored = transform.inverse.matrix(of: size).applied(to: crop.rectangle)
    if stored == frame.bounds { return stored }
    let window =
      switch crop.snap {
      case .grow: frame.snapped(stored, for: transform, .grow)
      case .shrink: frame.snapped(stored, for: transform, .shrink)
      case .exact: stored
      }
    guard window.width > 0, window.height > 0 else {
      let stored = frame.interleavedMCU
      let mcu = transform.size(width: stored.width, height: stored.height)
      throw UprightError(
        .emptyCrop,
        "the rectangle \(crop.rectangle) contains no whole MCU of"
          + " \(mcu.width)×\(mcu.height) pixels to shrink to"
      )
    }
    return window
  }

  /// Returns the crop with its resulting rectangle in the upright image, or nil without a crop.
  func crop(_ raster: RasterTransform) -> Crop? {
    guard let crop = request.crop else { return nil }
    return Crop(
      requested: crop.rectangle,
      result: raster.transform.matrix(of: raster.frame.size).applied(to: raster.window)
    )
  }
}

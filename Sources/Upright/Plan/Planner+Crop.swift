internal import ImageOrientation
internal import JPEGCore

/// Conversion of crop rectangles between the upright and the stored image.
extension Planner {
  /// Returns the requested part of the stored image, snapped to MCUs unless the crop is exact.
  ///
  /// - Throws: ``UprightError`` of code `outside-image` or `empty-crop`.
  func window(
    _ frame: Frame,
    _ transform: OrientationTransform
  ) throws(UprightError) -> PixelRectangle {
    guard let crop else { return frame.bounds }
    let size = transform.size(width: frame.width, height: frame.height)
    let upright = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    guard crop.rectangle.width > 0, crop.rectangle.height > 0, upright.contains(crop.rectangle)
    else {
      throw UprightError(
        .outsideImage,
        "the rectangle \(crop.rectangle) is not within the upright image"
          + " of \(size.width)×\(size.height) pixels"
      )
    }
    let stored = crop.rectangle.transformed(
      by: transform.inverse,
      width: size.width,
      height: size.height
    )
    if stored == frame.bounds { return stored }
    let window =
      switch crop.snap {
      case .grow: frame.snapped(stored, for: transform, .grow)
      case .shrink: frame.snapped(stored, for: transform, .shrink)
      case .exact: stored
      }
    guard window.width > 0, window.height > 0 else {
      let mcu = transform.size(
        width: frame.interleavedMCU.width,
        height: frame.interleavedMCU.height
      )
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
    guard let crop else { return nil }
    return Crop(
      requested: crop.rectangle,
      result: raster.window.transformed(
        by: raster.transform,
        width: raster.frame.width,
        height: raster.frame.height
      )
    )
  }
}

internal import ImageOrientation
internal import JPEGCore

extension SecondaryImage {
  /// What becomes of an image after the primary one when that is cropped.
  enum CropDisposition {
    /// It is cropped to this part of its stored raster, which shows the same.
    case cropped(PixelRectangle)
    /// It cannot show the same, or would show what was cut away.
    case removed(String)
    /// It is an image of its own.
    case kept
  }

  /// What becomes of the image when only a part of the primary one is kept.
  ///
  /// - Parameter primary: How the primary image is transformed.
  /// - Returns: The fate. An image that is tied to the primary's pixels is cropped where the window's edges
  ///   are edges of its own pixels, and cannot stay where they are not.
  func disposition(whenCropping primary: RasterTransform) -> CropDisposition {
    switch role {
    case .gainMap, .depthMap, .matte:
      guard let frame = header?.frame else { return .removed("it cannot be read") }
      guard let window = Self.window(of: frame, for: primary) else {
        return .removed("the rectangle does not begin and end at its pixel boundaries")
      }
      return .cropped(window)
    case .preview: return .removed("it shows what was cut away")
    case .thumbnail, .view, .video, .unknown: return .kept
    }
  }

  /// The part of a smaller rendition that shows exactly what is kept of the primary image.
  private static func window(of frame: Frame, for primary: RasterTransform) -> PixelRectangle? {
    func scaled(_ place: Int, _ size: Int, _ full: Int) -> Int? {
      place * size % full == 0 ? place * size / full : nil
    }
    let (kept, full) = (primary.window, primary.frame)
    guard let left = scaled(kept.x, frame.width, full.width),
      let right = scaled(kept.right, frame.width, full.width),
      let top = scaled(kept.y, frame.height, full.height),
      let bottom = scaled(kept.bottom, frame.height, full.height),
      left < right, top < bottom
    else { return nil }
    return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
  }
}

internal import ImageOrientation
internal import JPEGCore

extension SecondaryImage {
  enum CropDisposition {
    /// It is cropped to this part of its stored raster, which corresponds to the primary's window.
    case cropped(PixelRectangle)
    case removed(String)
    /// It is independent of the primary image and kept.
    case kept
  }

  /// Returns the disposition of the image if the primary image is cropped.
  ///
  /// An image that is aligned with the primary's pixels is cropped if the edges of the window are at its pixel
  /// boundaries, and removed otherwise.
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

  /// Returns the part of a smaller rendition that corresponds to the primary's window, or nil if its edges are not at
  /// pixel boundaries.
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

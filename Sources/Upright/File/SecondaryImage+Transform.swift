internal import ImageOrientation
internal import JPEGCore

/// How a secondary image is transformed with the primary one.
extension SecondaryImage {
  /// Why the image cannot be transformed with the primary one although it may have to be; nil if nothing is known to
  /// prevent it.
  func obstacle(beside primary: Header) -> String? {
    switch role {
    case .view where isShownTogether:
      if let damage { return damage }
      guard let header else { return Self.unreadable }
      if header.frame.size != primary.frame.size { return "its size is not that of the image" }
      return header.transform == primary.transform
        ? nil : "its Orientation is not that of the image"
    case .gainMap, .depthMap, .matte, .preview: return damage
    // The packet could tell that it is a gain map.
    case .unknown:
      return header == nil
        ? damage : header?.xmpProblem.map { "its XMP packet cannot be read: \($0)" }
    case .thumbnail, .view, .video: return nil
    }
  }

  /// Returns the transform of the image if the primary one is transformed by `transform`; nil if it is unchanged.
  func transform(with transform: OrientationTransform, of primary: Header) -> OrientationTransform?
  {
    guard let header else { return nil }
    switch role {
    case .gainMap, .depthMap, .matte:
      // Aligned with the primary's pixels; its own Orientation is ignored.
      return transform
    case .view where isShownTogether: return transform
    case .preview:
      let own: OrientationTransform
      if header.orientation.stated != nil {
        own = header.transform.then(primary.displayed(transform))
      } else {
        own = primary.transform(ofThumbnail: header.frame.size, with: transform)
      }
      return own == .none ? nil : own
    case .thumbnail, .view, .video, .unknown: return nil
    }
  }
}

extension Header {
  /// Returns the transform of a thumbnail or preview with this image.
  ///
  /// It is that of the image; if the thumbnail's shape shows that it is already upright, only the transform of the
  /// displayed image.
  func transform(
    ofThumbnail size: PixelSize,
    with transform: OrientationTransform
  ) -> OrientationTransform {
    self.transform.transposes && size.isSideways(against: frame.size)
      ? displayed(transform) : transform
  }
}

extension PixelSize {
  /// Returns whether the image has the proportions of the other with width and height swapped.
  ///
  /// Thumbnails may be cropped or padded, so only a clear match counts.
  func isSideways(against other: PixelSize) -> Bool {
    other.shape != nil && isInProportion(to: other.transposed)
  }
}

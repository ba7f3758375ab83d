/// Rotating and flipping the displayed image by changing only the tag.
extension Orientation {
  /// Returns the tag that displays the image transformed, relative to how it is displayed now.
  ///
  /// The stored raster does not change: `.right.transformed(by: .rotate90)` is `.down`.
  public func transformed(by transform: OrientationTransform) -> Orientation {
    Orientation(uprightBy: self.transform.then(transform))
  }

  /// The tag that displays the image flipped horizontally.
  ///
  /// `UIImage.withHorizontallyFlippedOrientation()` pairs `.left` with `.leftMirrored` and `.right` with
  /// `.rightMirrored`, which swaps left and right of the *stored* raster: the displayed image is flipped vertically.
  /// Here `.left` becomes `.rightMirrored`, which flips the displayed image horizontally.
  public var flippedHorizontally: Orientation { transformed(by: .flipHorizontal) }

  /// The tag that displays the image flipped vertically.
  public var flippedVertically: Orientation { transformed(by: .flipVertical) }

  /// Returns the tag that displays the image rotated clockwise by multiples of 90°, or counter-clockwise if the number
  /// is negative.
  public func rotated(clockwiseQuarters quarters: Int) -> Orientation {
    transformed(by: OrientationTransform(clockwiseQuarters: quarters))
  }

  /// The orientation whose transform undoes the transform of this one.
  ///
  /// `.right` and `.left` are the inverse of each other; every other orientation is its own inverse.
  public var inverse: Orientation { Orientation(uprightBy: transform.inverse) }

  /// Returns the single orientation that is equivalent to this one followed by `next`.
  ///
  /// It describes a raster that both transforms apply to in sequence, such as an image with a tag in a container that
  /// has a rotation.
  public func then(_ next: Orientation) -> Orientation { transformed(by: next.transform) }

  /// Whether the image is stored on its side, so width and height are swapped for display.
  public var swapsAxes: Bool { transform.transposes }

  /// Whether the stored raster is a mirror image of the displayed one.
  public var isMirrored: Bool { transform.mirrors }
}

/// Transforming what a viewer sees, without touching the stored raster: the tag alone changes.
extension Orientation {
  /// The tag that shows the image transformed, from what is seen now.
  ///
  /// The stored raster stays: `.right.transformed(by: .rotate90)` is `.down`.
  public func transformed(by transform: OrientationTransform) -> Orientation {
    Orientation(uprightBy: self.transform.then(transform))
  }

  /// The tag that shows left and right exchanged, of what is seen now.
  ///
  /// `UIImage.withHorizontallyFlippedOrientation()` pairs `.left` with `.leftMirrored` and `.right` with
  /// `.rightMirrored`, which exchanges the *stored* raster's left and right: what is seen is flipped
  /// vertically. Here `.left` gives `.rightMirrored`, which flips horizontally what is seen.
  public var flippedHorizontally: Orientation { transformed(by: .flipHorizontal) }

  /// The tag that shows top and bottom exchanged, of what is seen now.
  public var flippedVertically: Orientation { transformed(by: .flipVertical) }

  /// The tag that shows the image rotated clockwise by so many quarters, from what is seen now; a negative
  /// number rotates counter-clockwise.
  public func rotated(clockwiseQuarters quarters: Int) -> Orientation {
    transformed(by: OrientationTransform(clockwiseQuarters: quarters))
  }

  /// The orientation of a raster that this one's transform makes of an upright one.
  ///
  /// `.right` and `.left` are each other's inverse, all others their own.
  public var inverse: Orientation { Orientation(uprightBy: transform.inverse) }

  /// The one orientation that says what this one and then `next` say.
  ///
  /// That of a file whose raster was to be transformed by both, one after the other: a container that has a
  /// rotation of its own, say, and a tag within.
  public func then(_ next: Orientation) -> Orientation { transformed(by: next.transform) }

  /// Whether the image is stored on its side, so that width and height are swapped when it is shown.
  public var swapsAxes: Bool { transform.transposes }

  /// Whether the stored raster is a mirror image of what is seen.
  public var isMirrored: Bool { transform.mirrors }
}

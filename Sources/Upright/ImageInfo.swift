public import ImageOrientation
internal import JPEGCore

/// The properties of an image that its header gives.
public struct ImageInfo: Hashable, Sendable {
  /// The stored width in pixels.
  public var width: Int
  /// The stored height in pixels.
  public var height: Int
  /// How chroma is sampled, such as `4:2:0` or `grayscale`.
  public var sampling: String
  /// How the image is coded, such as `baseline` or `progressive`.
  public var coding: String
  /// The orientation that Exif gives; nil where there is none, or none that can be used.
  public var orientation: Orientation?

  /// Width and height in pixels as a viewer sees them.
  public var uprightSize: (width: Int, height: Int) {
    (orientation?.transform ?? .none).size(width: width, height: height)
  }

  /// Whether the image is stored as it is displayed.
  package var isUpright: Bool { orientation == nil || orientation == .up }

  /// Returns the transform of the displayed image that a transform of the stored raster amounts to, beyond
  /// normalizing the orientation.
  public func displayed(_ transform: OrientationTransform) -> OrientationTransform {
    (orientation?.transform ?? .none).inverse.then(transform)
  }

  init(_ frame: Frame, _ orientation: Orientation?) {
    width = frame.width
    height = frame.height
    sampling = frame.sampling
    coding = frame.process.description
    self.orientation = orientation
  }
}

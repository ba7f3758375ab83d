public import ImageOrientation
internal import JPEGCore

/// The properties of an image, as its header gives them.
public struct ImageInfo: Hashable, Sendable {
  /// The stored width in pixels.
  public var width: Int
  /// The stored height in pixels.
  public var height: Int
  /// The chroma sampling, such as `4:2:0` or `grayscale`.
  public var sampling: String
  /// The coding process, such as `baseline` or `progressive`.
  public var coding: String
  /// The orientation that the file gives, or nil if it gives none or an invalid one.
  public var orientation: Orientation?

  /// Width and height in pixels of the image as displayed.
  public var uprightSize: (width: Int, height: Int) {
    (orientation?.transform ?? .none).size(width: width, height: height)
  }

  var size: PixelSize { PixelSize(width: width, height: height) }

  /// Whether the image is stored as it is displayed.
  package var isUpright: Bool { orientation == nil || orientation == .up }

  /// Returns the transform of the displayed image that corresponds to a transform of the stored raster.
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

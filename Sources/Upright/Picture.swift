public import ImageOrientation
internal import JPEGCore

/// What the header says of a picture.
public struct Picture: Hashable, Sendable {
  /// The stored width in pixels.
  public var width: Int
  /// The stored height in pixels.
  public var height: Int
  /// How chroma is sampled, such as `4:2:0` or `grayscale`.
  public var sampling: String
  /// How the picture is coded, such as `baseline` or `progressive`.
  public var coding: String
  /// The orientation that EXIF gives; nil where there is none, or none that can be used.
  public var orientation: Orientation?

  /// Width and height in pixels as a viewer sees them.
  public var uprightSize: (width: Int, height: Int) {
    (orientation?.turn ?? .none).size(width: width, height: height)
  }

  /// What a turn of the stored raster does to what a viewer sees, beyond making it upright.
  public func seen(_ turn: Turn) -> Turn { (orientation?.turn ?? .none).inverse.then(turn) }

  init(_ frame: Frame, _ orientation: Orientation?) {
    width = frame.width
    height = frame.height
    sampling = frame.sampling
    coding = frame.process.description
    self.orientation = orientation
  }
}

public import ImageOrientation

/// The part of the displayed image that a crop keeps.
public struct Crop: Hashable, Sendable {
  /// How a rectangle that is not aligned with MCUs is handled.
  public enum Snap: String, CaseIterable, Sendable {
    /// It grows to the next MCUs, so that the crop is lossless.
    case grow
    /// It shrinks to the next MCUs, so that the crop is lossless.
    case shrink
    /// It is kept; components whose blocks it cuts at the left or the top are re-encoded.
    case exact
  }

  /// The requested rectangle, in the upright image.
  public var requested: PixelRectangle
  /// The rectangle that is kept, in the upright image.
  public var result: PixelRectangle
}

public import ImageOrientation

/// What part of an image is kept, as the viewer sees it.
public struct Crop: Hashable, Sendable {
  /// What happens to a rectangle that does not begin where a block does.
  public enum Snap: String, CaseIterable, Sendable {
    /// It grows by as much as it must, so that every coefficient in it is kept.
    case grow
    /// It shrinks by as much as it must, so that every coefficient in it is kept.
    case shrink
    /// It stays as it is; the components whose blocks it cuts at the left or the top are re-encoded.
    case exact
  }

  /// The rectangle that was asked for, in the upright image.
  public var requested: PixelRectangle
  /// The rectangle that it became.
  public var result: PixelRectangle
}

/// The wish for a part of an image, as the viewer sees it.
struct CropRequest: Hashable, Sendable {
  var rectangle: PixelRectangle
  var snap: Crop.Snap
}

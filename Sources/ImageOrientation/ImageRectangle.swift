/// The numbers of image coordinates: `Int` for pixels, `Double` for positions between them.
public typealias ImageScalar = Comparable & Hashable & Sendable & SignedNumeric

/// A position in the plane of an image.
///
/// Positions are on the edges between pixels, as in Core Graphics: the pixel in column 0 and row 0 extends from (0, 0)
/// to (1, 1).
///
/// Pixels are transformed by ``OrientationTransform/destination(column:row:columns:rows:)``.
public struct ImagePoint<Scalar: ImageScalar>: Hashable, Sendable {
  /// The distance from the left edge.
  public var x: Scalar
  /// The distance from the top edge, or from the bottom edge: see ``ImageOrigin``.
  public var y: Scalar

  /// Creates a position.
  @inlinable
  public init(x: Scalar, y: Scalar) {
    self.x = x
    self.y = y
  }
}

/// Width × height.
public struct ImageSize<Scalar: ImageScalar>: Hashable, Sendable {
  /// The extent along x.
  public var width: Scalar
  /// The extent along y.
  public var height: Scalar

  /// Creates a size.
  @inlinable
  public init(width: Scalar, height: Scalar) {
    self.width = width
    self.height = height
  }
}

/// A rectangle in the plane of an image, with sides along the axes.
public struct ImageRectangle<Scalar: ImageScalar>: Hashable, Sendable {
  /// The corner where x and y are smallest.
  public var origin: ImagePoint<Scalar>
  /// Width and height, neither negative.
  public var size: ImageSize<Scalar>

  /// Creates a rectangle from its corner and its size.
  @inlinable
  public init(origin: ImagePoint<Scalar>, size: ImageSize<Scalar>) {
    self.origin = origin
    self.size = size
  }

  /// Creates a rectangle from its corner and its size.
  @inlinable
  public init(x: Scalar, y: Scalar, width: Scalar, height: Scalar) {
    self.init(origin: ImagePoint(x: x, y: y), size: ImageSize(width: width, height: height))
  }

  /// Creates the rectangle of a whole image.
  @inlinable
  public init(_ size: ImageSize<Scalar>) { self.init(origin: ImagePoint(x: 0, y: 0), size: size) }
}

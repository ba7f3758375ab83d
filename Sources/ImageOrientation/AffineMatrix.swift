/// An affine transform of the plane, with the entries of a `CGAffineTransform`.
///
/// ```
///   x′ = a · x + c · y + tx
///   y′ = b · x + d · y + ty
/// ```
public struct AffineMatrix<Scalar: ImageScalar>: Hashable, Sendable {
  /// The factor of x in x′.
  public var a: Scalar
  /// The factor of x in y′.
  public var b: Scalar
  /// The factor of y in x′.
  public var c: Scalar
  /// The factor of y in y′.
  public var d: Scalar
  /// The translation along x.
  public var tx: Scalar
  /// The translation along y.
  public var ty: Scalar

  /// Creates a matrix from its entries.
  @inlinable
  public init(a: Scalar, b: Scalar, c: Scalar, d: Scalar, tx: Scalar, ty: Scalar) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The identity.
  @inlinable
  public static var identity: AffineMatrix { AffineMatrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Returns the transform that applies this one and then `next`.
  @inlinable
  public func then(_ next: AffineMatrix) -> AffineMatrix {
    AffineMatrix(
      a: next.a * a + next.c * b,
      b: next.b * a + next.d * b,
      c: next.a * c + next.c * d,
      d: next.b * c + next.d * d,
      tx: next.a * tx + next.c * ty + next.tx,
      ty: next.b * tx + next.d * ty + next.ty
    )
  }

  /// Returns the transformed position.
  @inlinable
  public func applied(to point: ImagePoint<Scalar>) -> ImagePoint<Scalar> {
    ImagePoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// Returns the bounding rectangle of a transformed rectangle, which is the transformed rectangle itself for
  /// rotations by 90° and mirroring.
  @inlinable
  public func applied(to rectangle: ImageRectangle<Scalar>) -> ImageRectangle<Scalar> {
    let (start, size) = (rectangle.origin, rectangle.size)
    let end = ImagePoint(x: start.x + size.width, y: start.y + size.height)
    let (first, last) = (applied(to: start), applied(to: end))
    let (second, third) = (
      applied(to: ImagePoint(x: end.x, y: start.y)), applied(to: ImagePoint(x: start.x, y: end.y))
    )
    let origin = ImagePoint(
      x: min(min(first.x, second.x), min(third.x, last.x)),
      y: min(min(first.y, second.y), min(third.y, last.y))
    )
    return ImageRectangle(
      origin: origin,
      size: ImageSize(
        width: max(max(first.x, second.x), max(third.x, last.x)) - origin.x,
        height: max(max(first.y, second.y), max(third.y, last.y)) - origin.y
      )
    )
  }

  /// Returns the size of a transformed rectangle of this size.
  @inlinable
  public func applied(to size: ImageSize<Scalar>) -> ImageSize<Scalar> {
    applied(to: ImageRectangle(size)).size
  }
}

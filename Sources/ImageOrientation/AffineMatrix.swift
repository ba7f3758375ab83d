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
  public init(a: Scalar, b: Scalar, c: Scalar, d: Scalar, tx: Scalar, ty: Scalar) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The identity.
  public static var identity: AffineMatrix { AffineMatrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// Returns the transform that applies this one and then `next`.
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
  public func applied(to point: ImagePoint<Scalar>) -> ImagePoint<Scalar> {
    ImagePoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// Returns the bounding rectangle of a transformed rectangle, which is the transformed rectangle itself for
  /// rotations by 90° and mirroring.
  public func applied(to rectangle: ImageRectangle<Scalar>) -> ImageRectangle<Scalar> {
    let (start, size) = (rectangle.origin, rectangle.size)
    let corners = [
      start, ImagePoint(x: start.x + size.width, y: start.y),
      ImagePoint(x: start.x, y: start.y + size.height),
      ImagePoint(x: start.x + size.width, y: start.y + size.height),
    ].map { applied(to: $0) }
    let (x, y) = (corners.map { $0.x }, corners.map { $0.y })
    let origin = ImagePoint(x: x.min() ?? tx, y: y.min() ?? ty)
    return ImageRectangle(
      origin: origin,
      size: ImageSize(
        width: (x.max() ?? tx) - origin.x,
        height: (y.max() ?? ty) - origin.y
      )
    )
  }

  /// Returns the size of a transformed rectangle of this size.
  public func applied(to size: ImageSize<Scalar>) -> ImageSize<Scalar> {
    applied(to: ImageRectangle(size)).size
  }
}

/// An affine transform of the plane, with the entries of a `CGAffineTransform`.
///
/// ```
///   x′ = a · x + c · y + tx
///   y′ = b · x + d · y + ty
/// ```
public struct AffineMatrix<Scalar: ImageScalar>: Hashable, Sendable {
  /// What x adds to x.
  public var a: Scalar
  /// What x adds to y.
  public var b: Scalar
  /// What y adds to x.
  public var c: Scalar
  /// What y adds to y.
  public var d: Scalar
  /// The shift along x.
  public var tx: Scalar
  /// The shift along y.
  public var ty: Scalar

  /// Makes a matrix of its entries.
  public init(a: Scalar, b: Scalar, c: Scalar, d: Scalar, tx: Scalar, ty: Scalar) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }

  /// The transform that leaves everything where it is.
  public static var identity: AffineMatrix { AffineMatrix(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }

  /// The single transform that does what this one and then `next` do.
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

  /// The position after the transform.
  public func applied(to point: ImagePoint<Scalar>) -> ImagePoint<Scalar> {
    ImagePoint(x: a * point.x + c * point.y + tx, y: b * point.x + d * point.y + ty)
  }

  /// The rectangle around a transformed rectangle, which is the transformed one for rotations by 90° and
  /// mirrorings.
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

  /// The size of a transformed rectangle of this size.
  public func applied(to size: ImageSize<Scalar>) -> ImageSize<Scalar> {
    applied(to: ImageRectangle(size)).size
  }
}

/// The position of the origin of image coordinates.
public enum ImageOrigin: CaseIterable, Sendable, Hashable {
  /// At the top left, y grows downwards: rows of pixels, UIKit, SVG, PNG.
  case topLeft
  /// At the bottom left, y grows upwards: Core Graphics, Core Image, Vision, PDF.
  case bottomLeft
}

extension OrientationTransform {
  /// Returns the transform as a matrix from positions in the image to positions in the transformed image.
  ///
  /// The origin is in the same corner of both. The matrix of the ``inverse``, for the transformed size, maps positions
  /// back.
  ///
  /// - Parameters:
  ///   - size: The size of the image before.
  ///   - origin: The corner of the origin.
  /// - Returns: The matrix.
  @inlinable
  public func matrix<Scalar>(
    of size: ImageSize<Scalar>,
    origin: ImageOrigin = .topLeft
  ) -> AffineMatrix<Scalar> {
    let transformed = self.size(of: size)
    var matrix = AffineMatrix<Scalar>.identity
    if origin == .bottomLeft { matrix = matrix.then(.mirroringY(within: size.height)) }
    if transposes { matrix = matrix.then(AffineMatrix(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)) }
    if mirrorsX { matrix = matrix.then(.mirroringX(within: transformed.width)) }
    if mirrorsY { matrix = matrix.then(.mirroringY(within: transformed.height)) }
    if origin == .bottomLeft { matrix = matrix.then(.mirroringY(within: transformed.height)) }
    return matrix
  }

  /// Returns the size of a transformed image.
  @inlinable
  public func size<Scalar>(of size: ImageSize<Scalar>) -> ImageSize<Scalar> {
    transposes ? ImageSize(width: size.height, height: size.width) : size
  }
}

extension Orientation {
  /// Returns the matrix from positions in the stored raster to positions in the displayed image.
  ///
  /// It applies to points, sizes and rectangles, such as the face regions of a camera.
  ///
  /// - Parameters:
  ///   - size: The size of the stored raster.
  ///   - origin: The corner of the origin, in both.
  /// - Returns: The matrix.
  @inlinable
  public func matrixFromStored<Scalar>(
    of size: ImageSize<Scalar>,
    origin: ImageOrigin = .topLeft
  ) -> AffineMatrix<Scalar> {
    transform.matrix(of: size, origin: origin)
  }

  /// Returns the matrix from positions in the displayed image to positions in the stored raster.
  ///
  /// - Parameters:
  ///   - size: The size of the *stored* raster.
  ///   - origin: The corner of the origin, in both.
  /// - Returns: The matrix.
  @inlinable
  public func matrixToStored<Scalar>(
    of size: ImageSize<Scalar>,
    origin: ImageOrigin = .topLeft
  ) -> AffineMatrix<Scalar> {
    transform.inverse.matrix(of: transform.size(of: size), origin: origin)
  }
}

extension AffineMatrix {
  @inlinable
  static func mirroringX(within width: Scalar) -> AffineMatrix {
    AffineMatrix(a: -1, b: 0, c: 0, d: 1, tx: width, ty: 0)
  }

  @inlinable
  static func mirroringY(within height: Scalar) -> AffineMatrix {
    AffineMatrix(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: height)
  }
}

import ImageOrientation
import Testing

private let size = ImageSize(width: 7, height: 4)

/// The square that a pixel covers.
private func square(
  _ column: Int,
  _ row: Int,
  _ size: ImageSize<Int>,
  _ origin: ImageOrigin
) -> ImageRectangle<Int> {
  ImageRectangle(
    x: column,
    y: origin == .topLeft ? row : size.height - 1 - row,
    width: 1,
    height: 1
  )
}

struct MatrixTests {
  @Test(arguments: OrientationTransform.allCases, ImageOrigin.allCases)
  func `A matrix moves each pixel's square to where the transform moves the pixel`(
    transform: OrientationTransform,
    origin: ImageOrigin
  ) {
    let (matrix, transformed) = (
      transform.matrix(of: size, origin: origin), transform.size(of: size)
    )
    for row in 0..<size.height {
      for column in 0..<size.width {
        let place = transform.destination(
          column: column,
          row: row,
          columns: size.width,
          rows: size.height
        )
        #expect(
          matrix.applied(to: square(column, row, size, origin))
            == square(place.column, place.row, transformed, origin)
        )
      }
    }
    #expect(matrix.applied(to: ImageRectangle(size)) == ImageRectangle(transformed))
    #expect(matrix.applied(to: size) == transformed)
  }

  @Test(arguments: Orientation.allCases, ImageOrigin.allCases)
  func `The matrices to and from the stored raster are inverse`(
    orientation: Orientation,
    origin: ImageOrigin
  ) {
    let size = ImageSize(width: 640.0, height: 427.5)
    let there = orientation.matrixFromStored(of: size, origin: origin)
    let back = orientation.matrixToStored(of: size, origin: origin)
    #expect(there.then(back) == .identity)
    #expect(back.then(there) == .identity)
    let point = ImagePoint(x: 12.25, y: 400.5)
    #expect(back.applied(to: there.applied(to: point)) == point)
    let face = ImageRectangle(x: 10.5, y: 20.25, width: 100.0, height: 50.5)
    #expect(back.applied(to: there.applied(to: face)) == face)
    #expect(there.applied(to: face).size == orientation.transform.size(of: face.size))
  }

  @Test(arguments: OrientationTransform.allCases, OrientationTransform.allCases)
  func `The matrix of two transforms is the product of theirs`(
    first: OrientationTransform,
    second: OrientationTransform
  ) {
    for origin in ImageOrigin.allCases {
      let product = first.matrix(of: size, origin: origin)
        .then(second.matrix(of: first.size(of: size), origin: origin))
      #expect(first.then(second).matrix(of: size, origin: origin) == product)
    }
  }

  @Test(arguments: OrientationTransform.allCases)
  func `Mirrorings have the determinant -1`(transform: OrientationTransform) {
    let matrix = transform.matrix(of: size)
    #expect(matrix.a * matrix.d - matrix.b * matrix.c == (transform.mirrors ? -1 : 1))
  }

  /// The transforms with which iOS programs draw a stored raster, origin at the bottom left; `width` and
  /// `height` are those of the upright image.
  @Test func `At the bottom left the matrices are those of fixOrientation`() {
    typealias Map = (_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> (Int, Int)
    let known: [(Orientation, Map)] = [
      (.up, { x, y, _, _ in (x, y) }),
      (.down, { x, y, width, height in (width - x, height - y) }),
      (.left, { x, y, width, _ in (width - y, x) }),
      (.right, { x, y, _, height in (y, height - x) }),
      (.upMirrored, { x, y, width, _ in (width - x, y) }),
      (.downMirrored, { x, y, _, height in (x, height - y) }),
      (.leftMirrored, { x, y, width, height in (width - y, height - x) }),
      (.rightMirrored, { x, y, _, _ in (y, x) }),
    ]
    for (orientation, map) in known {
      let upright = orientation.transform.size(of: size)
      let matrix = orientation.matrixFromStored(of: size, origin: .bottomLeft)
      for point in [(0, 0), (7, 4), (2, 1)] {
        let expected = map(point.0, point.1, upright.width, upright.height)
        #expect(
          matrix.applied(to: ImagePoint(x: point.0, y: point.1))
            == ImagePoint(x: expected.0, y: expected.1),
          "\(orientation)"
        )
      }
    }
  }
}

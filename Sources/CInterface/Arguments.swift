internal import CUpright
internal import ImageOrientation
internal import Upright

// What functions on bytes and on files read from the same arguments.

extension OrientationTransform {
  /// Creates the rotation by an angle.
  init(rotating degrees: CInt) throws(UprightError) {
    switch degrees {
    case 90: self = .rotate90
    case 180: self = .rotate180
    case 270: self = .rotate270
    default:
      throw UprightError(.argument, "the angle is \(degrees) degrees; it must be 90, 180 or 270")
    }
  }

  /// Creates the flip about an axis.
  init(flipping axis: upright_axis) throws(UprightError) {
    switch Int(axis) {
    case UPRIGHT_HORIZONTAL: self = .flipHorizontal
    case UPRIGHT_VERTICAL: self = .flipVertical
    case UPRIGHT_TRANSPOSE: self = .transpose
    case UPRIGHT_TRANSVERSE: self = .transverse
    default:
      throw UprightError(
        .argument,
        "the axis is unknown: it must be horizontal, vertical, transpose or transverse"
      )
    }
  }
}

extension PixelRectangle {
  /// Creates the rectangle of a crop.
  init(_ rectangle: upright_rectangle) throws(UprightError) {
    let range: ClosedRange<Int64> = 0...100_000_000
    guard range.contains(rectangle.x), range.contains(rectangle.y),
      range.contains(rectangle.width), range.contains(rectangle.height),
      rectangle.width > 0, rectangle.height > 0
    else { throw UprightError(.argument, "the rectangle is empty or outside of any image") }
    self.init(
      x: Int(rectangle.x),
      y: Int(rectangle.y),
      width: Int(rectangle.width),
      height: Int(rectangle.height)
    )
  }
}

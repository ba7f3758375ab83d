/// The orientation of a stored raster: the value of the Exif Orientation tag.
///
/// A camera stores the rows and columns of its sensor, and the tag states how viewers must transform them for display.
/// Cases are named as in `UIImage.Orientation`; raw values are those of Exif. The letter F as it is *stored*;
/// displayed with its orientation, each is an upright F:
///
/// ```
///   1 up      2 upMirrored  3 down   4 downMirrored  5 leftMirrored  6 right     7 rightMirrored  8 left
///   ######        ######        ##   ##              ##########      ##                  ##   ##########
///   ##                ##        ##   ##              ##  ##          ##  ##          ##  ##       ##  ##
///   ####            ####      ####   ####            ##              ##########  ##########           ##
///   ##                ##        ##   ##
///   ##                ##    ######   ######
/// ```
///
/// A viewer that ignores the tag displays the F as it is stored: that of 6 on its back, with its foot at the right.
///
/// | Exif, CGImage | Name | UIImage | Row 0 is at the | Column 0 is at the | Transform that makes the raster upright |
/// |---|---|---|---|---|---|
/// | 1 | up | 0 | top | left | nothing |
/// | 2 | upMirrored | 4 | top | right | flip horizontally |
/// | 3 | down | 1 | bottom | right | rotate 180° |
/// | 4 | downMirrored | 5 | bottom | left | flip vertically |
/// | 5 | leftMirrored | 6 | left | top | transpose |
/// | 6 | right | 3 | right | top | rotate 90° clockwise |
/// | 7 | rightMirrored | 7 | right | bottom | transverse |
/// | 8 | left | 2 | left | bottom | rotate 90° counter-clockwise |
///
/// Source: Exif 2.32, tag 0x0112; the specification, section 2.
public enum Orientation: Int, CaseIterable, Sendable, Hashable {
  /// Row 0 at the top, column 0 at the left: no transform.
  case up = 1
  /// 0th row at the top, 0th column at the right.
  case upMirrored = 2
  /// 0th row at the bottom, 0th column at the right.
  case down = 3
  /// 0th row at the bottom, 0th column at the left.
  case downMirrored = 4
  /// 0th row at the left, 0th column at the top.
  case leftMirrored = 5
  /// 0th row at the right, 0th column at the top.
  case right = 6
  /// 0th row at the right, 0th column at the bottom.
  case rightMirrored = 7
  /// 0th row at the left, 0th column at the bottom.
  case left = 8

  /// The transform of the raster that makes it upright.
  public var transform: OrientationTransform {
    switch self {
    case .up: .none
    case .upMirrored: .flipHorizontal
    case .down: .rotate180
    case .downMirrored: .flipVertical
    case .leftMirrored: .transpose
    case .right: .rotate90
    case .rightMirrored: .transverse
    case .left: .rotate270
    }
  }

  /// Creates the orientation whose raster `transform` makes upright.
  public init(uprightBy transform: OrientationTransform) {
    self =
      switch transform {
      case .none: .up
      case .flipHorizontal: .upMirrored
      case .rotate180: .down
      case .flipVertical: .downMirrored
      case .transpose: .leftMirrored
      case .rotate90: .right
      case .transverse: .rightMirrored
      case .rotate270: .left
      }
  }
}

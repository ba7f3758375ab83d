/// One of the eight transforms of a rectangle of pixels: the dihedral group of the square.
///
/// Every transform is an optional transposition (rows become columns), followed by optional mirroring of the result's
/// x axis and y axis. Rotations are clockwise as displayed.
public enum OrientationTransform: String, CaseIterable, Sendable, Hashable {
  /// The identity.
  case none
  /// Flips horizontally: swaps left and right.
  case flipHorizontal = "flip-horizontal"
  /// Rotates by 180°.
  case rotate180 = "rotate-180"
  /// Flips vertically: swaps top and bottom.
  case flipVertical = "flip-vertical"
  /// Mirrors at the diagonal from top left to bottom right.
  case transpose
  /// Rotates by 90° clockwise.
  case rotate90 = "rotate-90"
  /// Mirrors at the diagonal from top right to bottom left.
  case transverse
  /// Rotates by 90° counter-clockwise (270° clockwise).
  case rotate270 = "rotate-270"

  /// Whether rows become columns, which swaps width and height.
  public var transposes: Bool {
    switch self {
    case .transpose, .rotate90, .transverse, .rotate270: true
    case .none, .flipHorizontal, .rotate180, .flipVertical: false
    }
  }

  /// Whether the result, after the transposition, is mirrored along x.
  public var mirrorsX: Bool {
    switch self {
    case .flipHorizontal, .rotate180, .rotate90, .transverse: true
    case .none, .flipVertical, .transpose, .rotate270: false
    }
  }

  /// Whether the result, after the transposition, is mirrored along y.
  public var mirrorsY: Bool {
    switch self {
    case .flipVertical, .rotate180, .rotate270, .transverse: true
    case .none, .flipHorizontal, .transpose, .rotate90: false
    }
  }

  /// Whether the result is a mirror image.
  public var mirrors: Bool { transposes != (mirrorsX != mirrorsY) }

  /// Whether the *source's* right edge becomes the left or the top edge.
  package var movesRightEdge: Bool { transposes ? mirrorsY : mirrorsX }

  /// Whether the *source's* bottom edge becomes the left or the top edge.
  package var movesBottomEdge: Bool { transposes ? mirrorsX : mirrorsY }

  /// Creates the transform from a transposition and the mirroring of the result's axes.
  public init(transposes: Bool, mirrorsX: Bool, mirrorsY: Bool) {
    self =
      switch (transposes, mirrorsX, mirrorsY) {
      case (false, false, false): .none
      case (false, true, false): .flipHorizontal
      case (false, true, true): .rotate180
      case (false, false, true): .flipVertical
      case (true, false, false): .transpose
      case (true, true, false): .rotate90
      case (true, true, true): .transverse
      case (true, false, true): .rotate270
      }
  }

  /// Creates a rotation by multiples of 90° clockwise, or counter-clockwise if the number is negative.
  public init(clockwiseQuarters quarters: Int) {
    let rotations: [OrientationTransform] = [.none, .rotate90, .rotate180, .rotate270]
    self = rotations[quarters & 3]
  }

  /// Returns the transform that applies this one and then `next`.
  public func then(_ next: OrientationTransform) -> OrientationTransform {
    let (x, y) = next.transposes ? (mirrorsY, mirrorsX) : (mirrorsX, mirrorsY)
    return OrientationTransform(
      transposes: transposes != next.transposes,
      mirrorsX: x != next.mirrorsX,
      mirrorsY: y != next.mirrorsY
    )
  }

  /// The inverse transform.
  public var inverse: OrientationTransform {
    switch self {
    case .rotate90: .rotate270
    case .rotate270: .rotate90
    default: self
    }
  }

  /// Returns the position of a source cell in the transformed grid.
  ///
  /// A grid may be of pixels or blocks; `columns` × `rows` is the size of the *source* grid, and the origin is at the
  /// top left.
  @inlinable
  public func destination(column: Int, row: Int, columns: Int, rows: Int) -> (column: Int, row: Int)
  {
    var (x, y, width, height) = (column, row, columns, rows)
    if transposes {
      swap(&x, &y)
      swap(&width, &height)
    }
    return (mirrorsX ? width - 1 - x : x, mirrorsY ? height - 1 - y : y)
  }

  /// Returns the size of a transformed grid.
  public func size(width: Int, height: Int) -> (width: Int, height: Int) {
    transposes ? (height, width) : (width, height)
  }
}

extension OrientationTransform: CustomStringConvertible {
  /// The transform in words, such as `rotate 90° clockwise`.
  public var description: String {
    switch self {
    case .none: "leave as it is"
    case .flipHorizontal: "flip horizontally"
    case .rotate180: "rotate 180°"
    case .flipVertical: "flip vertically"
    case .transpose: "transpose"
    case .rotate90: "rotate 90° clockwise"
    case .transverse: "transverse"
    case .rotate270: "rotate 90° counter-clockwise"
    }
  }
}

/// One of the eight symmetries of a rectangle of pixels: the dihedral group of the square.
///
/// Every transform is an optional transposition (rows become columns), followed by an optional mirroring of the
/// result's x axis and of its y axis. Rotations are named clockwise, as a viewer sees them.
public enum OrientationTransform: String, CaseIterable, Sendable, Hashable {
  /// Leaves everything where it is.
  case none
  /// Mirrors left and right.
  case flipHorizontal = "flip-horizontal"
  /// Half a transform.
  case rotate180 = "rotate-180"
  /// Mirrors top and bottom.
  case flipVertical = "flip-vertical"
  /// Mirrors at the diagonal from top left to bottom right.
  case transpose
  /// A rotation by 90° clockwise.
  case rotate90 = "rotate-90"
  /// Mirrors at the diagonal from top right to bottom left.
  case transverse
  /// A rotation by 90° counter-clockwise.
  case rotate270 = "rotate-270"

  /// Whether rows become columns, so that width and height are swapped.
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

  /// Whether the result is a mirror image, so that writing cannot be read in it.
  public var mirrors: Bool { transposes != (mirrorsX != mirrorsY) }

  /// Whether the *source's* right edge is moved to the left or the top.
  public var movesRightEdge: Bool { transposes ? mirrorsY : mirrorsX }

  /// Whether the *source's* bottom edge is moved to the left or the top.
  public var movesBottomEdge: Bool { transposes ? mirrorsX : mirrorsY }

  /// The transform made of a transposition followed by mirrorings of the result's axes.
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

  /// A rotation clockwise by so many quarters; a negative number rotates counter-clockwise.
  public init(clockwiseQuarters quarters: Int) {
    let rotations: [OrientationTransform] = [.none, .rotate90, .rotate180, .rotate270]
    self = rotations[quarters & 3]
  }

  /// The single transform that does what this one and then `next` do.
  public func then(_ next: OrientationTransform) -> OrientationTransform {
    let (x, y) = next.transposes ? (mirrorsY, mirrorsX) : (mirrorsX, mirrorsY)
    return OrientationTransform(
      transposes: transposes != next.transposes,
      mirrorsX: x != next.mirrorsX,
      mirrorsY: y != next.mirrorsY
    )
  }

  /// The transform that takes this one back.
  public var inverse: OrientationTransform {
    switch self {
    case .rotate90: .rotate270
    case .rotate270: .rotate90
    default: self
    }
  }

  /// The position after the transform.
  ///
  /// Works on any grid, pixels or blocks: `columns` × `rows` is the size of the *source* grid, and the origin
  /// is its top left.
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

  /// The size of a transformed grid.
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

/// A side of an image as it is displayed.
public enum Side: String, CaseIterable, Sendable, Hashable {
  /// The top.
  case top
  /// The bottom.
  case bottom
  /// The left.
  case left
  /// The right.
  case right
}

/// The tag in the terms of Exif: the sides of the displayed image where the first row and the first column are.
extension Orientation {
  /// The side of the displayed image where the first stored row is.
  public var firstRow: Side {
    if transform.transposes { return transform.mirrorsX ? .right : .left }
    return transform.mirrorsY ? .bottom : .top
  }

  /// The side of the displayed image where the first stored column is.
  public var firstColumn: Side {
    if transform.transposes { return transform.mirrorsY ? .bottom : .top }
    return transform.mirrorsX ? .right : .left
  }

  /// Creates the orientation with these sides; nil if both are the same side or opposite sides.
  public init?(firstRow: Side, firstColumn: Side) {
    let match = Self.allCases.first {
      $0.firstRow == firstRow && $0.firstColumn == firstColumn
    }
    guard let match else { return nil }
    self = match
  }
}

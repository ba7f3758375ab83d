internal import ImageOrientation
internal import JPEGCore

/// Where places of the stored raster come to lie in the turned one.
///
/// Coordinates are continuous, in pixels or as shares of width and height, with the origin at the top left.
struct RegionGeometry {
  let turn: Turn
  let old: Size
  /// The size of the turned picture, which may have been trimmed.
  let new: Size

  /// A point in pixels.
  func point(x: Double, y: Double) -> (x: Double, y: Double) {
    let (column, row) = turn.transposes ? (y, x) : (x, y)
    // A trimmed picture is cut at the edges that come to lie at the left and the top.
    return (
      turn.mirrorsX ? Double(new.width) - column : column,
      turn.mirrorsY ? Double(new.height) - row : row
    )
  }

  /// A point given by shares of width and height.
  func share(x: Double, y: Double) -> (x: Double, y: Double) {
    let place = point(x: x * Double(old.width), y: y * Double(old.height))
    return (place.x / Double(new.width), place.y / Double(new.height))
  }

  /// An extent given by shares of width and height.
  func extent(width: Double, height: Double) -> (width: Double, height: Double) {
    let pixels = turn.size(
      width: width * Double(old.width),
      height: height * Double(old.height)
    )
    return (pixels.width / Double(new.width), pixels.height / Double(new.height))
  }
}

extension Turn {
  /// The extents of a turned rectangle.
  fileprivate func size(width: Double, height: Double) -> (width: Double, height: Double) {
    transposes ? (height, width) : (width, height)
  }
}

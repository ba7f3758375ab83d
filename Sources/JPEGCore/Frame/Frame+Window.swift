package import ImageOrientation

/// The part of an image that a transform keeps: a window in its stored pixels.
extension Frame {
  /// The image's dimensions.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The window that holds everything.
  package var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

  /// The frame of the image in a window.
  package func cropped(to window: PixelRectangle) -> Frame {
    var result = self
    (result.width, result.height) = (window.width, window.height)
    return result
  }

  /// Which way the edges of a window move that must be whole MCUs.
  package enum Snap: Sendable {
    /// Outwards.
    case grow
    /// Inwards.
    case shrink
  }

  /// The window whose edges are whole MCUs where `transform` moves them to the left or the top.
  ///
  /// The others may be anywhere, for JPEG allows partial MCUs at the right and the bottom.
  ///
  /// - Parameters:
  ///   - window: A window within the image.
  ///   - transform: How the image is transformed.
  ///   - snap: Which way the edges move.
  /// - Returns: The window; where it grew to an edge of the image that is no whole MCU, it ends there, and
  ///   where it shrank to nothing, it is empty.
  package func snapped(
    _ window: PixelRectangle,
    for transform: OrientationTransform,
    _ snap: Snap
  ) -> PixelRectangle {
    func snapped(
      _ start: Int,
      _ end: Int,
      _ limit: Int,
      _ unit: Int,
      _ movesEnd: Bool
    ) -> Range<Int> {
      let growing = snap == .grow
      if movesEnd {
        let place = growing ? min(end.dividedUp(by: unit) * unit, limit) : end / unit * unit
        return min(start, place)..<place
      }
      let place = growing ? start / unit * unit : start.dividedUp(by: unit) * unit
      return place..<max(end, place)
    }
    let mcu = interleavedMCU
    let columns = snapped(window.x, window.right, width, mcu.width, transform.movesRightEdge)
    let rows = snapped(window.y, window.bottom, height, mcu.height, transform.movesBottomEdge)
    return PixelRectangle(
      x: columns.lowerBound,
      y: rows.lowerBound,
      width: columns.count,
      height: rows.count
    )
  }

  /// Whether the edges of a window that `transform` moves to the left or the top are whole MCUs, so that it is
  /// exact (specification, section 3).
  package func isLossless(_ window: PixelRectangle, under transform: OrientationTransform) -> Bool {
    snapped(window, for: transform, .shrink) == window
  }

  /// The smallest window of whole MCUs around another one, with one MCU more at each side, as far as the
  /// image goes.
  package func surroundings(of window: PixelRectangle) -> PixelRectangle {
    func around(_ start: Int, _ end: Int, _ limit: Int, _ unit: Int) -> Range<Int> {
      max((start / unit - 1) * unit, 0)..<min((end.dividedUp(by: unit) + 1) * unit, limit)
    }
    let mcu = interleavedMCU
    let columns = around(window.x, window.right, width, mcu.width)
    let rows = around(window.y, window.bottom, height, mcu.height)
    return PixelRectangle(
      x: columns.lowerBound,
      y: rows.lowerBound,
      width: columns.count,
      height: rows.count
    )
  }

  /// The blocks of a component in a window.
  ///
  /// - Parameters:
  ///   - component: The component's index.
  ///   - window: A window that is lossless under `transform`.
  ///   - transform: How the image is transformed.
  /// - Returns: The columns and rows; partial blocks are at the right and the bottom of the transformed image.
  package func blocks(
    of component: Int,
    in window: PixelRectangle,
    for transform: OrientationTransform
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    let size = cropped(to: window).blocks(of: component)
    func place(_ edge: PixelRectangle) -> (columns: Int, rows: Int) {
      cropped(to: edge).blocks(of: component)
    }
    let start = place(PixelRectangle(x: 0, y: 0, width: window.x, height: window.y))
    let end = place(PixelRectangle(x: 0, y: 0, width: window.right, height: window.bottom))
    let column = transform.movesRightEdge ? end.columns - size.columns : start.columns
    let row = transform.movesBottomEdge ? end.rows - size.rows : start.rows
    return (column..<column + size.columns, row..<row + size.rows)
  }
}

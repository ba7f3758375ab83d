package import ImageOrientation

/// Windows: rectangles of the stored image that a transform keeps.
extension Frame {
  /// The image's dimensions.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The window of the whole image.
  package var bounds: PixelRectangle { PixelRectangle(x: 0, y: 0, width: width, height: height) }

  /// Returns the frame of the image within a window.
  package func cropped(to window: PixelRectangle) -> Frame {
    var result = self
    (result.width, result.height) = (window.width, window.height)
    return result
  }

  /// The direction in which window edges move to the next MCU.
  package enum Snap: Sendable {
    /// Outwards.
    case grow
    /// Inwards.
    case shrink
  }

  /// Returns a window whose edges are at whole MCUs if `transform` moves them to the left or the top.
  ///
  /// The other edges may be anywhere, because JPEG allows partial MCUs at the right and the bottom.
  ///
  /// - Returns: The window. It ends at the image's edge if it grew to one that is not at a whole MCU, and is empty if
  ///   it shrank to nothing.
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

  /// Returns whether the edges of the image, or of a window, that `transform` moves to the left or the top are at whole
  /// MCUs, which makes the transform lossless (specification, section 3).
  package func isLossless(
    _ window: PixelRectangle? = nil,
    under transform: OrientationTransform
  ) -> Bool {
    snapped(window ?? bounds, for: transform, .shrink) == window ?? bounds
  }

  /// Returns the smallest window of whole MCUs around another window, with one more MCU on each side, within the
  /// image.
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

  /// Returns the blocks of a component in a window.
  ///
  /// - Returns: The columns and rows. Partial blocks are at the right and the bottom of the transformed image.
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

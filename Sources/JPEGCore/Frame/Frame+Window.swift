package import ImageOrientation

/// Windows: rectangles of the stored image that a transform keeps.
extension Frame {
  /// The image's dimensions.
  package var size: PixelSize { PixelSize(width: width, height: height) }

  /// The window of the whole image.
  package var bounds: PixelRectangle { PixelRectangle(size) }

  /// Returns the frame of the image within a window.
  package func cropped(to window: PixelRectangle) -> Frame {
    var result = self
    (result.width, result.height) = (window.width, window.height)
    return result
  }

  /// The direction in which window edges move to the next MCU.
  package enum Snap: Sendable {
    case grow
    case shrink
  }

  /// Returns a window whose edges are at whole MCUs if `transform` moves them to the left or the top.
  ///
  /// The other edges may be anywhere, because JPEG allows partial MCUs at the right and the bottom. The result ends at
  /// the image's edge if it grew to one that is not at a whole MCU, and is empty if it shrank to nothing.
  package func snapped(
    _ window: PixelRectangle,
    for transform: OrientationTransform,
    _ snap: Snap
  ) -> PixelRectangle {
    func snapped(_ start: Int, _ end: Int, _ limit: Int, _ unit: Int, movesEnd: Bool) -> Range<Int>
    {
      let edge = movesEnd ? end : start
      let isRoundedUp = (snap == .grow) == movesEnd
      let place = min(
        isRoundedUp ? edge.dividedUp(by: unit) * unit : edge / unit * unit,
        movesEnd ? limit : .max
      )
      return movesEnd ? min(start, place)..<place : place..<max(end, place)
    }
    let mcu = interleavedMCU
    return PixelRectangle(
      columns: snapped(
        window.x,
        window.right,
        width,
        mcu.width,
        movesEnd: transform.movesRightEdge
      ),
      rows: snapped(
        window.y,
        window.bottom,
        height,
        mcu.height,
        movesEnd: transform.movesBottomEdge
      )
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
    return PixelRectangle(
      columns: around(window.x, window.right, width, mcu.width),
      rows: around(window.y, window.bottom, height, mcu.height)
    )
  }

  /// Returns the columns and rows of a component's blocks in a window; partial blocks are at the right and the bottom of
  /// the transformed image.
  package func blocks(
    of component: Int,
    in window: PixelRectangle,
    for transform: OrientationTransform
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    func blocks(_ width: Int, _ height: Int) -> (columns: Int, rows: Int) {
      cropped(to: PixelRectangle(x: 0, y: 0, width: width, height: height)).blocks(of: component)
    }
    let size = blocks(window.width, window.height)
    let (start, end) = (blocks(window.x, window.y), blocks(window.right, window.bottom))
    let column = transform.movesRightEdge ? end.columns - size.columns : start.columns
    let row = transform.movesBottomEdge ? end.rows - size.rows : start.rows
    return (column..<column + size.columns, row..<row + size.rows)
  }
}

extension PixelRectangle {
  fileprivate init(columns: Range<Int>, rows: Range<Int>) {
    self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

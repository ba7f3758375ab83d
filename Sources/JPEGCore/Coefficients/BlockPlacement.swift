package import ImageOrientation

/// The requested blocks of an image, and their places after a transform.
package struct BlockPlacement: Sendable {
  /// The blocks of one component.
  private struct Part {
    var columns: Range<Int>
    var rows: Range<Int>
    /// Where the first of them goes, and by how much that grows with each column and with each row.
    var first = 0
    var columnStep = 0
    var rowStep = 0
  }

  /// The components' places in the transformed image.
  package let planes: [CoefficientImage.Plane]
  private let parts: [Part]

  /// - Parameters:
  ///   - frame: The frame of the stored image.
  ///   - window: The requested part of the image, block-aligned under `transform`.
  ///   - transform: How to transform it.
  package init(_ frame: Frame, in window: PixelRectangle, transform: OrientationTransform) {
    let planes = CoefficientImage.planes(of: frame.cropped(to: window).transformed(by: transform))
    self.planes = planes
    parts = planes.enumerated().map { component, plane in
      let (columns, rows) = frame.blocks(of: component, in: window, for: transform)
      func target(_ column: Int, _ row: Int) -> Int {
        let place = transform.destination(
          column: column,
          row: row,
          columns: columns.count,
          rows: rows.count
        )
        return plane.firstBlock + place.row * plane.columns + place.column
      }
      var part = Part(columns: columns, rows: rows)
      part.first = target(0, 0)
      part.columnStep = target(1, 0) - part.first
      part.rowStep = target(0, 1) - part.first
      return part
    }
  }

  /// The number of requested blocks.
  package var count: Int { parts.reduce(0) { $0 + $1.columns.count * $1.rows.count } }

  /// The columns and rows of a component's blocks that are requested.
  package func requested(_ component: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    (parts[component].columns, parts[component].rows)
  }

  /// By how much the index of the transformed block grows with each column of a component.
  package func step(_ component: Int) -> Int { parts[component].columnStep }

  /// Some blocks of a component side by side, counted from 0, and where they go.
  struct Row {
    /// Which of them are requested.
    var requested: Range<Int>
    /// The index of the first one in the transformed image, if it is requested, and by how much it grows.
    var first: Int
    var step: Int

    /// The index of a requested block.
    @inline(__always)
    func place(_ number: Int) -> Int { first &+ number &* step }
  }

  /// Finds out where every so many blocks of a row go.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - row: The row of blocks.
  ///   - column: The column of the first block.
  ///   - stride: The distance to the next one, in columns.
  /// - Returns: The requested ones and their places.
  func row(_ component: Int, row: Int, from column: Int, by stride: Int) -> Row {
    let part = parts[component]
    let lower = max(0, part.columns.lowerBound - column).dividedUp(by: stride)
    let upper = max(0, part.columns.upperBound - column).dividedUp(by: stride)
    return Row(
      requested: part.rows.contains(row) ? lower..<max(lower, upper) : 0..<0,
      first: part.first + (column - part.columns.lowerBound) * part.columnStep
        + (row - part.rows.lowerBound) * part.rowStep,
      step: stride * part.columnStep
    )
  }

  /// The index of the transformed block; nil if the block is not requested.
  @inline(__always)
  package func place(_ component: Int, column: Int, row: Int) -> Int? {
    let part = parts[component]
    let (column, row) = (column &- part.columns.lowerBound, row &- part.rows.lowerBound)
    guard column >= 0, column < part.columns.count, row >= 0, row < part.rows.count else {
      return nil
    }
    return part.first &+ column &* part.columnStep &+ row &* part.rowStep
  }
}

package import ImageOrientation

/// Which blocks of a picture are wanted, and where a turn takes them.
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

  /// The components' places in the turned picture.
  package let planes: [CoefficientImage.Plane]
  private let parts: [Part]

  /// - Parameters:
  ///   - frame: The frame of the stored picture.
  ///   - window: The part of the picture that is wanted, exact under `turn`.
  ///   - turn: How to turn it.
  package init(_ frame: Frame, in window: PixelRectangle, turn: Turn) {
    let planes = CoefficientImage.planes(of: frame.cropped(to: window).turned(by: turn))
    self.planes = planes
    parts = planes.enumerated().map { component, plane in
      let (columns, rows) = frame.blocks(of: component, in: window, for: turn)
      func target(_ column: Int, _ row: Int) -> Int {
        let place = turn.destination(
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

  /// How many blocks are wanted.
  package var count: Int { parts.reduce(0) { $0 + $1.columns.count * $1.rows.count } }

  /// The columns and rows of a component's blocks that are wanted.
  package func wanted(_ component: Int) -> (columns: Range<Int>, rows: Range<Int>) {
    (parts[component].columns, parts[component].rows)
  }

  /// By how much the index of the turned block grows with each column of a component.
  package func step(_ component: Int) -> Int { parts[component].columnStep }

  /// The index of the turned block; nil where the block is not wanted.
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

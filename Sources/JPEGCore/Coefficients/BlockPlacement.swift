package import ImageOrientation

/// The requested blocks of an image, and the index of each in the transformed image.
///
/// In each component the index is linear in the block's column and row. Rotating 3×2 blocks by 90° clockwise, as an
/// example, gives 2×3 blocks:
///
/// ```text
///   stored      transformed    index in the transformed component
///   a b c          d a         a 1  b 3  c 5
///   d e f          e b         d 0  e 2  f 4
///                  f c         = 1 + 2 · column - 1 · row
/// ```
package struct BlockPlacement: Sendable {
  private struct Part {
    var columns: Range<Int>
    var rows: Range<Int>
    /// The index of the first block, and the increments for each column and each row.
    var first = 0
    var columnStep = 0
    var rowStep = 0
  }

  /// The components' places in the transformed image.
  package let planes: [CoefficientImage.Plane]
  let transform: OrientationTransform
  private let parts: [Part]

  /// The transform of the window must be lossless.
  package init(_ frame: Frame, in window: PixelRectangle, transform: OrientationTransform) {
    let planes = CoefficientImage.planes(of: frame.cropped(to: window).transformed(by: transform))
    self.planes = planes
    self.transform = transform
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

  /// The number of blocks in the transformed image.
  var count: Int { planes.reduce(0) { $0 + $1.columns * $1.rows } }

  /// Blocks of a row of a component at a constant distance, counted from 0, and their places.
  struct Row {
    var requested: Range<Int>
    /// The index of block 0 in the transformed image, if it is requested, and the increment for each block.
    var first: Int
    var step: Int

    @inline(__always)
    func place(_ number: Int) -> Int { first &+ number &* step }
  }

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
}

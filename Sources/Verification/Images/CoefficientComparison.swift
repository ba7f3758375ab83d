internal import ImageOrientation
internal import JPEGCore

/// Compares the coefficients of two images under a transform.
///
/// The comparison shares no code with the transform of images, to find its errors. It follows from the definition of
/// the DCT: transposing swaps horizontal and vertical frequencies, mirroring an axis negates its odd frequencies.
struct CoefficientComparison {
  let old: SparseImage
  let new: SparseImage
  let transform: OrientationTransform
  /// The zigzag position in the result for each zigzag position of the original.
  private let position: [Int]
  /// Whether the sign changes, for each zigzag position of the original.
  private let changesSign: [Bool]

  init(_ old: SparseImage, _ new: SparseImage, transform: OrientationTransform) {
    self.old = old
    self.new = new
    self.transform = transform
    let targets = Zigzag.natural.map { place -> (row: Int, column: Int) in
      transform.transposes ? (place % 8, place / 8) : (place / 8, place % 8)
    }
    position = targets.map { Zigzag.position[$0.row * 8 + $0.column] }
    changesSign = targets.map {
      (transform.mirrorsX && $0.column % 2 == 1) != (transform.mirrorsY && $0.row % 2 == 1)
    }
  }

  /// Returns whether every coefficient of a component is equal under the transform.
  func isLossless(_ component: Int, within kept: Frame) -> Bool {
    let (source, target) = (old.planes[component], new.planes[component])
    let (columns, rows) = kept.blocks(of: component)
    let transformed = transform.size(width: columns, height: rows)
    guard columns <= source.columns, rows <= source.rows, transformed.width <= target.columns,
      transformed.height <= target.rows
    else { return false }
    for row in 0..<rows {
      for column in 0..<columns {
        let place = transform.destination(column: column, row: row, columns: columns, rows: rows)
        guard
          isEqual(
            source.firstBlock + row * source.columns + column,
            target.firstBlock + place.row * target.columns + place.column
          )
        else { return false }
      }
    }
    return true
  }

  private func isEqual(_ block: Int, _ other: Int) -> Bool {
    var (left, values) = old.coefficients(of: block)
    let (mask, found) = new.coefficients(of: other)
    guard left.nonzeroBitCount == mask.nonzeroBitCount else { return false }
    while left != 0 {
      let zigzag = left.trailingZeroBitCount
      left &= left - 1
      let value = changesSign[zigzag] ? 0 &- values[zigzag] : values[zigzag]
      guard found[position[zigzag]] == value else { return false }
    }
    return true
  }
}

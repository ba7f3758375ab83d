package import ImageOrientation

/// The tones of an image in 16 × 16 cells: the mean of the DC coefficients of the first component in each.
///
/// Two renditions of one scene have similar grids, whatever their sizes and quantization, so grids show how a
/// thumbnail is oriented relative to its image.
package struct ToneGrid: Sendable {
  static let side = 16
  /// The minimum number of blocks in each direction; fewer show too little.
  private static let minBlocks = 6

  /// The cells, row by row, with mean 0 and the sum of squares 1; all 0 if the image has only one tone.
  private let cells: [Float]

  init?(_ plane: CoefficientImage.Plane, dc: (Int) -> Int16) {
    guard min(plane.columns, plane.rows) >= Self.minBlocks else { return nil }
    var bands: [Float] = []
    bands.reserveCapacity(plane.rows * Self.side)
    for row in 0..<plane.rows {
      let first = plane.firstBlock + row * plane.columns
      Self.appendShares(of: plane.columns, to: &bands) { Float(dc(first + $0)) }
    }
    var transposed: [Float] = []
    for column in 0..<Self.side {
      Self.appendShares(of: plane.rows, to: &transposed) { bands[$0 * Self.side + column] }
    }
    let mean = transposed.reduce(0, +) / Float(transposed.count)
    var cells = transposed.indices.map {
      transposed[$0 % Self.side * Self.side + $0 / Self.side] - mean
    }
    let norm = cells.reduce(0) { $0 + $1 * $1 }.squareRoot()
    for index in cells.indices { cells[index] = norm > 0 ? cells[index] / norm : 0 }
    self.cells = cells
  }

  /// Appends the means of ``side`` equal shares of `count` values.
  @inline(__always)
  private static func appendShares(of count: Int, to shares: inout [Float], value: (Int) -> Float) {
    // In units of 1/side of a value, every value has `side` units and every share `count`.
    var sum: Float = 0
    var unitsLeft = count
    for index in 0..<count {
      let value = value(index)
      var units = side
      while units >= unitsLeft {
        shares.append((sum + value * Float(unitsLeft)) / Float(count))
        units -= unitsLeft
        sum = 0
        unitsLeft = count
      }
      sum += value * Float(units)
      unitsLeft -= units
    }
  }

  /// Returns the correlation with another grid that is transformed, from -1 to 1.
  package func correlation(with other: ToneGrid, _ transform: OrientationTransform) -> Float {
    var sum: Float = 0
    for row in 0..<Self.side {
      for column in 0..<Self.side {
        let place = transform.destination(
          column: column,
          row: row,
          columns: Self.side,
          rows: Self.side
        )
        sum += other.cells[row * Self.side + column] * cells[place.row * Self.side + place.column]
      }
    }
    return sum
  }
}

extension SparseImage {
  /// The tones of the image, or nil if it is too small.
  package var tones: ToneGrid? { ToneGrid(planes[0]) { blocks[$0].dc } }
}

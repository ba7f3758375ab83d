/// The quantized DCT coefficients of an image.
///
/// The blocks of each component are stored row by row, 64 coefficients each in zigzag order.
///
/// Padding blocks, which are beyond the image's edge and exist only in the entropy-coded data, are not included. A bit
/// mask for each block marks the nonzero coefficients, and coders visit only those.
package struct CoefficientImage: Sendable {
  /// A component's place in the image.
  package struct Plane: Hashable, Sendable {
    /// Blocks per row.
    package var columns: Int
    /// Block rows.
    package var rows: Int
    /// The index of the first block.
    package var firstBlock: Int

    package init(columns: Int, rows: Int, firstBlock: Int) {
      self.columns = columns
      self.rows = rows
      self.firstBlock = firstBlock
    }
  }

  package var planes: [Plane]
  /// Blocks × 64 coefficients.
  package var coefficients: [Int16]
  /// One mask for each block: bit k is set if coefficient k, in zigzag order, is not zero.
  package var masks: [UInt64]

  package init(planes: [Plane], coefficients: [Int16], masks: [UInt64]) {
    self.planes = planes
    self.coefficients = coefficients
    self.masks = masks
  }

  /// Returns the mask of a block's 64 coefficients.
  package static func mask(_ block: [Int16]) -> UInt64 {
    block.indices.reduce(0) { block[$1] == 0 ? $0 : $0 | 1 << UInt64($1) }
  }

  /// Returns the planes of a frame, one after the other.
  package static func planes(of frame: Frame) -> [Plane] {
    var firstBlock = 0
    return frame.components.indices.map { index in
      let (columns, rows) = frame.blocks(of: index)
      defer { firstBlock += columns * rows }
      return Plane(columns: columns, rows: rows, firstBlock: firstBlock)
    }
  }
}

/// The quantized DCT coefficients of a picture.
///
/// The blocks of each component stand row by row, 64 coefficients each in zigzag order; padding blocks, which
/// lie beyond the picture and exist only in the entropy-coded data, are not part of it. One bit mask a block
/// says which coefficients are not zero, so that the coder never looks at the others.
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
  /// One mask a block: bit k is set when coefficient k, in zigzag order, is not zero.
  package var masks: [UInt64]

  package init(planes: [Plane], coefficients: [Int16], masks: [UInt64]) {
    self.planes = planes
    self.coefficients = coefficients
    self.masks = masks
  }

  /// A copy without the coefficients of ±1 from a zigzag position on.
  ///
  /// - Parameters:
  ///   - position: The first zigzag position that is thinned out, at least 1.
  ///   - components: The components that this is done to.
  /// - Returns: The copy.
  package func withoutFaintDetail(from position: Int, components: [Int]) -> CoefficientImage {
    var result = self
    for component in components {
      let plane = planes[component]
      for block in plane.firstBlock..<plane.firstBlock + plane.columns * plane.rows {
        var fine = masks[block] & UInt64.max << UInt64(position)
        while fine != 0 {
          let index = fine.trailingZeroBitCount
          fine &= fine - 1
          guard abs(coefficients[block * 64 + index]) == 1 else { continue }
          result.coefficients[block * 64 + index] = 0
          result.masks[block] &= ~(1 << UInt64(index))
        }
      }
    }
    return result
  }

  /// Whether a block of a component is one that no samples of eight bits give.
  ///
  /// Such samples make blocks of a length of at most 1,024 (T.81, A.3.3), which quantization can hardly double;
  /// decoders show longer ones, of damaged data, as black and white.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - table: Its quantization table, 64 steps in zigzag order.
  /// - Returns: Whether there is one.
  package func isOutOfRange(_ component: Int, _ table: [UInt16]) -> Bool {
    let plane = planes[component]
    for block in plane.firstBlock..<plane.firstBlock + plane.columns * plane.rows {
      var left = masks[block]
      var energy = 0
      while left != 0 {
        let index = left.trailingZeroBitCount
        left &= left - 1
        let value = Int(coefficients[block * 64 + index]) * Int(table[index])
        energy += value * value
      }
      if energy > 2_000 * 2_000 { return true }
    }
    return false
  }

  /// The mask of a block's 64 coefficients.
  package static func mask(_ block: [Int16]) -> UInt64 {
    block.indices.reduce(0) { block[$1] == 0 ? $0 : $0 | 1 << UInt64($1) }
  }

  /// The planes of a frame, one behind the other.
  package static func planes(of frame: Frame) -> [Plane] {
    var firstBlock = 0
    return frame.components.indices.map { index in
      let (columns, rows) = frame.blocks(of: index)
      defer { firstBlock += columns * rows }
      return Plane(columns: columns, rows: rows, firstBlock: firstBlock)
    }
  }
}

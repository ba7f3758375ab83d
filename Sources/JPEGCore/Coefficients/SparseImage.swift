/// The nonzero coefficients of an image.
///
/// Four of five coefficients of a photo are zero, and nearly all others fit into a byte; this form takes a
/// quarter of the memory of a ``CoefficientImage``. The values of a block follow each other in zigzag order, those of
/// different blocks are in any order: a transform permutes ``blocks``, not ``values``.
package struct SparseImage: Sendable {
  /// One block: its DC coefficient, and the position of its AC coefficients.
  ///
  /// ```text
  ///         63            16 15        1     0
  ///   bits  mask of coefficients 63 … 1   isWide
  ///   rest  offset of value 1 | DC coefficient
  /// ```
  package struct Block: StoredBlock, Sendable {
    private let bits: UInt64
    private let rest: UInt64

    static let zero = Block(dc: 0)

    @inline(__always)
    init(mask: UInt64 = 0, isWide: Bool = false, start: Int = 0, dc: Int16) {
      bits = mask & ~1 | (isWide ? 1 : 0)
      rest = UInt64(truncatingIfNeeded: start) &<< 16 | UInt64(UInt16(bitPattern: dc))
    }

    /// The nonzero AC coefficients as bits 1 to 63.
    @inline(__always)
    var mask: UInt64 { bits & ~1 }
    @inline(__always)
    var dc: Int16 { Int16(truncatingIfNeeded: rest) }
    /// Whether values take two bytes each, the lower byte first.
    @inline(__always)
    var isWide: Bool { bits & 1 != 0 }
    @inline(__always)
    var start: Int { Int(truncatingIfNeeded: rest &>> 16) }

    @inline(__always)
    func moved(by distance: Int) -> Block {
      Block(mask: mask, isWide: isWide, start: start &+ distance, dc: dc)
    }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  package let blocks: [Block]
  /// The AC coefficients of all blocks.
  package let values: [Int8]

}

extension SparseImage {
  init(_ stores: [BlockStore<SparseForm>], _ planes: [CoefficientImage.Plane]) {
    let (blocks, values) = BlockStore.joined(stores)
    self.init(planes: planes, blocks: blocks, values: values)
  }

  /// Creates the sparse form of an image.
  package init(_ image: borrowing CoefficientImage) {
    var blocks: [Block] = []
    var values: [Int8] = []
    blocks.reserveCapacity(image.masks.count)
    for index in image.masks.indices {
      blocks.append(
        Self.append(image.coefficients.span, index * 64, image.masks[index], to: &values)
      )
    }
    self.init(planes: image.planes, blocks: blocks, values: values)
  }

  /// Appends the nonzero AC coefficients of a block of 64 coefficients in zigzag order, and returns the block.
  static func append(
    _ coefficients: Span<Int16>,
    _ start: Int,
    _ mask: UInt64,
    to values: inout [Int8]
  ) -> Block {
    let first = values.count
    var isWide = false
    var left = mask & ~1
    while left != 0 {
      let value = coefficients[start + left.trailingZeroBitCount]
      left &= left - 1
      isWide = isWide || Int8(exactly: value) == nil
    }
    left = mask & ~1
    while left != 0 {
      let value = coefficients[start + left.trailingZeroBitCount]
      left &= left - 1
      values.append(Int8(truncatingIfNeeded: value))
      if isWide { values.append(Int8(truncatingIfNeeded: value >> 8)) }
    }
    return Block(mask: mask, isWide: isWide, start: first, dc: coefficients[start])
  }
}

extension SparseImage {
  /// The number of coefficients, including those that are zero.
  package var coefficientCount: Int { 64 * blocks.count }

  /// Returns a block's coefficients in zigzag order, and the mask of those that are not zero.
  package func coefficients(of index: Int) -> (mask: UInt64, values: [64 of Int16]) {
    let block = blocks[index]
    var result = [64 of Int16](repeating: 0)
    result[0] = block.dc
    var walk = ValueWalk(block, within: .max)
    while let (position, value) = walk.next(values.span) {
      result[position] = Int16(truncatingIfNeeded: value)
    }
    return (block.mask | (block.dc == 0 ? 0 : 1), result)
  }

  /// Returns whether another image has the same blocks with the same coefficients.
  package func isEqual(to other: borrowing SparseImage) -> Bool {
    guard planes == other.planes else { return false }
    for (block, same) in zip(blocks, other.blocks) {
      guard block.dc == same.dc, block.mask == same.mask else { return false }
      var walks = (ValueWalk(block, within: .max), ValueWalk(same, within: .max))
      while let (_, value) = walks.0.next(values.span) {
        guard walks.1.next(other.values.span)?.value == value else { return false }
      }
    }
    return true
  }
}

extension CoefficientImage {
  /// Creates the dense form of an image.
  package init(_ image: borrowing SparseImage) {
    self.init(planes: image.planes, coefficients: [], masks: [])
    coefficients.reserveCapacity(image.coefficientCount)
    for block in image.blocks.indices {
      let (mask, values) = image.coefficients(of: block)
      masks.append(mask)
      for position in values.indices { coefficients.append(values[position]) }
    }
  }
}

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
  package struct Block: BitwiseCopyable, Sendable {
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

    func moved(by distance: Int) -> Block {
      Block(mask: mask, isWide: isWide, start: start + distance, dc: dc)
    }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  package let blocks: [Block]
  /// The AC coefficients of all blocks.
  package let values: [Int8]

}

extension SparseImage {
  init(_ store: BlockStore<SparseForm>, _ planes: [CoefficientImage.Plane]) {
    self.init(planes: planes, blocks: store.blocks, values: store.finish())
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

extension CoefficientImage {
  /// Creates the dense form of an image.
  package init(_ image: borrowing SparseImage) {
    let values = image.values.span
    var coefficients = [Int16](repeating: 0, count: image.blocks.count * 64)
    var masks = [UInt64](repeating: 0, count: image.blocks.count)
    for (index, block) in image.blocks.enumerated() {
      coefficients[index * 64] = block.dc
      masks[index] = block.mask | (block.dc == 0 ? 0 : 1)
      var walk = ValueWalk(block, within: .max)
      while let (position, value) = walk.next(values) {
        coefficients[index * 64 + position] = Int16(truncatingIfNeeded: value)
      }
    }
    self.init(planes: image.planes, coefficients: coefficients, masks: masks)
  }
}

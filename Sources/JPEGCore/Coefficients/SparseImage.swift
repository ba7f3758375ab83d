internal import ImageOrientation

/// The coefficients of an image that are not zero, in the form in which they are coded.
///
/// Four of five coefficients of a photograph are zero, and nearly all others fit into a byte; so this form takes
/// a quarter of the memory of a ``CoefficientImage``. The values of a block follow each other in zigzag order,
/// those of different blocks in no particular order: transforming an image moves the blocks' places, not the values.
package struct SparseImage: Sendable {
  /// One block: its DC coefficient, and the place of its other values.
  package struct Block: BitwiseCopyable, Sendable {
    /// Bit k is set when coefficient k, in zigzag order, is not zero; bit 0 when values take two bytes each.
    private let bits: UInt64
    /// The offset of the first value × 2¹⁶, and the DC coefficient.
    private let rest: UInt64

    /// The block of zeros.
    static let zero = Block(mask: 0, isWide: false, start: 0, dc: 0)

    @inline(__always)
    init(mask: UInt64, isWide: Bool, start: Int, dc: Int16) {
      bits = mask & ~1 | (isWide ? 1 : 0)
      rest = UInt64(truncatingIfNeeded: start) &<< 16 | UInt64(UInt16(bitPattern: dc))
    }

    /// The AC coefficients that are not zero, as bits 1 to 63.
    @inline(__always)
    var mask: UInt64 { bits & ~1 }
    @inline(__always)
    var dc: Int16 { Int16(truncatingIfNeeded: rest) }
    /// Whether values take two bytes each, the lower one first.
    @inline(__always)
    var isWide: Bool { bits & 1 != 0 }
    /// The offset of the first value.
    @inline(__always)
    var start: Int { Int(truncatingIfNeeded: rest &>> 16) }

    /// The block with its values so much further on.
    func moved(by distance: Int) -> Block {
      Block(mask: mask, isWide: isWide, start: start + distance, dc: dc)
    }
  }

  /// The components' places in ``blocks``.
  package let planes: [CoefficientImage.Plane]
  package let blocks: [Block]
  /// The AC coefficients of all blocks.
  package let values: [Int8]

  /// A store for the blocks of an image.
  static func store(
    planes: [CoefficientImage.Plane],
    transform: OrientationTransform,
    size: Int,
    maxRun: Int
  ) -> BlockStore<SparseForm> {
    BlockStore(
      SparseForm(),
      planes: planes,
      transform: transform,
      // A byte of data codes three coefficients of two values at most, and hardly ever as many as two.
      expectedUnits: 2 * size,
      maxRun: maxRun
    )
  }

  init(planes: [CoefficientImage.Plane], blocks: [Block], values: [Int8]) {
    self.planes = planes
    self.blocks = blocks
    self.values = values
  }

  init(_ store: BlockStore<SparseForm>, _ planes: [CoefficientImage.Plane]) {
    self.planes = planes
    blocks = store.blocks
    values = store.finish()
  }

  /// The same image in the sparse form.
  package init(_ image: borrowing CoefficientImage) {
    planes = image.planes
    var blocks: [Block] = []
    var values: [Int8] = []
    blocks.reserveCapacity(image.masks.count)
    for index in image.masks.indices {
      blocks.append(
        Self.append(image.coefficients.span, index * 64, image.masks[index], to: &values)
      )
    }
    self.blocks = blocks
    self.values = values
  }

  /// Appends the values of a block of 64 coefficients in zigzag order.
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
  /// The same image with every coefficient in its place.
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

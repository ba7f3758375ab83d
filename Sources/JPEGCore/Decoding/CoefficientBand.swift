/// The coefficients of one row of interleaved MCUs, all components, while progressive scans complete them.
@safe
struct CoefficientBand: ~Copyable {
  /// The components' places in the band, padding included.
  let planes: [CoefficientImage.Plane]
  let blockCount: Int
  /// Blocks × 64 coefficients in zigzag order.
  private let coefficients: UnsafeMutablePointer<Int16>
  /// One mask for each block: bit k is set if AC coefficient k, in zigzag order, is not zero.
  private let masks: UnsafeMutablePointer<UInt64>

  init(_ frame: Frame) {
    let isSingle = frame.components.count == 1
    var count = 0
    planes = frame.components.indices.map { index in
      let part = frame.components[index]
      let (horizontal, vertical) = isSingle ? (1, 1) : (part.horizontal, part.vertical)
      let columns = frame.width.dividedUp(by: frame.interleavedMCU.width) * horizontal
      defer { count += columns * vertical }
      return CoefficientImage.Plane(columns: columns, rows: vertical, firstBlock: count)
    }
    blockCount = count
    unsafe coefficients = .allocate(capacity: count * 64)
    unsafe coefficients.initialize(repeating: 0, count: count * 64)
    unsafe masks = .allocate(capacity: count)
    unsafe masks.initialize(repeating: 0, count: count)
  }

  deinit {
    unsafe coefficients.deallocate()
    unsafe masks.deallocate()
  }

  /// A block of the band.
  @safe
  struct Block: ~Copyable {
    fileprivate let coefficients: UnsafeMutablePointer<Int16>
    private let masks: UnsafeMutablePointer<UInt64>

    @inline(__always)
    fileprivate init(
      _ coefficients: UnsafeMutablePointer<Int16>,
      _ masks: UnsafeMutablePointer<UInt64>
    ) {
      unsafe self.coefficients = coefficients
      unsafe self.masks = masks
    }

    /// The nonzero AC coefficients as bits 1 to 63.
    @inline(__always)
    var mask: UInt64 {
      get { unsafe masks.pointee }
      nonmutating set { unsafe masks.pointee = newValue }
    }

    /// A coefficient by its zigzag position, 0 to 63.
    @inline(__always)
    subscript(_ position: Int) -> Int16 {
      get { unsafe coefficients[position & 63] }
      nonmutating set { unsafe coefficients[position & 63] = newValue }
    }
  }

  @inline(__always)
  mutating func withBlock<Value>(_ index: Int, _ body: (borrowing Block) -> Value) -> Value {
    precondition(index >= 0 && index < blockCount, "the band has the block")
    return body(unsafe Block(coefficients + index &* 64, masks + index))
  }

  mutating func clear() {
    for block in 0..<blockCount where unsafe masks[block] != 0 {
      unsafe (coefficients + block * 64).update(repeating: 0, count: 64)
      unsafe masks[block] = 0
    }
    // Blocks with an empty mask have a DC coefficient at most.
    for block in 0..<blockCount { unsafe coefficients[block &* 64] = 0 }
  }

  /// Returns a transformed block, which is valid until the next one is transformed.
  @inline(__always)
  func transformed(_ index: Int, _ transform: inout CoefficientTransform) -> TransformedBlock {
    precondition(index >= 0 && index < blockCount, "the band has the block")
    let block = unsafe coefficients + index &* 64
    var shape = TransformedBlock.Shape()
    var left = unsafe masks[index]
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      let value = unsafe block[position]
      let coded = value &+ value &>> 15
      transform.take(coded, at: position, into: &shape)
      shape.note(coded)
    }
    return unsafe transform.transformed(dc: block[0], shape)
  }

  /// Returns the 64 coefficients of a block in zigzag order.
  func block(_ index: Int) -> [Int16] {
    precondition(index >= 0 && index < blockCount, "the band has the block")
    return unsafe Array(UnsafeBufferPointer(start: coefficients + index * 64, count: 64))
  }
}

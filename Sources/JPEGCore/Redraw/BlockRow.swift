internal import CVectors

/// The quantized coefficients of a row of blocks, in the order of ``BlockTransform``.
@safe
final class BlockRow {
  let count: Int
  private let values: UnsafeMutablePointer<Int16>

  init(count: Int) {
    self.count = count
    unsafe values = UnsafeMutableRawPointer.allocate(byteCount: 128 * count, alignment: 16)
      .bindMemory(to: Int16.self, capacity: 64 * count)
    unsafe values.initialize(repeating: 0, count: 64 * count)
  }

  deinit { unsafe UnsafeMutableRawPointer(values).deallocate() }

  @inline(__always)
  subscript(column: Int) -> Block {
    get {
      precondition(column >= 0 && column < count, "a block is outside of the row")
      return makeBlock { line in
        unsafe UnsafeRawPointer(values).load(
          fromByteOffset: column &* 128 &+ line &* 16,
          as: SIMD8<Int16>.self
        )
      }
    }
    set {
      precondition(column >= 0 && column < count, "a block is outside of the row")
      for line in 0..<8 {
        unsafe UnsafeMutableRawPointer(values).storeBytes(
          of: newValue[line],
          toByteOffset: column &* 128 &+ line &* 16,
          as: SIMD8<Int16>.self
        )
      }
    }
  }

  @inline(__always)
  func value(_ column: Int, _ index: Int) -> Int16 {
    unsafe values[column &* 64 &+ index & 63]
  }

  @inline(__always)
  func set(_ value: Int16, _ column: Int, _ index: Int) {
    unsafe values[column &* 64 &+ index & 63] = value
  }

  /// Returns the mask of a block's nonzero coefficients by their indices, and whether all except the first fit into a
  /// byte, also with the opposite sign.
  @inline(__always)
  func shape(_ column: Int) -> (mask: UInt64, isNarrow: Bool) {
    let block = self[column]
    var mask: UInt64 = 0
    var bits = SIMD8<Int16>.zero
    for line in 0..<8 {
      var magnitude = block[line].larger(0 &- block[line])
      if line == 0 { magnitude[0] = 0 }
      bits |= magnitude
      guard line % 2 == 1 else { continue }
      mask |= UInt64(nonzero_lanes(block[line &- 1], block[line])) &<< UInt64(8 &* (line &- 1))
    }
    return (mask, (bits &>> 7).isZero)
  }

  /// Loads blocks of a row of an image, from `column` on.
  func load(
    _ image: borrowing SparseImage,
    _ layout: borrowing BlockLayout,
    column: Int = 0,
    row: Int
  ) {
    let blocks = image.blocks.span
    let values = image.values.span
    let first = layout.block(column: column, row: row)
    let step = layout.block(column: column + 1, row: row) - first
    let lead = 8
    unsafe self.values.update(repeating: 0, count: 64 * count)
    for column in 0..<count {
      let block = blocks[first &+ column &* step]
      if column &+ lead < count {
        // In a rotated image, neighbouring blocks are far from each other.
        blocks.prefetch(at: first &+ (column &+ 2 &* lead) &* step)
        values.prefetch(at: blocks[first &+ (column &+ lead) &* step].start)
      }
      unsafe self.values[64 &* column] = block.dc
      var walk = ValueWalk(block, within: .max)
      if block.isWide {
        while let (zigzag, value) = walk.next(values) {
          let index = 64 &* column &+ layout.place(zigzag)
          unsafe self.values[index] = layout.signed(Int16(truncatingIfNeeded: value), zigzag)
        }
      } else {
        while let (zigzag, value) = walk.nextNarrow(values) {
          let index = 64 &* column &+ layout.place(zigzag)
          unsafe self.values[index] = layout.signed(Int16(value), zigzag)
        }
      }
    }
  }
}

extension BlockRow {
  /// Sets values of ±1 at zigzag positions from `position` on to zero.
  func thin(from position: Int, _ layout: BlockLayout) {
    let fine = makeBlock { line in
      var result = SIMD8<Int16>.zero
      for lane in 0..<8 where layout.position(8 * line + lane) >= position { result[lane] = 1 }
      return result
    }
    for column in 0..<count {
      let block = self[column]
      self[column] = makeBlock { line in
        // In the other lanes `fine` is 0, and only zeros are that small.
        let isFaint = pointwiseMax(block[line], 0 &- block[line]) .<= fine[line]
        return block[line].replacing(with: 0, where: isFaint)
      }
    }
  }
}

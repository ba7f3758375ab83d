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
    get { makeBlock { line(column, $0) } }
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

  /// Returns a line of a block.
  @inline(__always)
  func line(_ column: Int, _ number: Int) -> SIMD8<Int16> {
    precondition(column >= 0 && column < count, "a block is outside of the row")
    return unsafe UnsafeRawPointer(values).load(
      fromByteOffset: column &* 128 &+ (number & 7) &* 16,
      as: SIMD8<Int16>.self
    )
  }

  @inline(__always)
  func value(_ column: Int, _ index: Int) -> Int16 {
    unsafe values[column &* 64 &+ index & 63]
  }

  @inline(__always)
  func set(_ value: Int16, _ column: Int, _ index: Int) {
    unsafe values[column &* 64 &+ index & 63] = value
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
          unsafe self.values[index] = Int16(truncatingIfNeeded: value)
        }
      } else {
        while let (zigzag, value) = walk.nextNarrow(values) {
          let index = 64 &* column &+ layout.place(zigzag)
          unsafe self.values[index] = Int16(value)
        }
      }
    }
    guard layout.changesSigns else { return }
    for column in 0..<count { self[column] = layout.signed(self[column]) }
  }
}

extension BlockRow {
  /// Sets values of ±1 at zigzag positions from `position` on to zero.
  func thin(from position: Int, _ layout: BlockLayout) {
    var fine = Block(repeating: .zero)
    for zigzag in position..<64 {
      fine[layout.place(zigzag) / 8][layout.place(zigzag) % 8] = 1
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

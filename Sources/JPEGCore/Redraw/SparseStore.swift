/// Collects the blocks of a component for a ``SparseImage``.
struct SparseStore {
  private var blocks: [SparseImage.Block]
  /// The AC coefficients of the blocks so far, and free space.
  private var values: [Int8] = []
  private var used = 0

  init(count: Int) { blocks = [SparseImage.Block](repeating: .zero, count: count) }

  mutating func put(_ blockRow: BlockRow, _ layout: borrowing BlockLayout, row: Int) {
    let maxCount = 126 * blockRow.count
    if values.count - used < maxCount {
      values += repeatElement(0, count: values.count / 2 + 4 * maxCount)
    }
    used = Self.put(blockRow, layout, row: row, into: &blocks, &values, from: used)
  }

  private static func put(
    _ blockRow: BlockRow,
    _ layout: borrowing BlockLayout,
    row: Int,
    into blocks: inout [SparseImage.Block],
    _ values: inout [Int8],
    from used: Int
  ) -> Int {
    let first = layout.block(column: 0, row: row) - layout.firstBlock
    let step = layout.block(column: 1, row: row) - layout.firstBlock - first
    var blocks = blocks.mutableSpan
    var values = values.mutableSpan
    var end = used
    for column in 0..<blockRow.count {
      var (left, isNarrow) = blockRow.shape(column)
      var mask: UInt64 = 0
      while left != 0 {
        mask |= 1 &<< UInt64(truncatingIfNeeded: layout.position(left.trailingZeroBitCount))
        left &= left &- 1
      }
      let start = end
      left = mask & ~1
      while left != 0 {
        let zigzag = left.trailingZeroBitCount
        left &= left &- 1
        let value = layout.signed(blockRow.value(column, layout.place(zigzag)), zigzag)
        values[end] = Int8(truncatingIfNeeded: value)
        end &+= 1
        if isNarrow { continue }
        values[end] = Int8(truncatingIfNeeded: value &>> 8)
        end &+= 1
      }
      blocks[first &+ column &* step] = SparseImage.Block(
        mask: mask,
        isWide: !isNarrow,
        start: start,
        dc: blockRow.value(column, 0)
      )
    }
    return end
  }

  static func image(
    _ components: consuming [SparseStore],
    _ planes: [CoefficientImage.Plane]
  ) -> SparseImage {
    var blocks: [SparseImage.Block] = []
    var values: [Int8] = []
    blocks.reserveCapacity(components.reduce(0) { $0 + $1.blocks.count })
    values.reserveCapacity(components.reduce(0) { $0 + $1.used })
    components.reverse()
    while let component = components.popLast() {
      let start = values.count
      values += component.values[..<component.used]
      blocks += component.blocks.lazy.map { $0.moved(by: start) }
    }
    return SparseImage(planes: planes, blocks: blocks, values: values)
  }
}

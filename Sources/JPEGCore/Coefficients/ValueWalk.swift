/// Iterates over the nonzero AC coefficients of a block.
struct ValueWalk {
  private var left: UInt64
  private(set) var offset: Int
  private let isWide: Bool

  @inline(__always)
  init(_ block: SparseImage.Block, within band: UInt64) {
    isWide = block.isWide
    left = block.mask & band
    offset = block.start
    let below = block.mask & ((band & (0 &- band)) &- 1)
    if below != 0 { offset &+= below.nonzeroBitCount &<< (isWide ? 1 : 0) }
  }

  @inline(__always)
  var isAtEnd: Bool { left == 0 }

  /// Returns the next coefficient and its zigzag position, or nil after the last one.
  @inline(__always)
  mutating func next(_ values: Span<Int8>) -> (position: Int, value: Int)? {
    guard isWide else { return nextNarrow(values).map { ($0, Int($1)) } }
    guard left != 0 else { return nil }
    let position = left.trailingZeroBitCount
    left &= left &- 1
    defer { offset &+= 2 }
    return (position, Int(values[offset &+ 1]) &<< 8 | Int(UInt8(bitPattern: values[offset])))
  }

  /// Returns the next coefficient of a block whose values take one byte each, and its zigzag position.
  @inline(__always)
  mutating func nextNarrow(_ values: Span<Int8>) -> (position: Int, value: Int8)? {
    guard left != 0 else { return nil }
    let position = left.trailingZeroBitCount
    left &= left &- 1
    defer { offset &+= 1 }
    return (position, values[offset])
  }
}

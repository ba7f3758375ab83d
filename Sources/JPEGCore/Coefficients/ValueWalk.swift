/// Goes through the AC coefficients of a block that are not zero.
struct ValueWalk {
  private var left: UInt64
  /// Where the next coefficient is.
  private(set) var offset: Int
  private let isWide: Bool

  /// - Parameters:
  ///   - block: The block.
  ///   - band: The zigzag positions of interest, as bits without a gap.
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

  /// The next coefficient and its zigzag position.
  @inline(__always)
  mutating func next(_ values: Span<Int8>) -> (position: Int, value: Int)? {
    guard isWide else { return nextNarrow(values).map { ($0, Int($1)) } }
    guard left != 0 else { return nil }
    let position = left.trailingZeroBitCount
    left &= left &- 1
    defer { offset &+= 2 }
    return (position, Int(values[offset &+ 1]) &<< 8 | Int(UInt8(bitPattern: values[offset])))
  }

  /// The next coefficient and its zigzag position, of a block whose values take one byte each.
  @inline(__always)
  mutating func nextNarrow(_ values: Span<Int8>) -> (position: Int, value: Int8)? {
    guard left != 0 else { return nil }
    let position = left.trailingZeroBitCount
    left &= left &- 1
    defer { offset &+= 1 }
    return (position, values[offset])
  }
}

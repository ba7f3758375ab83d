/// The samples of one component, in the units of ``BlockTransform``, with a margin all around in which blocks
/// may lie, too.
@safe
struct SamplePlane: ~Copyable {
  private static let margin = 8

  let width: Int
  let height: Int
  private let stride: Int
  private let samples: UnsafeMutablePointer<Int16>

  /// A plane of zeros.
  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = width + 2 * Self.margin
    let count = stride * (height + 2 * Self.margin)
    unsafe samples = .allocate(capacity: count)
    unsafe samples.initialize(repeating: 0, count: count)
  }

  deinit { unsafe samples.deallocate() }

  /// Where a sample stands that is at least a block away from the right and bottom end.
  @inline(__always)
  private func index(_ x: Int, _ y: Int) -> Int {
    precondition(
      x >= -Self.margin && y >= -Self.margin && x <= width && y <= height,
      "a block lies outside the plane"
    )
    return (y &+ Self.margin) &* stride &+ x &+ Self.margin
  }

  /// The sample at (x, y).
  @inline(__always)
  subscript(x: Int, y: Int) -> Int16 { unsafe samples[index(x, y)] }

  /// The block whose top left sample is (x, y).
  @inline(__always)
  func block(x: Int, y: Int) -> Block {
    let first = unsafe UnsafeRawPointer(samples + index(x, y))
    return Block { line in
      unsafe first.loadUnaligned(fromByteOffset: 2 &* stride &* line, as: SIMD8<Int16>.self)
    }
  }

  /// Puts a block with its top left sample at (x, y).
  @inline(__always)
  mutating func store(_ block: Block, x: Int, y: Int) {
    let first = unsafe UnsafeMutableRawPointer(samples + index(x, y))
    for line in 0..<8 {
      unsafe first.storeBytes(
        of: block[line],
        toByteOffset: 2 &* stride &* line,
        as: SIMD8<Int16>.self
      )
    }
  }

  /// Repeats a column of the picture in others.
  mutating func fillColumns(_ columns: Range<Int>, from source: Int) {
    for y in 0..<height {
      let value = self[source, y]
      for x in columns { unsafe samples[index(x, y)] = value }
    }
  }

  /// Repeats a row in others, with what stands in its margins.
  mutating func fillRows(_ rows: Range<Int>, from source: Int) {
    for y in rows {
      let (target, row) = (index(-Self.margin, y), index(-Self.margin, source))
      unsafe (samples + target).update(from: samples + row, count: stride)
    }
  }
}

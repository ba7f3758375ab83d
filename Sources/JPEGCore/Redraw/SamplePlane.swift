/// The samples of one component, in the units of ``BlockTransform``, with a margin of a block all around.
///
/// Blocks may lie at any place of it. What lies outside the picture is undefined until it is stored or filled.
@safe
struct SamplePlane: ~Copyable {
  static let margin = 8

  let width: Int
  let height: Int
  private let stride: Int
  private let capacity: Int
  private let samples: UnsafeMutablePointer<Int16>

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    stride = width + 2 * Self.margin
    capacity = stride * (height + 2 * Self.margin)
    unsafe samples = .allocate(capacity: capacity)
  }

  deinit { unsafe samples.deallocate() }

  /// The place of a sample, at least a block away from the buffer's end.
  @inline(__always)
  private func index(_ x: Int, _ y: Int) -> Int {
    precondition(
      x >= -Self.margin && y >= -Self.margin && x <= width && y <= height,
      "a block lies outside the plane"
    )
    return (y &+ Self.margin) &* stride &+ x &+ Self.margin
  }

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

  /// Repeats column `source` in the block to its left or right, over the lines of the picture.
  mutating func fillColumns(_ columns: Range<Int>, from source: Int) {
    for y in 0..<height {
      let value = unsafe samples[index(source, y)]
      for x in columns { unsafe samples[index(x, y)] = value }
    }
  }

  /// Repeats line `source` in others, margins included.
  mutating func fillRows(_ rows: Range<Int>, from source: Int) {
    for y in rows {
      unsafe (samples + index(-Self.margin, y)).update(
        from: samples + index(-Self.margin, source),
        count: stride
      )
    }
  }
}

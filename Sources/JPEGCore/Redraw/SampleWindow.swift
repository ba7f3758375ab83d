/// Lines of samples of one component, in the units of ``BlockTransform``: the last ones of those that were stored.
///
/// A margin is on the left and on the right, where blocks may be, too.
@safe
final class SampleWindow {
  private static let margin = 8

  /// Samples per line, without the margins.
  let width: Int
  private let stride: Int
  /// The number of lines less one; the number is a power of two.
  private let mask: Int
  private let samples: UnsafeMutablePointer<Int16>

  /// A window of zeros.
  ///
  /// - Parameters:
  ///   - width: Samples per line.
  ///   - lines: The least number of lines.
  init(width: Int, lines: Int) {
    self.width = width
    stride = width + 2 * Self.margin
    var count = 16
    while count < lines { count *= 2 }
    mask = count - 1
    unsafe samples = .allocate(capacity: stride * count)
    unsafe samples.initialize(repeating: 0, count: stride * count)
  }

  deinit { unsafe samples.deallocate() }

  /// The offset of a sample that begins eight samples within the line or its margins.
  @inline(__always)
  private func checked(_ x: Int) -> Int {
    precondition(x >= -Self.margin && x <= width, "a block is outside of the window")
    return x &+ Self.margin
  }

  @inline(__always)
  private func line(_ y: Int) -> Int { (y & mask) &* stride }

  /// The sample at (x, y).
  @inline(__always)
  subscript(x: Int, y: Int) -> Int16 {
    get { unsafe samples[line(y) &+ checked(x)] }
    set { unsafe samples[line(y) &+ checked(x)] = newValue }
  }

  /// Eight samples of a line from (x, y) on.
  @inline(__always)
  func samples(x: Int, y: Int) -> SIMD8<Int16> {
    unsafe UnsafeRawPointer(samples + line(y) + checked(x)).loadUnaligned(as: SIMD8<Int16>.self)
  }

  /// Stores eight samples of a line from (x, y) on.
  @inline(__always)
  func store(_ values: SIMD8<Int16>, x: Int, y: Int) {
    unsafe UnsafeMutableRawPointer(samples + line(y) + checked(x))
      .storeBytes(of: values, as: SIMD8<Int16>.self)
  }

  /// The block whose top left sample is (x, y).
  @inline(__always)
  func block(x: Int, y: Int) -> Block {
    let first = unsafe samples + checked(x)
    return makeBlock {
      unsafe UnsafeRawPointer(first + line(y &+ $0)).loadUnaligned(as: SIMD8<Int16>.self)
    }
  }

  /// Stores a block with its top left sample at (x, y).
  @inline(__always)
  func store(_ block: Block, x: Int, y: Int) {
    let first = unsafe samples + checked(x)
    for number in 0..<8 {
      unsafe UnsafeMutableRawPointer(first + line(y &+ number))
        .storeBytes(of: block[number], as: SIMD8<Int16>.self)
    }
  }

  /// Repeats a column in others.
  func fillColumns(_ columns: Range<Int>, from source: Int, lines: Range<Int>) {
    guard !columns.isEmpty else { return }
    let offset = columns.lowerBound + Self.margin
    precondition(offset >= 0 && columns.upperBound <= width + Self.margin, "columns are outside")
    for y in lines {
      let value = self[source, y]
      unsafe (samples + line(y) + offset).update(repeating: value, count: columns.count)
    }
  }

  /// Repeats a line, with what is in its margins, in others.
  func fillLines(_ lines: Range<Int>, from source: Int) {
    for y in lines {
      unsafe (samples + line(y)).update(from: samples + line(source), count: stride)
    }
  }

  /// Copies lines of a window of the same width.
  func copy(_ lines: Range<Int>, of other: SampleWindow) {
    precondition(other.width == width, "the windows differ in width")
    for y in lines {
      unsafe (samples + line(y)).update(from: other.samples + other.line(y), count: stride)
    }
  }
}

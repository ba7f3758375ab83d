/// The last lines of samples of one component, or all of them, in the units of ``BlockTransform``.
///
/// The last lines are in a ring buffer, whose number of lines is a power of two. A margin of eight samples on both sides
/// of each line has room for blocks that begin before the image or end after it.
@safe
final class SampleWindow {
  private static let margin = 8

  let width: Int
  private let stride: Int
  /// The number of lines.
  private let count: Int
  /// The index of a line is its number plus `first`, masked.
  private let first: Int
  private let mask: Int
  private let samples: UnsafeMutablePointer<Int16>

  /// Without `keepsAll`, only the last of the lines are used; otherwise all, with a margin of eight before them.
  init(width: Int, lines: Int, keepsAll: Bool = false) {
    self.width = width
    stride = width + 2 * Self.margin
    if keepsAll {
      (count, first, mask) = (lines + Self.margin, Self.margin, .max)
    } else {
      var count = 16
      while count < lines { count *= 2 }
      (self.count, first, mask) = (count, 0, count - 1)
    }
    unsafe samples = .allocate(capacity: stride * count)
    unsafe samples.initialize(repeating: 0, count: stride * count)
  }

  deinit { unsafe samples.deallocate() }

  /// Returns the offset of eight samples of a line, which must be within the line and its margins.
  @inline(__always)
  private func checked(_ x: Int) -> Int {
    precondition(x >= -Self.margin && x <= width, "a block is outside of the window")
    return x &+ Self.margin
  }

  @inline(__always)
  private func line(_ y: Int) -> Int {
    let index = (y &+ first) & mask
    precondition(index < count, "a line is outside of the window")
    return index &* stride
  }

  @inline(__always)
  subscript(x: Int, y: Int) -> Int16 {
    get { unsafe samples[line(y) &+ checked(x)] }
    set { unsafe samples[line(y) &+ checked(x)] = newValue }
  }

  /// Eight lines, of which blocks consist.
  @safe
  struct Lines {
    private let window: SampleWindow
    private let first: [8 of UnsafeMutablePointer<Int16>]

    @inline(__always)
    fileprivate init(_ window: SampleWindow, from y: Int) {
      self.window = window
      unsafe first = [8 of UnsafeMutablePointer<Int16>] {
        unsafe window.samples + window.line(y &+ $0)
      }
    }

    /// The block whose left samples are at x.
    @inline(__always)
    subscript(x: Int) -> Block {
      get {
        let offset = window.checked(x)
        return makeBlock {
          unsafe UnsafeRawPointer(first[$0] + offset).loadUnaligned(as: SIMD8<Int16>.self)
        }
      }
      nonmutating set {
        let offset = window.checked(x)
        for line in 0..<8 {
          unsafe UnsafeMutableRawPointer(first[line] + offset)
            .storeBytes(of: newValue[line], as: SIMD8<Int16>.self)
        }
      }
    }
  }

  /// Returns eight lines, the first at y.
  @inline(__always)
  func lines(from y: Int) -> Lines { Lines(self, from: y) }

  /// Returns eight samples of a line, the first at (x, y).
  @inline(__always)
  func samples(x: Int, y: Int) -> SIMD8<Int16> {
    unsafe UnsafeRawPointer(samples + line(y) + checked(x)).loadUnaligned(as: SIMD8<Int16>.self)
  }

  @inline(__always)
  func store(_ values: SIMD8<Int16>, x: Int, y: Int) {
    unsafe UnsafeMutableRawPointer(samples + line(y) + checked(x))
      .storeBytes(of: values, as: SIMD8<Int16>.self)
  }

  func fillColumns(_ columns: Range<Int>, from source: Int, lines: Range<Int>) {
    guard !columns.isEmpty else { return }
    let offset = columns.lowerBound + Self.margin
    precondition(offset >= 0 && columns.upperBound <= width + Self.margin, "columns are outside")
    for y in lines {
      let value = self[source, y]
      unsafe (samples + line(y) + offset).update(repeating: value, count: columns.count)
    }
  }

  func fillLines(_ lines: Range<Int>, from source: Int) {
    for y in lines {
      unsafe (samples + line(y)).update(from: samples + line(source), count: stride)
    }
  }

  func copy(_ lines: Range<Int>, of other: SampleWindow) {
    precondition(other.width == width, "the windows differ in width")
    for y in lines {
      unsafe (samples + line(y)).update(from: other.samples + other.line(y), count: stride)
    }
  }
}

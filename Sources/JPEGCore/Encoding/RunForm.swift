/// Stores the AC coefficients of a block as runs of zeros and values, and counts them.
///
/// The counts give the optimal tables and the length of the result, so a block is coded once, with tables that are
/// chosen after the image was decoded.
///
/// ```text
///   31   30        16   15         0
///   0    index        | index            two indexes of RunCodes; the second may code nothing
///   31   21        16   15         0
///   1    run of zeros | coefficient      a coefficient that does not fit into a byte, or after more than 15 zeros
/// ```
struct RunForm: BlockForm {
  static var empty: RunImage.Block { .zero }
  /// A word for each coefficient, and one for EOB.
  static var maxUnits: Int { 64 }
  /// Marks a word of one coefficient.
  static var single: UInt32 { 1 << 31 }
  /// The counts of each component.
  let counts: [RunCount]

  init(components: Int) { counts = (0..<components).map { _ in RunCount() } }

  @inline(__always)
  mutating func put(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) -> RunImage.Block {
    let first = unsafe end
    let count = counts[component]
    if block.isNarrow, !block.hasLongRun {
      var left = block.runsToCode
      var position = 0
      repeat {
        let a = block.nextRun(&left, &position)
        let b = block.nextRun(&left, &position)
        count.add(a)
        count.add(b)
        unsafe end.pointee = UInt32(truncatingIfNeeded: b &<< 16 | a)
        unsafe end += 1
      } while left != 0
    } else {
      unsafe end += Self.putOther(block, count, first)
    }
    return unsafe RunImage.Block(start: start, words: end - first, dc: block.dc)
  }

  /// Stores any block, and returns the number of words.
  @unsafe @inline(never)
  private static func putOther(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    _ count: RunCount,
    _ first: UnsafeMutablePointer<UInt32>
  ) -> Int {
    var end = unsafe first
    func put(_ word: UInt32) {
      unsafe end.pointee = word
      unsafe end += 1
    }
    var left = block.runsToCode
    var position = 0
    while left != 0 {
      let before = position
      let index = block.nextRun(&left, &position)
      let (run, value) = (position - before - 1, position < 64 ? block.value(at: position) : 0)
      if position == 64 || run < 16 && Int8(exactly: value) != nil && value != -128 {
        count.add(index)
        put(UInt32(truncatingIfNeeded: RunCodes.nothing << 16 | index))
      } else {
        count.add(run: run, value: value)
        put(single | UInt32(truncatingIfNeeded: run) << 16 | UInt32(UInt16(bitPattern: value)))
      }
    }
    return unsafe end - first
  }
}

extension CoefficientBlock where Self: ~Copyable {
  /// Whether a coefficient follows more than 15 zeros.
  @inline(__always)
  fileprivate var hasLongRun: Bool {
    // Each coefficient, and the start, as 16 bits from the next position on.
    var near = mask &<< 1 | 2
    near |= near &<< 1
    near |= near &<< 2
    near |= near &<< 4
    near |= near &<< 8
    return mask & ~near != 0
  }
}

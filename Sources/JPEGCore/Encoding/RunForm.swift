/// Stores the AC coefficients of a block as runs of zeros and values, and counts them.
///
/// The counts give the optimal tables and the length of the result, so a block is coded once, with tables that are
/// chosen after the image was decoded.
///
/// ```text
///   narrow   31        16   15         0        wide   31         16   15          0
///            index        | index                      run of zeros  | coefficient
/// ```
///
/// An index is that of ``ComponentCodes``; the last one may code nothing. A block is wide if one of its coefficients does
/// not fit into a byte; it then has no EOB, and each coefficient takes a word.
struct RunForm: BlockForm {
  static var empty: RunImage.Block { .zero }
  static var maxUnits: Int { 64 }
  /// The counts of each component.
  let counts: [RunCount]

  init(components: Int) { counts = (0..<components).map { _ in RunCount() } }

  @inline(__always)
  mutating func copy(
    _ tables: BlockTables,
    _ reader: inout BitReader,
    _ prediction: inout Int,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) -> RunImage.Block? { nil }

  @inline(__always)
  mutating func put(
    _ block: borrowing TransformedBlock,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) -> RunImage.Block {
    let first = unsafe end
    if block.isNarrow {
      unsafe Self.put(block, counts[component], &end)
    } else {
      unsafe Self.putWide(block, counts[component], &end)
    }
    return unsafe RunImage.Block(
      start: start,
      words: end - first,
      isWide: !block.isNarrow,
      dc: block.dc
    )
  }

  @inline(__always)
  private static func put(
    _ block: borrowing TransformedBlock,
    _ count: RunCount,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) {
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
  }

  @inline(never)
  private static func putWide(
    _ block: borrowing TransformedBlock,
    _ count: RunCount,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) {
    var left = block.mask
    var previous = 0
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      let (run, value) = (position &- previous &- 1, block.value(at: position))
      count.add(run: run, value: value)
      unsafe end.pointee =
        UInt32(truncatingIfNeeded: run) &<< 16 | UInt32(UInt16(bitPattern: value))
      unsafe end += 1
      previous = position
    }
    if previous < 63 { count.addEOB() }
  }
}

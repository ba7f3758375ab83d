/// Whole blocks, as in baseline and extended frames (T.81, F.1.2).
struct SequentialCoder: BlockCoder {
  private static let zeroRun = 0xF0
  private static let endOfBlock = 0x00

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    var register = sink.open()
    let dc = Int(block.dc)
    register.put(difference: dc &- prediction, table: dcTable)
    prediction = dc
    var walk = ValueWalk(block, within: ~1)
    var previous = 0
    if block.isWide {
      while let (position, value) = walk.next(values) {
        let run = Self.skip(to: position, from: &previous, acTable, &register)
        let size = category(abs(value))
        register.put(
          symbol: run &<< 4 | size & 15,
          table: acTable,
          bits: additionalBits(value),
          count: size & 15
        )
      }
    } else {
      while let (position, value) = walk.nextNarrow(values) {
        let run = Self.skip(to: position, from: &previous, acTable, &register)
        register.put(run: run, value: value, table: acTable)
      }
    }
    if previous < 63 {
      register.put(symbol: Self.endOfBlock, table: acTable, bits: 0, count: 0)
    }
    sink.close(register)
  }

  /// Codes the zeros before a coefficient that its own symbol has no place for; gives the number of the others.
  @inline(__always)
  private static func skip<Register: EntropyRegister>(
    to position: Int,
    from previous: inout Int,
    _ table: Int,
    _ register: inout Register
  ) -> Int {
    var run = position &- previous &- 1
    previous = position
    while run > 15 {
      register.put(symbol: zeroRun, table: table, bits: 0, count: 0)
      run &-= 16
    }
    return run
  }

  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    sink.put(symbol: 0, table: dcTable, bits: 0, count: 0)
    sink.put(symbol: Self.endOfBlock, table: acTable, bits: 0, count: 0)
  }
}

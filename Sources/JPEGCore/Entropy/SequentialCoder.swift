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
    while let (position, value) = walk.next(values) {
      var run = position &- previous &- 1
      previous = position
      while run > 15 {
        register.put(symbol: Self.zeroRun, table: acTable, bits: 0, count: 0)
        run &-= 16
      }
      if let value = Int8(exactly: value) {
        register.put(run: run, value: value, table: acTable)
      } else {
        let size = category(abs(value))
        register.put(
          symbol: run &<< 4 | size & 15,
          table: acTable,
          bits: additionalBits(value),
          count: size & 15
        )
      }
    }
    if previous < 63 {
      register.put(symbol: Self.endOfBlock, table: acTable, bits: 0, count: 0)
    }
    sink.close(register)
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

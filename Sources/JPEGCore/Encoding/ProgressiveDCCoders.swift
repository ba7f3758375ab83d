/// Codes the first scan of DC coefficients, without their Al lowest bits (T.81, G.1.2.1).
struct FirstDCCoder: BlockCoder {
  let shift: Int

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    let value = Int(block.dc) >> shift
    var register = sink.open()
    register.put(difference: value &- prediction, table: dcTable)
    sink.close(register)
    prediction = value
  }
}

/// Codes one more bit of the DC coefficients (T.81, G.1.2.1.1).
struct RefiningDCCoder: BlockCoder {
  let shift: Int

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    prediction = Int(block.dc) >> shift & 1
    sink.put(BitString(UInt64(truncatingIfNeeded: prediction), count: 1))
  }
}

/// Codes the blocks of one kind of scan, in scan order.
protocol BlockCoder {
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  )

  /// Writes pending symbols at the end of the scan or of a restart interval.
  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink)
}

extension BlockCoder {
  func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {}
}

extension EntropyRegister {
  @inline(__always)
  mutating func put(difference: Int, table: Int) {
    let size = category(of: difference)
    put(symbol: size, table: table, bits: additionalBits(difference), count: size)
  }

  /// Codes a nonzero AC coefficient after a run of zeros, with ZRL codes for runs above 15 (T.81, F.1.2.2.1).
  @inline(__always)
  mutating func put(_ value: Int, after zeros: Int, table: Int) {
    var run = zeros
    while run > 15 {
      put(symbol: SequentialCoder.zeroRun, table: table, bits: 0, count: 0)
      run &-= 16
    }
    if let byte = Int8(exactly: value) {
      put(run: run, value: byte, table: table)
    } else {
      let size = category(abs(value))
      put(
        symbol: run &<< 4 | size & 15,
        table: table,
        bits: additionalBits(value),
        count: size & 15
      )
    }
  }
}

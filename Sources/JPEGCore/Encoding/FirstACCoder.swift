/// A band of AC coefficients without their lowest bits (T.81, G.1.2.2).
struct FirstACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private var run = EndOfBandRun()
  private var table = 0

  init(spectrum: ClosedRange<Int>, shift: Int) {
    self.spectrum = spectrum
    self.shift = shift
    band = bandMask(spectrum)
  }

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    table = acTable
    var walk = ValueWalk(block, within: band)
    var previous = spectrum.lowerBound &- 1
    while let (position, value) = walk.next(values) {
      let magnitude = abs(value) >> shift
      if magnitude == 0 { continue }
      if run.length > 0 { run.put(table: acTable, into: &sink) }
      var zeros = position &- previous &- 1
      previous = position
      while zeros > 15 {
        sink.put(symbol: 0xF0, table: acTable, bits: 0, count: 0)
        zeros &-= 16
      }
      let size = category(magnitude)
      sink.put(
        symbol: zeros &<< 4 | size & 15,
        table: acTable,
        bits: additionalBits(value < 0 ? -magnitude : magnitude),
        count: size & 15
      )
    }
    if previous < spectrum.upperBound {
      run.length &+= 1
      if run.length == EndOfBandRun.longest { run.put(table: acTable, into: &sink) }
    }
  }

  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    preconditionFailure("a scan of AC coefficients has one component and no padding blocks")
  }

  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {
    if run.length > 0 { run.put(table: table, into: &sink) }
  }
}

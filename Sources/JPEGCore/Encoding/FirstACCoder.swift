/// A band of AC coefficients without their lowest bits (T.81, G.1.2.2).
struct FirstACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private let info: ReconstructionInfo.Scan
  private var run = EndOfBandRun()
  private var table = 0
  /// The number of the block that comes next.
  private var number = 0

  init(spectrum: ClosedRange<Int>, shift: Int, _ info: ReconstructionInfo.Scan) {
    self.spectrum = spectrum
    self.shift = shift
    self.info = info
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
    defer { number &+= 1 }
    var walk = ValueWalk(block, within: band)
    var previous = spectrum.lowerBound &- 1
    while let (position, value) = walk.next(values) {
      let magnitude = abs(value) >> shift
      if magnitude == 0 { continue }
      run.put(table: acTable, into: &sink)
      var zeros = position &- previous &- 1
      previous = position
      while zeros > 15 {
        sink.put(symbol: SequentialCoder.zeroRun, table: acTable, bits: 0, count: 0)
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
    guard previous < spectrum.upperBound else { return }
    var isEmpty = previous < spectrum.lowerBound
    if !info.zeroRuns.isEmpty, let zeroRuns = info.zeroRuns[number] {
      isEmpty = false
      run.put(table: acTable, into: &sink)
      for _ in 0..<zeroRuns {
        sink.put(symbol: SequentialCoder.zeroRun, table: acTable, bits: 0, count: 0)
      }
    }
    if isEmpty, run.continues(by: info.runs, at: number) {
      run.join(correctionBits: 0)
    } else {
      run.put(table: acTable, into: &sink)
      run.begin(afterCoefficients: !isEmpty, correctionBits: 0)
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
    run.put(table: table, into: &sink)
  }
}

/// Codes the first scan of a band of AC coefficients, without their Al lowest bits (T.81, G.1.2.2).
struct FirstACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private let info: ReconstructionInfo.Scan
  private var run = EOBRun()
  private var table = 0
  /// The number of the next block in the scan.
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
    if walk.isAtEnd {
      // Nothing.
    } else if block.isWide {
      previous = code(into: &sink) { walk.next(values) }
    } else {
      previous = code(into: &sink) { walk.nextNarrow(values).map { ($0, Int($1)) } }
    }
    guard previous < spectrum.upperBound else { return }
    var isEmpty = previous < spectrum.lowerBound
    let zeroRuns = info.zeroRuns.isEmpty ? 0 : info.zeroRuns[number] ?? 0
    if isEmpty, zeroRuns == 0, run.continues(by: info.runs, at: number) {
      run.join(correctionBits: 0)
      return
    }
    var register = sink.open()
    run.put(table: acTable, into: &register)
    for _ in 0..<zeroRuns {
      isEmpty = false
      register.put(symbol: SequentialCoder.zeroRun, table: acTable, bits: 0, count: 0)
    }
    sink.close(register)
    run.begin(afterCoefficients: !isEmpty, correctionBits: 0)
  }

  /// Codes the coefficients of a block that are not zero at this scan's precision, after the pending EOB run.
  ///
  /// `next` returns the next nonzero coefficient of the band and its zigzag position.
  ///
  /// - Returns: The position of the last coded coefficient, or the one before the band if there is none.
  @inline(__always)
  private mutating func code<Sink: EntropySink & ~Copyable>(
    into sink: inout Sink,
    next: () -> (position: Int, value: Int)?
  ) -> Int {
    var register = sink.open()
    defer { sink.close(register) }
    var previous = spectrum.lowerBound &- 1
    while let (position, value) = next() {
      let sign = value &>> (Int.bitWidth &- 1)
      let magnitude = ((value ^ sign) &- sign) &>> shift
      if magnitude == 0 { continue }
      run.put(table: table, into: &register)
      let zeros = position &- previous &- 1
      register.put((magnitude ^ sign) &- sign, after: zeros, table: table)
      previous = position
    }
    return previous
  }

  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {
    var register = sink.open()
    run.put(table: table, into: &register)
    sink.close(register)
  }
}

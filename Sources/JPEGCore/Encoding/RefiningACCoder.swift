/// One more bit of a band of AC coefficients (T.81, G.1.2.3).
struct RefiningACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private let info: ReconstructionInfo.Scan
  private var run = EndOfBandRun()
  private var table = 0
  /// The number of the block that comes next.
  private var number = 0
  /// Correction bits of blocks in the run.
  private var heldBack: [UInt8] = []
  /// Correction bits of the current block that no symbol has carried yet.
  private var corrections: [UInt8] = []

  init(spectrum: ClosedRange<Int>, shift: Int, _ info: ReconstructionInfo.Scan) {
    self.spectrum = spectrum
    self.shift = shift
    self.info = info
    band = bandMask(spectrum)
  }

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
    var lastNew = 0
    var walk = ValueWalk(block, within: band)
    while let (position, value) = walk.next(values) {
      if abs(value) >> shift == 1 { lastNew = position }
    }
    corrections.removeAll(keepingCapacity: true)
    var zeros = 0
    var previous = spectrum.lowerBound - 1
    walk = ValueWalk(block, within: band)
    while let (position, value) = walk.next(values) {
      let magnitude = abs(value) >> shift
      if magnitude == 0 { continue }
      zeros += position - previous - 1
      previous = position
      while zeros > 15, position <= lastNew {
        endRun(&sink)
        sink.put(symbol: SequentialCoder.zeroRun, table: acTable, bits: 0, count: 0)
        zeros -= 16
        put(&corrections, into: &sink)
      }
      if magnitude > 1 {
        corrections.append(UInt8(truncatingIfNeeded: magnitude & 1))
        continue
      }
      endRun(&sink)
      sink.put(symbol: zeros << 4 | 1, table: acTable, bits: value < 0 ? 0 : 1, count: 1)
      put(&corrections, into: &sink)
      zeros = 0
    }
    zeros += spectrum.upperBound - previous
    guard zeros > 0 || !corrections.isEmpty else { return }
    let isEmpty = lastNew == 0
    if isEmpty, run.continues(by: info.runs, at: number) {
      run.join(correctionBits: corrections.count)
    } else {
      endRun(&sink)
      run.begin(afterCoefficients: !isEmpty, correctionBits: corrections.count)
    }
    heldBack += corrections
  }

  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    preconditionFailure("a scan of AC coefficients has one component and no padding blocks")
  }

  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) { endRun(&sink) }

  private mutating func endRun<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {
    guard run.length > 0 else { return }
    run.put(table: table, into: &sink)
    put(&heldBack, into: &sink)
  }

  private func put<Sink: EntropySink & ~Copyable>(_ bits: inout [UInt8], into sink: inout Sink) {
    for bit in bits { sink.put(bits: UInt32(bit), count: 1) }
    bits.removeAll(keepingCapacity: true)
  }
}

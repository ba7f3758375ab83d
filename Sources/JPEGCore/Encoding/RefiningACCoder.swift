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
  private var heldBack: [Bits] = []

  /// Correction bits of a block, the first one highest.
  private struct Bits {
    var value: UInt64 = 0
    var count = 0

    @inline(__always)
    mutating func append(_ bit: UInt64) {
      value = value &<< 1 | bit
      count &+= 1
    }
  }

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
    // Positions of coefficients that are new in this scan, those of older ones, and the new bits of those.
    var (new, old, ones, negative): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    var walk = ValueWalk(block, within: band)
    while let (position, value) = walk.next(values) {
      let magnitude = abs(value) &>> shift
      let place: UInt64 = 1 &<< UInt64(truncatingIfNeeded: position)
      if magnitude == 1 { new |= place }
      if magnitude > 1 { old |= place }
      ones |= UInt64(truncatingIfNeeded: magnitude & 1) &<< UInt64(truncatingIfNeeded: position)
      if value < 0 { negative |= place }
    }
    var corrections = Bits()
    var left = old | new
    if new != 0 {
      endRun(&sink)
      // What comes after the last new coefficient belongs to the end of the band.
      left = code(old, new, ones, negative, &corrections, into: &sink)
    }
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      corrections.append(ones &>> UInt64(truncatingIfNeeded: position) & 1)
    }
    // A band that ends with a new coefficient has no end.
    guard new &>> UInt64(truncatingIfNeeded: spectrum.upperBound) & 1 == 0 else { return }
    if new == 0, run.continues(by: info.runs, at: number) {
      run.join(correctionBits: corrections.count)
    } else {
      endRun(&sink)
      run.begin(afterCoefficients: new != 0, correctionBits: corrections.count)
    }
    if corrections.count > 0 { heldBack.append(corrections) }
  }

  /// Codes the new coefficients of a block, and the correction bits of the older ones before them.
  ///
  /// - Returns: The positions after the last new coefficient that have older ones.
  @inline(__always)
  private func code<Sink: EntropySink & ~Copyable>(
    _ old: UInt64,
    _ new: UInt64,
    _ ones: UInt64,
    _ negative: UInt64,
    _ corrections: inout Bits,
    into sink: inout Sink
  ) -> UInt64 {
    let lastNew = 63 &- new.leadingZeroBitCount
    var left = old | new
    var zeros = 0
    var previous = spectrum.lowerBound &- 1
    while previous < lastNew {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      zeros &+= position &- previous &- 1
      previous = position
      while zeros > 15 {
        sink.put(symbol: SequentialCoder.zeroRun, table: table, bits: 0, count: 0)
        zeros &-= 16
        put(&corrections, into: &sink)
      }
      let place = UInt64(truncatingIfNeeded: position)
      if old &>> place & 1 == 1 {
        corrections.append(ones &>> place & 1)
        continue
      }
      let sign: UInt32 = negative &>> place & 1 == 1 ? 0 : 1
      sink.put(symbol: zeros &<< 4 | 1, table: table, bits: sign, count: 1)
      put(&corrections, into: &sink)
      zeros = 0
    }
    return left
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
    for bits in heldBack { sink.put(bits: bits.value, count: bits.count) }
    heldBack.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private func put<Sink: EntropySink & ~Copyable>(_ bits: inout Bits, into sink: inout Sink) {
    guard bits.count > 0 else { return }
    sink.put(bits: bits.value, count: bits.count)
    bits = Bits()
  }
}

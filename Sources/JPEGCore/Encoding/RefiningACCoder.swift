/// Codes one more bit of a band of AC coefficients (T.81, G.1.2.3).
struct RefiningACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private let info: ReconstructionInfo.Scan
  private var run = EOBRun()
  private var table = 0
  /// The number of the next block in the scan.
  private var number = 0
  /// The correction bits of the blocks in the EOB run, written after EOBn.
  private var heldBack = HeldBits()

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
    var left = block.mask & band
    var count = left.nonzeroBitCount
    let walk = ValueWalk(block, within: band)
    var refined =
      block.isWide
      ? RefinedValues(walk, values, shift: shift)
      : RefinedValues(values, from: walk.offset, count: count, shift: shift)
    let isEmpty = refined.new == 0
    var previous = spectrum.lowerBound &- 1
    if !isEmpty {
      endRun(&sink)
      var register = sink.open()
      previous = code(&refined, &left, into: &register)
      sink.close(register)
      count = left.nonzeroBitCount
    }
    // No EOB if the band ends with a new coefficient.
    guard previous < spectrum.upperBound else { return }
    // The correction bits after the last new coefficient follow EOBn.
    let corrections = refined.corrections(count)
    if isEmpty, run.continues(by: info.runs, at: number) {
      run.join(correctionBits: corrections.count)
    } else {
      endRun(&sink)
      run.begin(afterCoefficients: !isEmpty, correctionBits: corrections.count)
    }
    heldBack.append(corrections)
  }

  /// Codes the new coefficients of a block, with the correction bits of the old ones before them.
  ///
  /// - Returns: The position of the last new coefficient.
  @inline(__always)
  private func code<Register: EntropyRegister>(
    _ refined: inout RefinedValues,
    _ left: inout UInt64,
    into register: inout Register
  ) -> Int {
    var previous = spectrum.lowerBound &- 1
    repeat {
      let count = refined.countBeforeNew
      let start = left
      for _ in 0..<count { left &= left &- 1 }
      let position = left.trailingZeroBitCount
      left &= left &- 1
      var corrections = refined.corrections(count)
      var zeros = position &- previous &- 1 &- corrections.count
      if zeros > 15 {
        (zeros, corrections) = codeZeroRuns(refined, start, after: previous, into: &register)
      }
      register.put(
        symbol: zeros &<< 4 | 1,
        table: table,
        corrections.after(refined.signBit(count))
      )
      previous = position
      refined.drop(count &+ 1)
    } while refined.new != 0
    return previous
  }

  /// Codes the ZRL symbols before a new coefficient, each with the correction bits of the old coefficients that its
  /// run spans.
  ///
  /// - Returns: The remaining run of zeros before the new coefficient, and its correction bits.
  @inline(never)
  private func codeZeroRuns<Register: EntropyRegister>(
    _ refined: RefinedValues,
    _ positions: UInt64,
    after previous: Int,
    into register: inout Register
  ) -> (zeros: Int, BitString) {
    var (left, previous, zeros) = (positions, previous, 0)
    var corrections = BitString()
    for index in 0...refined.countBeforeNew {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      zeros += position - previous - 1
      previous = position
      let isNew = index == refined.countBeforeNew
      guard isNew || refined.isOld(index) else {
        zeros += 1
        continue
      }
      while zeros > 15 {
        register.put(symbol: SequentialCoder.zeroRun, table: table, corrections)
        zeros -= 16
        corrections = BitString()
      }
      if !isNew { corrections.append(refined.addedBit(index)) }
    }
    return (zeros, corrections)
  }

  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) { endRun(&sink) }

  private mutating func endRun<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {
    guard run.length > 0 else { return }
    var register = sink.open()
    run.put(table: table, into: &register)
    sink.close(register)
    heldBack.put(into: &sink)
  }
}

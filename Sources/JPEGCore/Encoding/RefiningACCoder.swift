/// Codes one more bit of a band of AC coefficients (T.81, G.1.2.3).
struct RefiningACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private let setBits = SetBits.shared
  private let runs: EOBRuns
  private var run = EOBRun()
  private var table = 0
  /// The number of the next block in the scan.
  private var number = 0
  /// The correction bits of the blocks in the EOB run, written after EOBn.
  private var heldBack = HeldBits()

  init(spectrum: ClosedRange<Int>, shift: Int, _ info: ReconstructionInfo.Scan) {
    self.spectrum = spectrum
    self.shift = shift
    runs = info.runs
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
    let refined = RefinedValues(block, values, within: band, shift: shift)
    let isEmpty = refined.new == 0
    // The position of the last new coefficient, and the index of the coefficient after it.
    var (previous, index) = (spectrum.lowerBound &- 1, 0)
    if !isEmpty {
      endRun(&sink)
      var register = sink.open()
      (previous, index) = Self.code(refined, after: previous, table, setBits, into: &register)
      sink.close(register)
    }
    // No EOB if the band ends with a new coefficient.
    guard previous < spectrum.upperBound else { return }
    // The correction bits after the last new coefficient follow EOBn.
    let corrections = refined.corrections(from: index, count: refined.count &- index)
    if isEmpty, run.continues(by: runs, at: number) {
      run.join(correctionBits: corrections.count)
    } else {
      endRun(&sink)
      run.begin(afterCoefficients: !isEmpty, correctionBits: corrections.count)
    }
    heldBack.append(corrections)
  }

  /// Codes the new coefficients of a block, with the correction bits of the old ones before them.
  ///
  /// - Returns: The position of the last new coefficient, and the index of the coefficient after it.
  @inline(__always)
  private static func code<Register: EntropyRegister>(
    _ refined: RefinedValues,
    after start: Int,
    _ table: Int,
    _ setBits: SetBits,
    into register: inout Register
  ) -> (position: Int, next: Int) {
    var new = refined.new
    var left = refined.positions &>> UInt64(truncatingIfNeeded: start &+ 1)
    var (previous, index) = (start, 0)
    repeat {
      let count = new.leadingZeroBitCount &- index
      let distance = setBits.place(count, of: left)
      var corrections = refined.corrections(from: index, count: count)
      var zeros = distance &- corrections.count
      if zeros > 15 {
        (zeros, corrections, register) =
          codeZeroRuns(refined, left, from: index, count, table, register)
      }
      index &+= count
      register.put(
        symbol: zeros &<< 4 | 1,
        table: table,
        corrections.after(refined.signBit(index))
      )
      new &= (.max &>> 1) &>> UInt64(truncatingIfNeeded: index)
      left = (left &>> 1) &>> UInt64(truncatingIfNeeded: distance)
      previous &+= distance &+ 1
      index &+= 1
    } while new != 0
    return (previous, index)
  }

  /// Codes the ZRL symbols before a new coefficient, each with the correction bits of the old coefficients that its
  /// run spans.
  ///
  /// `positions` are those from the one after the last new coefficient on; `count` coefficients, from `index` on, are
  /// before the new one.
  ///
  /// - Returns: The remaining run of zeros before the new coefficient, its correction bits, and a copy of the register,
  ///   which lets the caller's one stay in those of the processor.
  @inline(never)
  private static func codeZeroRuns<Register: EntropyRegister>(
    _ refined: RefinedValues,
    _ positions: UInt64,
    from index: Int,
    _ count: Int,
    _ table: Int,
    _ source: Register
  ) -> (zeros: Int, BitString, Register) {
    var register = source
    var (left, zeros) = (positions, 0)
    var corrections = BitString()
    for number in index...index + count {
      let place = left.trailingZeroBitCount
      left = (left >> 1) >> UInt64(place)
      zeros += place
      let isNew = number == index + count
      guard isNew || refined.isOld(number) else {
        zeros += 1
        continue
      }
      while zeros > 15 {
        register.put(symbol: SequentialCoder.zeroRun, table: table, corrections)
        zeros -= 16
        corrections = BitString()
      }
      if !isNew { corrections.append(refined.addedBit(number)) }
    }
    return (zeros, corrections, register)
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

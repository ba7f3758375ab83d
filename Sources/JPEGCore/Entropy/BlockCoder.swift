/// Codes the blocks of one kind of scan, one after the other.
protocol BlockCoder {
  /// Codes a block.
  ///
  /// - Parameters:
  ///   - coefficients: All coefficients of the picture, in zigzag order within each block.
  ///   - start: Where the block begins in them.
  ///   - mask: Which of the block's coefficients are not zero.
  ///   - prediction: The component's DC prediction, updated.
  ///   - dcTable: The ``TableIndex`` of the component's DC table.
  ///   - acTable: The ``TableIndex`` of the component's AC table.
  ///   - sink: Where the symbols go.
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ coefficients: Span<Int16>,
    at start: Int,
    mask: UInt64,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  )

  /// Codes a block beyond the picture's edge: the DC value of the block before it, nothing else.
  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  )

  /// Writes what is held back, at the end of the scan or of a restart interval.
  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink)
}

extension BlockCoder {
  func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {}
}

/// The number of bits of a magnitude: the category SSSS of T.81, table F.1.
@inline(__always)
private func category(_ magnitude: Int) -> Int { Int.bitWidth &- magnitude.leadingZeroBitCount }

/// The additional bits of a value: itself, or one less when it is negative (T.81, F.1.2.1).
@inline(__always)
private func additionalBits(_ value: Int) -> UInt32 {
  UInt32(truncatingIfNeeded: value < 0 ? value &- 1 : value)
}

extension EntropySink where Self: ~Copyable {
  /// Codes the difference of a DC value to its prediction.
  @inline(__always)
  fileprivate mutating func put(difference: Int, table: Int) {
    let size = category(abs(difference))
    put(symbol: size, table: table, bits: additionalBits(difference), count: size)
  }
}

/// Whole blocks, as in baseline and extended frames (T.81, F.1.2).
struct SequentialCoder: BlockCoder {
  private static let zeroRun = 0xF0
  private static let endOfBlock = 0x00

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ coefficients: Span<Int16>,
    at start: Int,
    mask: UInt64,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    let value = Int(coefficients[start])
    sink.put(difference: value &- prediction, table: dcTable)
    prediction = value
    var left = mask & ~1
    var previous = 0
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      var run = position &- previous &- 1
      previous = position
      while run > 15 {
        sink.put(symbol: Self.zeroRun, table: acTable, bits: 0, count: 0)
        run &-= 16
      }
      let value = Int(coefficients[start &+ position])
      let size = category(abs(value))
      sink.put(
        symbol: run &<< 4 | size & 15,
        table: acTable,
        bits: additionalBits(value),
        count: size & 15
      )
    }
    if previous < 63 { sink.put(symbol: Self.endOfBlock, table: acTable, bits: 0, count: 0) }
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

/// The DC coefficients without their lowest bits (T.81, G.1.2.1).
struct FirstDCCoder: BlockCoder {
  let shift: Int

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ coefficients: Span<Int16>,
    at start: Int,
    mask: UInt64,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    let value = Int(coefficients[start]) >> shift
    sink.put(difference: value &- prediction, table: dcTable)
    prediction = value
  }

  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    sink.put(symbol: 0, table: dcTable, bits: 0, count: 0)
  }
}

/// One more bit of the DC coefficients.
struct RefiningDCCoder: BlockCoder {
  let shift: Int

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ coefficients: Span<Int16>,
    at start: Int,
    mask: UInt64,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    prediction = Int(coefficients[start]) >> shift & 1
    sink.put(bits: UInt32(truncatingIfNeeded: prediction), count: 1)
  }

  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    sink.put(bits: UInt32(truncatingIfNeeded: prediction), count: 1)
  }
}

/// A run of blocks in which nothing more is to come, held back until it ends (T.81, G.1.2.2).
private struct EndOfBandRun {
  static let longest = 0x7FFF
  var length = 0

  @inline(__always)
  mutating func put<Sink: EntropySink & ~Copyable>(table: Int, into sink: inout Sink) {
    let size = category(length) &- 1
    sink.put(
      symbol: size &<< 4,
      table: table,
      bits: UInt32(truncatingIfNeeded: length),
      count: size
    )
    length = 0
  }
}

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
    _ coefficients: Span<Int16>,
    at start: Int,
    mask: UInt64,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    table = acTable
    var left = mask & band
    var previous = spectrum.lowerBound &- 1
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      let value = Int(coefficients[start &+ position])
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

/// One more bit of a band of AC coefficients (T.81, G.1.2.3).
struct RefiningACCoder: BlockCoder {
  private let spectrum: ClosedRange<Int>
  private let band: UInt64
  private let shift: Int
  private var run = EndOfBandRun()
  private var table = 0
  /// Correction bits of blocks in the run.
  private var heldBack: [UInt8] = []
  /// Correction bits of the current block that no symbol has carried yet.
  private var corrections: [UInt8] = []

  /// libjpeg ends a run before its buffer of 1000 correction bits could overflow.
  private static let mostHeldBack = 1000 - 64 + 1

  init(spectrum: ClosedRange<Int>, shift: Int) {
    self.spectrum = spectrum
    self.shift = shift
    band = bandMask(spectrum)
  }

  mutating func code<Sink: EntropySink & ~Copyable>(
    _ coefficients: Span<Int16>,
    at start: Int,
    mask: UInt64,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    table = acTable
    var lastNew = 0
    var left = mask & band
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      if abs(Int(coefficients[start &+ position])) >> shift == 1 { lastNew = position }
    }
    corrections.removeAll(keepingCapacity: true)
    var zeros = 0
    var previous = spectrum.lowerBound - 1
    left = mask & band
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      let value = Int(coefficients[start &+ position])
      let magnitude = abs(value) >> shift
      if magnitude == 0 { continue }
      zeros += position - previous - 1
      previous = position
      while zeros > 15, position <= lastNew {
        endRun(&sink)
        sink.put(symbol: 0xF0, table: acTable, bits: 0, count: 0)
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
    run.length += 1
    heldBack += corrections
    if run.length == EndOfBandRun.longest || heldBack.count > Self.mostHeldBack { endRun(&sink) }
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

/// The bits of the coefficients in a spectral band.
private func bandMask(_ spectrum: ClosedRange<Int>) -> UInt64 {
  (UInt64.max >> UInt64(63 - spectrum.upperBound)) & ~((1 << UInt64(spectrum.lowerBound)) - 1)
}

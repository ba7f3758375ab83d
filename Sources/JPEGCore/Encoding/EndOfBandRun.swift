/// A run of blocks in which nothing more is to come, held back until it ends (T.81, G.1.2.2).
struct EndOfBandRun {
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

/// The bits of the coefficients in a spectral band.
func bandMask(_ spectrum: ClosedRange<Int>) -> UInt64 {
  (UInt64.max >> UInt64(63 - spectrum.upperBound)) & ~((1 << UInt64(spectrum.lowerBound)) - 1)
}

/// Codes the blocks of one kind of scan, one after the other.
protocol BlockCoder {
  /// Codes a block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - values: The values of all blocks.
  ///   - prediction: The component's DC prediction, updated.
  ///   - dcTable: The ``TableIndex`` of the component's DC table.
  ///   - acTable: The ``TableIndex`` of the component's AC table.
  ///   - sink: Where the symbols go.
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  )

  /// Codes a block beyond the image's edge: the DC value of the block before it, nothing else.
  mutating func codePadding<Sink: EntropySink & ~Copyable>(
    prediction: Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  )

  /// Writes the pending EOB run, at the end of the scan or of a restart interval.
  mutating func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink)
}

extension BlockCoder {
  func finish<Sink: EntropySink & ~Copyable>(_ sink: inout Sink) {}
}

/// The number of bits of a magnitude: the category SSSS of T.81, table F.1.
@inline(__always)
func category(_ magnitude: Int) -> Int { Int.bitWidth &- magnitude.leadingZeroBitCount }

/// The category of a DC difference.
@inline(__always)
func category(of difference: Int) -> Int {
  let sign = difference &>> 63
  return category((difference ^ sign) &- sign)
}

/// The additional bits of a value: itself, or one less when it is negative (T.81, F.1.2.1).
@inline(__always)
func additionalBits(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value &+ value &>> 63) }

extension EntropyRegister {
  /// Codes the difference of a DC value to its prediction.
  @inline(__always)
  mutating func put(difference: Int, table: Int) {
    let size = category(of: difference)
    put(symbol: size, table: table, bits: additionalBits(difference), count: size)
  }

  /// Codes an AC coefficient that is not zero, after so many that are (T.81, F.1.2.2.1).
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

/// The correction bits and new coefficients of a refinement scan (T.81, G.1.2.3).
///
/// The bit mask of a block has the coefficients that were nonzero before. A run of zeros counts only positions that are
/// still zero; each of the others that it spans has a correction bit, so their number is the distance to the new
/// coefficient, less the run. They are read at once for each run.
extension ProgressiveScan {
  /// Decodes one more bit of a block's band; without a table the block belongs to an EOB run.
  @inline(__always)
  static func refinedBand(
    _ spectrum: ClosedRange<Int>,
    _ range: UInt64,
    _ bit: Int16,
    _ table: DecodeTable.Lookup?,
    _ setBits: SetBits,
    _ source: inout BitReader,
    _ block: borrowing CoefficientBand.Block
  ) -> (run: Int, isEmpty: Bool, corrections: Int)? {
    var reader = source
    defer { source = reader }
    let last = spectrum.upperBound
    let old = block.mask
    var new: UInt64 = 0
    // The next position.
    var position = spectrum.lowerBound
    // Every old coefficient of the band has one correction bit; all are added in one loop at the end.
    var corrections = BitString()
    var run = 0
    while let table, position <= last {
      reader.fill()
      guard let (zeros, size) = reader.symbol(table) else { return nil }
      if size == 0, zeros < 15 {
        run = 1 &<< zeros &+ Int(truncatingIfNeeded: reader.take(zeros))
        break
      }
      guard size <= 1 else { return nil }
      let isPositive = size == 1 ? reader.take(1) == 1 : false
      let distance = setBits.place(zeros, of: ~old &>> UInt64(truncatingIfNeeded: position))
      guard distance <= last &- position else {
        // What is wrong depends on whether the data ends before the last correction bit.
        reader.append(remaining(old & range, from: position).nonzeroBitCount, to: &corrections)
        return nil
      }
      // At least 39 bits are in the buffer, after the code and the sign.
      reader.append(distance &- zeros, to: &corrections)
      position &+= distance
      if size == 1 {
        block[position] = isPositive ? bit : 0 &- bit
        new |= 1 &<< UInt64(truncatingIfNeeded: position)
      }
      position &+= 1
    }
    let left = remaining(old & range, from: position)
    var rest = 0
    if left != 0 {
      rest = left.nonzeroBitCount
      reader.fill()
      reader.append(rest, to: &corrections)
    }
    correct(old & range, bit, corrections, block)
    block.mask = old | new
    return (run, position == spectrum.lowerBound, rest)
  }

  /// Returns the positions from one on, which may be 64.
  @inline(__always)
  private static func remaining(_ positions: UInt64, from first: Int) -> UInt64 {
    positions & ~((1 << UInt64(first)) &- 1)
  }

  /// Adds 1 << Al to the magnitude of each of the given coefficients whose correction bit is 1.
  @inline(__always)
  private static func correct(
    _ positions: UInt64,
    _ bit: Int16,
    _ corrections: BitString,
    _ block: borrowing CoefficientBand.Block
  ) {
    // The next bit is the sign. An Int may have 32 bits.
    var bits = Int64(bitPattern: corrections.aligned)
    var positions = positions
    while positions != 0 {
      let position = positions.trailingZeroBitCount
      positions &= positions &- 1
      let value = block[position]
      let sign = value &>> 15
      let correction = bit & Int16(truncatingIfNeeded: bits &>> 63)
      block[position] = value &+ ((correction ^ sign) &- sign)
      bits &<<= 1
    }
  }
}

extension BitReader {
  /// Reads up to 63 bits and appends them; the first 32 must be in the buffer.
  @inline(__always)
  fileprivate mutating func append(_ count: Int, to bits: inout BitString) {
    var left = count
    if left > 32 {
      bits.append(take(32), count: 32)
      fill()
      left &-= 32
    }
    bits.append(take(left), count: left)
  }
}

/// Returns the category SSSS of a magnitude: its number of bits (T.81, table F.1).
@inline(__always)
func category(_ magnitude: Int) -> Int { Int.bitWidth &- magnitude.leadingZeroBitCount }

/// Returns the category of a DC difference, without a branch for its sign.
@inline(__always)
func category(of difference: Int) -> Int {
  let sign = difference &>> 63
  return category((difference ^ sign) &- sign)
}

/// Returns the additional bits of a value: the value, or the value minus 1 if it is negative (T.81, F.1.2.1).
///
/// Only the lowest SSSS bits are used.
@inline(__always)
func additionalBits(_ value: Int) -> UInt32 { UInt32(truncatingIfNeeded: value &+ value &>> 63) }

/// Reads the symbols of a scan with the tables of ``DecodeTable``.
extension BitReader {
  /// Returns the group that the next ``DecodeTable/lookahead`` bits begin with, and does not skip it.
  ///
  /// - Returns: The fields of the ``DecodeTable/Group``, lengths and positions as Int.
  @inline(__always)
  func group(
    _ table: DecodeTable.Lookup
  ) -> (
    length: Int, offset: Int, advance: Int, before: Int, first: Int16, shift: Int, firstBits: Int
  ) {
    let group = unsafe table.groups + lookedUp
    return unsafe (
      Int(group.pointee.length), Int(group.pointee.offset), Int(group.pointee.advance),
      Int(group.pointee.before), group.pointee.first, Int(group.pointee.shift),
      Int(group.pointee.firstBits)
    )
  }

  /// Reads a DC difference (T.81, F.2.2.1); nil if no code begins with the next bits.
  @inline(__always)
  mutating func difference(_ table: DecodeTable.Lookup) -> Int? {
    let group = group(table)
    var value = group.first
    if group.length > 0 {
      skip(group.length)
    } else {
      guard let (_, size) = symbol(table) else { return nil }
      value = size > 0 ? self.value(category: size) : 0
      fill()
    }
    return Int(value &- value &>> 15)
  }

  /// Reads a symbol RRRRSSSS, but not its additional bits.
  ///
  /// - Returns: RRRR, a run of zeros, and SSSS, a category; nil if no code begins with the next bits.
  @inline(__always)
  mutating func symbol(_ table: DecodeTable.Lookup) -> (zeros: Int, size: Int)? {
    let code = unsafe Int(table.codes[lookedUp])
    if code > 0 {
      skip(code & 0xFF)
      return (code &>> 12, code &>> 8 & 15)
    }
    guard let (symbol, length) = table.longCode(UInt32(truncatingIfNeeded: bits &>> 48)) else {
      return nil
    }
    skip(length)
    return (symbol &>> 4, symbol & 15)
  }

  @inline(__always)
  private var lookedUp: Int { Int(bits &>> UInt64(64 &- DecodeTable.lookahead)) }
}

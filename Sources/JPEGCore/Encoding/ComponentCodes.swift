/// The codes of a component's AC coefficients, for ``CodedForm``.
///
/// An entry has the format of a ``CodeTable`` entry. The index is the run of zeros and the byte of the
/// ``TransformedBlock``, of which the two that are not coefficients code EOB and nothing:
///
/// ```text
///   index   13     8   7              0
///           run 0…63 | additional bits      1 … 127, 0x80 … 0xFE: a coefficient
///                                           0: EOB        0xFF: no bits at all
/// ```
///
/// Runs above 15 include their ZRL codes. An entry that would be longer than 23 bits is missing; the block is then
/// coded by ``CodedForm`` on its slower path, as is one with a coefficient beyond a byte.
@safe
package final class ComponentCodes {
  /// The table as the file defines it.
  let definition: HuffmanTable?
  let table: CodeTable
  let acTable: Int
  /// The entries, by run and additional bits.
  private let entries: UnsafeMutablePointer<UInt32>

  init(_ definition: HuffmanTable?, _ table: CodeTable, acTable: Int) {
    self.definition = definition
    self.table = table
    self.acTable = acTable
    unsafe entries = .allocate(capacity: 64 * 256)
    unsafe entries.initialize(repeating: CodeTable.missing, count: 64 * 256)
    let end = CodeTable.symbol(SequentialCoder.eob, table: acTable)
    let zeroRun = unsafe table.entries[CodeTable.symbol(SequentialCoder.zeroRun, table: acTable)]
    for run in 0..<16 {
      for value in Int8(-127)...127 where value != 0 {
        let bits = Int(UInt8(truncatingIfNeeded: additionalBits(Int(value))))
        unsafe entries[run * 256 + bits] =
          table.entries[CodeTable.value(value, run: run, table: acTable)]
      }
    }
    for index in 16 * 256..<64 * 256 {
      unsafe entries[index] = Self.entry(zeroRun, then: entries[index - 16 * 256])
    }
    for run in 0..<64 {
      unsafe entries[run * 256 + Int(TransformedBlock.eob)] = table.entries[end]
      unsafe entries[run * 256 + Int(TransformedBlock.none)] = 0
    }
  }

  /// Returns the entry of two codes in sequence; missing if one of them is, or if they are too long.
  private static func entry(_ first: UInt32, then second: UInt32) -> UInt32 {
    let length = first & 0x7F + second & 0x7F
    guard first != CodeTable.missing, second != CodeTable.missing, length <= 23 else {
      return CodeTable.missing
    }
    let bits = (first >> 8) << (second & 0x7F) | second >> 8
    return bits << 8 | length
  }

  deinit { unsafe entries.deallocate() }

  /// Returns the next code of a block whose coefficients all fit into bytes.
  ///
  /// - Returns: An entry; 0 if nothing is left.
  @inline(__always)
  func next(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    _ left: inout UInt64,
    _ position: inout Int
  ) -> UInt32 {
    unsafe entries[block.nextRun(&left, &position)]
  }

  /// Returns the entry of a symbol's code.
  @inline(__always)
  func entry(_ symbol: Int) -> UInt32 {
    unsafe table.entries[CodeTable.symbol(symbol, table: acTable)]
  }
}

extension CoefficientBlock where Self: ~Copyable {
  /// The coefficients that are to be coded and EOB: bit n is for zigzag position n + 1, bit 63 for EOB.
  @inline(__always)
  var runsToCode: UInt64 {
    // No EOB after a coefficient at zigzag position 63.
    mask &>> 1 | ~mask & 1 &<< 63
  }

  /// Returns the next index in ``ComponentCodes`` of a block whose coefficients all fit into bytes.
  ///
  /// `left` begins as ``runsToCode``; if nothing is left, the index is one of no bits.
  @inline(__always)
  func nextRun(_ left: inout UInt64, _ position: inout Int) -> Int {
    let next = left.trailingZeroBitCount
    left &= left &- 1
    let run = next &- position
    position = next &+ 1
    return run &<< 8 &+ Int(bits(at: position))
  }
}

/// The codes of a component's AC coefficients.
@safe
package final class ComponentCodes {
  let table: CodeTable
  /// The ``TableIndex`` of the component's table.
  let acTable: Int
  /// For 0 to 63 zeros, and for each value of a byte of additional bits after them, an entry as in the
  /// ``CodeTable``; the end of the block counts as one, and so does nothing.
  ///
  /// After more than 15 zeros an entry begins with the codes for 16 of them; where that is too long for an
  /// entry, it is missing.
  private let entries: UnsafeMutablePointer<UInt32>

  init(_ table: CodeTable, acTable: Int) {
    self.table = table
    self.acTable = acTable
    unsafe entries = .allocate(capacity: 64 * 256)
    unsafe entries.initialize(repeating: CodeTable.missing, count: 64 * 256)
    let end = CodeTable.symbol(SequentialCoder.eob, table: acTable)
    for run in 0..<64 {
      unsafe entries[run * 256 + Int(TransformedBlock.eob)] = table.entries[end]
      unsafe entries[run * 256 + Int(TransformedBlock.none)] = 0
    }
    for value in Int8(-127)...127 where value != 0 {
      let bits = Int(UInt8(truncatingIfNeeded: additionalBits(Int(value))))
      for run in 0..<16 {
        unsafe entries[run * 256 + bits] =
          table.entries[CodeTable.value(value, run: run, table: acTable)]
      }
      for run in 16..<63 {
        unsafe entries[run * 256 + bits] = Self.entry(
          table.entries[CodeTable.symbol(SequentialCoder.zeroRun, table: acTable)],
          then: entries[(run - 16) * 256 + bits]
        )
      }
    }
  }

  /// The entry of two codes, one after the other; missing where one is, and where they are too long.
  private static func entry(_ first: UInt32, then second: UInt32) -> UInt32 {
    let length = first & 0x7F + second & 0x7F
    guard first != CodeTable.missing, second != CodeTable.missing, length <= 23 else {
      return CodeTable.missing
    }
    let bits = (first >> 8) << (second & 0x7F) | second >> 8
    return bits << 8 | length
  }

  deinit { unsafe entries.deallocate() }

  /// The code of what comes next in a block whose coefficients fit into bytes.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - left: What is left of it: bit n for what stands at zigzag position n + 1, bit 63 for EOB.
  ///   - position: The zigzag position of what came before.
  /// - Returns: An entry as in the ``CodeTable``; 0 where nothing is left.
  @inline(__always)
  func next(
    _ block: borrowing TransformedBlock,
    _ left: inout UInt64,
    _ position: inout Int
  ) -> UInt32 {
    let next = left.trailingZeroBitCount
    left &= left &- 1
    let run = next &- position
    position = next &+ 1
    return unsafe entries[run &<< 8 &+ Int(block.bits(at: position))]
  }
}

/// The codes of a component's AC coefficients, for ``RunImage``.
///
/// An entry has the format of a ``CodeTable`` entry. The index is that of ``ComponentCodes``, with the lowest four bits of
/// the run.
@safe
final class RunCodes {
  /// The number of entries, a power of 2.
  static var size: Int { 16 * 256 }
  /// The index that codes nothing.
  static var nothing: Int { Int(TransformedBlock.none) }

  private let table: CodeTable
  private let acTable: Int
  private let entries: UnsafeMutablePointer<UInt32>

  init(_ table: CodeTable, acTable: Int) {
    self.table = table
    self.acTable = acTable
    unsafe entries = .allocate(capacity: Self.size)
    unsafe entries.initialize(repeating: 0, count: Self.size)
    for index in 0..<Self.size {
      let (run, bits) = (index >> 8, UInt8(truncatingIfNeeded: index))
      let place =
        switch bits {
        case TransformedBlock.eob: CodeTable.symbol(SequentialCoder.eob, table: acTable)
        case TransformedBlock.none: CodeTable.empty
        default: CodeTable.value(Self.value(bits), run: run, table: acTable)
        }
      unsafe entries[index] = table.entries[place]
    }
  }

  deinit { unsafe entries.deallocate() }

  /// Returns the coefficient of its additional bits, extended to a byte.
  static func value(_ bits: UInt8) -> Int8 {
    let extended = Int8(bitPattern: bits)
    return extended < 0 ? extended + 1 : extended
  }

  /// Codes the words of a block.
  @inline(__always)
  func put(_ words: Span<UInt32>, _ range: Range<Int>, into joined: inout JoinedCodes) {
    let mask = UInt32(truncatingIfNeeded: Self.size &- 1)
    for index in range {
      let word = words[index]
      if word < RunForm.single {
        unsafe joined.put(
          entries[Int(word & mask)],
          entries[Int(word &>> 16 & mask)]
        )
      } else {
        // A copy, so that the other one stays in registers.
        var copy = joined
        putSingle(word, into: &copy)
        joined = copy
      }
    }
  }

  /// Codes a word of one coefficient, with ZRL codes before it.
  @inline(never)
  private func putSingle(_ word: UInt32, into joined: inout JoinedCodes) {
    var run = Int(word >> 16 & 63)
    let value = Int(Int16(truncatingIfNeeded: word))
    while run > 15 {
      joined.put(unsafe table.entries[CodeTable.symbol(SequentialCoder.zeroRun, table: acTable)], 0)
      run -= 16
    }
    let size = category(of: value) & 15
    joined.put(
      unsafe table.entries[CodeTable.symbol(run << 4 | size, table: acTable)],
      additionalBits: additionalBits(value),
      size
    )
  }
}

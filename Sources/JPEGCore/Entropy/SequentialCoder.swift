/// Whole blocks, as in baseline and extended frames (T.81, F.1.2).
struct SequentialCoder: BlockCoder {
  private static let zeroRun = 0xF0
  static let endOfBlock = 0x00

  @inline(__always)
  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    var register = sink.open()
    let dc = Int(block.dc)
    register.put(difference: dc &- prediction, table: dcTable)
    prediction = dc
    var walk = ValueWalk(block, within: ~1)
    if block.isWide {
      Self.code(table: acTable, hasLongRuns: true, into: &register) { walk.next(values) }
    } else {
      Self.code(table: acTable, hasLongRuns: true, into: &register) {
        walk.nextNarrow(values).map { ($0, Int($1)) }
      }
    }
    sink.close(register)
  }

  /// Codes the AC coefficients of a block (T.81, F.1.2.2).
  ///
  /// - Parameters:
  ///   - table: The ``TableIndex`` of the table.
  ///   - hasLongRuns: Whether there may be runs of zeros that take symbols of their own.
  ///   - register: Takes the symbols.
  ///   - next: Gives the next coefficient that is not zero, and its zigzag position.
  @inline(__always)
  static func code<Register: EntropyRegister>(
    table: Int,
    hasLongRuns: Bool,
    into register: inout Register,
    next: () -> (position: Int, value: Int)?
  ) {
    var previous = 0
    while let (position, value) = next() {
      var run = position &- previous &- 1
      previous = position
      while hasLongRuns, run > 15 {
        register.put(symbol: zeroRun, table: table, bits: 0, count: 0)
        run &-= 16
      }
      if let byte = Int8(exactly: value) {
        register.put(run: run, value: byte, table: table)
      } else {
        let size = category(abs(value))
        register.put(
          symbol: run &<< 4 | size & 15,
          table: table,
          bits: additionalBits(value),
          count: size & 15
        )
      }
    }
    if previous < 63 {
      register.put(symbol: endOfBlock, table: table, bits: 0, count: 0)
    }
  }

  /// Whether there are more than 15 zeros before a coefficient: more than its own symbol has a place for.
  ///
  /// - Parameter mask: The AC coefficients that are not zero.
  /// - Returns: Whether there are.
  @inline(__always)
  static func hasLongRun(_ mask: UInt64) -> Bool {
    // One bit for each position that one of the 16 before is set of.
    var near = (mask | 1) &<< 1
    near |= near &<< 1
    near |= near &<< 2
    near |= near &<< 4
    near |= near &<< 8
    return mask & ~near != 0
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

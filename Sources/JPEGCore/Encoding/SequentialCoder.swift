/// Codes whole blocks, as in baseline and extended sequential frames (T.81, F.1.2).
struct SequentialCoder: BlockCoder {
  static let zeroRun = 0xF0
  static let eob = 0x00

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
    Self.code(
      block,
      values,
      prediction: &prediction,
      dcTable: dcTable,
      acTable: acTable,
      zeroRuns: 0,
      into: &register
    )
    sink.close(register)
  }

  /// Codes a block, with the given number of ZRL codes before its EOB.
  @inline(__always)
  static func code<Register: EntropyRegister>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    zeroRuns: Int,
    into register: inout Register
  ) {
    let dc = Int(block.dc)
    register.put(difference: dc &- prediction, table: dcTable)
    prediction = dc
    var walk = ValueWalk(block, within: ~1)
    if block.isWide {
      Self.code(table: acTable, zeroRuns, into: &register) { walk.next(values) }
    } else {
      Self.code(table: acTable, zeroRuns, into: &register) {
        walk.nextNarrow(values).map { ($0, Int($1)) }
      }
    }
  }

  /// Codes the AC coefficients of a block (T.81, F.1.2.2).
  ///
  /// `next` returns the next nonzero coefficient and its zigzag position.
  @inline(__always)
  static func code<Register: EntropyRegister>(
    table: Int,
    _ zeroRuns: Int = 0,
    into register: inout Register,
    next: () -> (position: Int, value: Int)?
  ) {
    var previous = 0
    while let (position, value) = next() {
      register.put(value, after: position &- previous &- 1, table: table)
      previous = position
    }
    for _ in 0..<zeroRuns {
      register.put(symbol: zeroRun, table: table, bits: 0, count: 0)
      previous &+= 16
    }
    if previous < 63 {
      register.put(symbol: eob, table: table, bits: 0, count: 0)
    }
  }
}

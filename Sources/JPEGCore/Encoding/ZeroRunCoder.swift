/// Codes whole blocks, some with ZRL codes before their EOB, which the standard does not need and some encoders write.
struct ZeroRunCoder: BlockCoder {
  /// The number of ZRL codes, by the block's number in the scan.
  let zeroRuns: [Int: Int]
  /// The number of the next block in the scan.
  private var number = 0

  init(_ zeroRuns: [Int: Int]) { self.zeroRuns = zeroRuns }

  mutating func code<Sink: EntropySink & ~Copyable>(
    _ block: SparseImage.Block,
    _ values: Span<Int8>,
    prediction: inout Int,
    dcTable: Int,
    acTable: Int,
    into sink: inout Sink
  ) {
    var register = sink.open()
    SequentialCoder.code(
      block,
      values,
      prediction: &prediction,
      dcTable: dcTable,
      acTable: acTable,
      zeroRuns: next(),
      into: &register
    )
    sink.close(register)
  }

  private mutating func next() -> Int {
    defer { number += 1 }
    return min(zeroRuns[number] ?? 0, 3)
  }
}

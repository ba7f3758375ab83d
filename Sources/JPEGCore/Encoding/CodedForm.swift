/// Stores the AC coefficients of a block as Huffman codes, in whole words of 32 bits.
///
/// A block is coded with one lookup for each coefficient, run and EOB (see ``ComponentCodes``), two lookups in each
/// iteration (see ``JoinedCodes``).
struct CodedForm: BlockForm {
  static var empty: CodedImage.Block { .zero }
  /// 63 coefficients of 31 bits, three ZRL codes of 16 bits, an EOB, and a partial word.
  static var maxUnits: Int { 68 }
  /// Whether a symbol was coded for which the table has no code.
  private(set) var lacksCode = false
  private let codes: [ComponentCodes]
  /// For each component whose codes can be copied, the zigzag positions at which signs change, as bits.
  private let copied: [UInt64?]

  init(_ codes: [ComponentCodes], copied: [UInt64?]) {
    self.codes = codes
    self.copied = copied
  }

  @inline(__always)
  mutating func copy(
    _ tables: BlockTables,
    _ reader: inout BitReader,
    _ prediction: inout Int,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) -> CodedImage.Block? {
    guard let signs = copied[component],
      let bits = unsafe CopiedCodes.copy(
        tables,
        &reader,
        &prediction,
        signs: signs,
        to: UnsafeMutableRawPointer(end)
      )
    else { return nil }
    unsafe end += (bits &+ 31) &>> 5
    return CodedImage.Block(start: start, bits: bits, dc: Int16(truncatingIfNeeded: prediction))
  }

  @inline(__always)
  mutating func put(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) -> CodedImage.Block {
    let codes = codes[component]
    let first = UnsafeMutableRawPointer(end)
    let written = block.isNarrow ? unsafe Self.code(block, codes, at: first) : nil
    let bits = unsafe written ?? Self.codeOther(block, codes, at: first, &lacksCode)
    unsafe end += (bits &+ 31) &>> 5
    return CodedImage.Block(start: start, bits: bits, dc: block.dc)
  }

  /// Codes a block whose coefficients all fit into bytes.
  ///
  /// - Returns: The number of bits; nil if an entry is missing, because it would be too long or has no code.
  @inline(__always)
  private static func code(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    _ codes: ComponentCodes,
    at first: UnsafeMutableRawPointer
  ) -> Int? {
    var left = block.runsToCode
    var position = 0
    var joined = unsafe JoinedCodes(to: first)
    repeat {
      let a = codes.next(block, &left, &position)
      let b = codes.next(block, &left, &position)
      joined.put(a, b)
    } while left != 0
    return unsafe joined.lacksCode ? nil : joined.bits(from: first)
  }

  /// Codes any block: coefficients that do not fit into a byte, and those whose entry is missing, by their symbols.
  ///
  /// Sets `lacksCode` if a symbol has no code.
  @inline(never)
  private static func codeOther(
    _ block: borrowing some CoefficientBlock & ~Copyable,
    _ codes: ComponentCodes,
    at first: UnsafeMutableRawPointer,
    _ lacksCode: inout Bool
  ) -> Int {
    var left = block.runsToCode
    var position = 0
    var joined = unsafe JoinedCodes(to: first)
    repeat {
      let previous = position
      let entry = codes.next(block, &left, &position)
      // At 64 there is EOB.
      if position > 63 || entry != CodeTable.missing && block.isNarrow(at: position) {
        joined.put(entry, 0)
        continue
      }
      var run = position &- previous &- 1
      while run > 15 {
        joined.put(codes.entry(SequentialCoder.zeroRun), 0)
        run &-= 16
      }
      let value = Int(block.value(at: position))
      let size = category(of: value) & 15
      joined.put(
        codes.entry(run &<< 4 | size),
        additionalBits: additionalBits(value),
        size
      )
    } while left != 0
    if joined.lacksCode { lacksCode = true }
    return unsafe joined.bits(from: first)
  }
}

/// Keeps the Huffman codes of the AC coefficients, as whole words of 32 bits.
struct CodedForm: BlockForm {
  static var empty: CodedImage.Block { .zero }
  /// 63 coefficients of 31 bits, three codes of 16 bits for zeros, one for the end, and a word that is begun.
  static var mostUnits: Int { 68 }
  /// Whether a symbol had to be written that its table has no code for.
  private(set) var lacksCode = false
  /// The codes of each component.
  private let codes: [ComponentCodes]

  init(_ codes: [ComponentCodes]) { self.codes = codes }

  @inline(__always)
  mutating func put(
    _ block: TurnedBlock,
    component: Int,
    start: Int,
    _ end: inout UnsafeMutablePointer<UInt32>
  ) -> CodedImage.Block {
    let codes = codes[component]
    let bytes = unsafe UnsafeMutableRawPointer(end).assumingMemoryBound(to: UInt8.self)
    let isPlain = block.isNarrow && !SequentialCoder.hasLongRun(block.mask)
    let string =
      unsafe isPlain
      ? Self.code(block, codes, isPlain: true, bytes) : Self.codeOther(block, codes, bytes)
    if string.lacksCode { lacksCode = true }
    unsafe end += string.words
    return CodedImage.Block(start: start, bits: string.bits, dc: block.dc)
  }

  /// Codes a block that has large coefficients or long runs.
  @inline(never)
  private static func codeOther(
    _ block: TurnedBlock,
    _ codes: ComponentCodes,
    _ end: UnsafeMutablePointer<UInt8>
  ) -> CodeString {
    unsafe code(block, codes, isPlain: false, end)
  }

  /// Codes a block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - codes: The codes of its component.
  ///   - isPlain: Whether its coefficients fit into bytes and have no long runs between them.
  ///   - end: Where the codes are written.
  /// - Returns: What was written.
  @inline(__always)
  private static func code(
    _ block: TurnedBlock,
    _ codes: ComponentCodes,
    isPlain: Bool,
    _ end: UnsafeMutablePointer<UInt8>
  ) -> CodeString {
    var register = unsafe BitRegister(codes.table, end: end, isStuffed: false)
    var left = block.mask
    SequentialCoder.code(table: codes.acTable, hasLongRuns: !isPlain, into: &register) {
      guard left != 0 else { return nil }
      let position = left.trailingZeroBitCount
      left &= left &- 1
      return (position, isPlain ? Int(block.byte(at: position)) : Int(block.value(at: position)))
    }
    let bits = unsafe register.bits(from: end)
    register.flushWords()
    return CodeString(bits: bits, lacksCode: register.lacksCode)
  }

  /// The codes of a block.
  private struct CodeString {
    var bits: Int
    var lacksCode: Bool

    @inline(__always)
    var words: Int { (bits &+ 31) &>> 5 }
  }
}

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
    let first = unsafe UnsafeMutableRawPointer(end).assumingMemoryBound(to: UInt8.self)
    var register = unsafe BitRegister(codes.table, end: first, isStuffed: false)
    if block.isNarrow && !SequentialCoder.hasLongRun(block.mask) {
      Self.code(block, codes, into: &register)
    } else {
      register = Self.codeOther(block, codes, register)
    }
    let bits = unsafe register.bits(from: first)
    register.flushWords()
    if register.lacksCode { lacksCode = true }
    unsafe end += (bits &+ 31) &>> 5
    return CodedImage.Block(start: start, bits: bits, dc: block.dc)
  }

  /// Codes a block whose coefficients fit into bytes, and have no long runs between them.
  @inline(__always)
  private static func code(
    _ block: TurnedBlock,
    _ codes: ComponentCodes,
    into register: inout BitRegister
  ) {
    var left = block.mask
    // The zigzag position that the next run is counted from.
    var start = 1
    while left != 0 {
      let position = left.trailingZeroBitCount
      left &= left &- 1
      register.put(codes.value(block.byte(at: position), run: position &- start))
      start = position &+ 1
    }
    if start < 64 { register.put(codes.endOfBlock) }
  }

  /// Codes a block that has large coefficients or long runs.
  ///
  /// - Returns: The register behind it: a value, so that it may stay in registers for other blocks.
  @inline(never)
  private static func codeOther(
    _ block: TurnedBlock,
    _ codes: ComponentCodes,
    _ register: BitRegister
  ) -> BitRegister {
    var register = register
    var left = block.mask
    SequentialCoder.code(table: codes.acTable, hasLongRuns: true, into: &register) {
      guard left != 0 else { return nil }
      let position = left.trailingZeroBitCount
      left &= left &- 1
      return (position, Int(block.value(at: position)))
    }
    return register
  }
}

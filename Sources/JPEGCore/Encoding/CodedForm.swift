/// Keeps the Huffman codes of the AC coefficients, as whole words of 32 bits.
struct CodedForm: BlockForm {
  static var empty: CodedImage.Block { .zero }
  /// 63 coefficients of 31 bits, three codes of 16 bits for zeros, one for the end, and a word that is begun.
  static var maxUnits: Int { 68 }
  /// Whether a symbol had to be written that its table has no code for.
  private(set) var lacksCode = false
  /// The codes of each component.
  private let codes: [ComponentCodes]

  init(_ codes: [ComponentCodes]) { self.codes = codes }

  @inline(__always)
  mutating func put(
    _ block: borrowing TransformedBlock,
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

  /// Codes a block whose coefficients fit into bytes.
  ///
  /// Two at a time, and without a branch but for the last: no processor foresees when a register is full.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - codes: The codes of its component.
  ///   - first: Where the codes go.
  /// - Returns: How many bits were written; nil where a code is too long for an entry, or there is none.
  @inline(__always)
  private static func code(
    _ block: borrowing TransformedBlock,
    _ codes: ComponentCodes,
    at first: UnsafeMutableRawPointer
  ) -> Int? {
    // After a coefficient at the last position there is no end.
    var left = block.mask &>> 1 | ~block.mask & 1 &<< 63
    var position = 0
    var end = unsafe first
    var pending: UInt64 = 0
    var used = 0
    var seen: UInt32 = 0
    repeat {
      let a = codes.next(block, &left, &position)
      let b = codes.next(block, &left, &position)
      seen |= a | b
      // The lowest seven bits of an entry are a number of bits, and the sum of two is one, too.
      used &+= Int((a &+ b) & 0x7F)
      let both = UInt64(a &>> 8) &<< UInt64(b) | UInt64(b &>> 8)
      pending |= both &<< UInt64(truncatingIfNeeded: 64 &- used)
      unsafe end.storeBytes(of: pending.bigEndian, as: UInt64.self)
      unsafe end += used &>> 3
      pending &<<= UInt64(truncatingIfNeeded: used & 56)
      used &= 7
    } while left != 0
    return unsafe seen & CodeTable.missing == 0 ? 8 &* (end - first) &+ used : nil
  }

  /// Codes any block.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - codes: The codes of its component.
  ///   - first: Where the codes go.
  ///   - lacksCode: Becomes true where there is no code.
  /// - Returns: How many bits were written.
  @inline(never)
  private static func codeOther(
    _ block: borrowing TransformedBlock,
    _ codes: ComponentCodes,
    at first: UnsafeMutableRawPointer,
    _ lacksCode: inout Bool
  ) -> Int {
    let first = unsafe first.assumingMemoryBound(to: UInt8.self)
    var register = unsafe BitRegister(codes.table, end: first, isStuffed: false)
    var left = block.mask
    SequentialCoder.code(table: codes.acTable, into: &register) {
      guard left != 0 else { return nil }
      let position = left.trailingZeroBitCount
      left &= left &- 1
      return (position, Int(block.value(at: position)))
    }
    register.store()
    let bits = unsafe register.bits(from: first)
    if register.lacksCode { lacksCode = true }
    return bits
  }
}

/// Stores the AC coefficients of a block as Huffman codes, in whole words of 32 bits.
///
/// A block is coded with one lookup for each coefficient, run and EOB (see ``ComponentCodes``), two lookups in each
/// iteration. Both codes are joined and ORed into a 64-bit register:
///
/// ```text
///   63        64 - used              0
///   0-7 bits of | code a | code b | 0…     used += length a + length b
///   the last byte
/// ```
///
/// The register is stored with all eight bytes, and the address advances by the used whole bytes; the rest is
/// overwritten in the next iteration. Whether a register is full is not predictable, so this costs less than a branch
/// for it.
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

  /// Codes a block whose coefficients all fit into bytes.
  ///
  /// - Returns: The number of bits; nil if an entry is missing, because it would be too long or has no code.
  @inline(__always)
  private static func code(
    _ block: borrowing TransformedBlock,
    _ codes: ComponentCodes,
    at first: UnsafeMutableRawPointer
  ) -> Int? {
    // No EOB after a coefficient at zigzag position 63.
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
      // The lowest seven bits of an entry are its length; those of the sum of two entries are the sum of their
      // lengths. Shifts by `b` use its lowest six bits, which are the length of code b.
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
  /// Sets `lacksCode` if a symbol has no code.
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

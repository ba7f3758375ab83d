/// A lookup table for decoding: indexed by the next ``lookahead`` bits of the data, it gives up to two AC coefficients.
///
/// A block of a photo has few coefficients, and most of their codes are short. The index holds the first of two
/// coefficients and the code of the second, or a coefficient and EOB, more often than not. Such a ``Group`` is decoded
/// with one lookup:
///
/// ```text
///   byte    0        1        2         3        4 … 5   6       7
///   group   length | offset | advance | before | first | shift | firstBits
///
///   one coefficient      offset = advance = run + 1
///   two coefficients     offset = run₁ + 1, advance = offset + run₂ + 1
///   coefficient and EOB  offset = run + 1,  advance = end (64)
///   EOB                  offset = beyond (128), advance = end (64)
///   anything else        length = 0, advance = end (64)
/// ```
///
/// The additional bits of the last coefficient need not be in the index: they begin after `before` bits, and `shift` is
/// 63 minus their number. The value is not needed to find the next group, so the decoder takes it from the data
/// (``BitReader/value(after:shift:)``) while it looks up the next group.
///
/// The decoder adds `advance` to its position and continues without further tests while the sum is below 63. The place
/// of a single coefficient is written twice, first with `first`, which is cheaper than a branch. For anything else, such
/// as ZRL or a coefficient of more than 7 bits, `codes` gives the symbol, and codes longer than the index are found by
/// their lengths (T.81, F.2.2.3).
@safe
final class DecodeTable {
  /// The meaning of a table's symbols.
  enum Use {
    case differences
    case coefficients
  }

  /// One or two AC coefficients, an EOB, or a coefficient and an EOB.
  ///
  /// Each coefficient fits into a byte. In a DC table: one difference.
  struct Group: BitwiseCopyable {
    /// The number of bits, at most ``DecodeTable/maxGroupBits``; 0 if the symbol must be read by itself.
    fileprivate(set) var length: UInt8 = 0
    /// The distance of the first coefficient from the one before; ``beyond`` for an EOB alone.
    fileprivate(set) var offset: UInt8 = 0
    /// The distance of the last coefficient from the one before; ``end`` for an EOB, and if `length` is 0.
    fileprivate(set) var advance = UInt8(end)
    /// The number of bits before the additional bits of the last coefficient.
    fileprivate(set) var before: UInt8 = 0
    /// The first of two coefficients, the coefficient before an EOB, or a difference, as sign-extended additional bits.
    fileprivate(set) var first: Int16 = 0
    /// 63 minus the number of additional bits of the last coefficient.
    fileprivate(set) var shift: UInt8 = 0
    /// The number of bits before the additional bits of `first` × 8 + their number; 0 without such a coefficient.
    fileprivate(set) var firstBits: UInt8 = 0

    /// Larger than every distance of coefficients.
    @inline(__always)
    static var end: Int { 64 }
    @inline(__always)
    static var beyond: Int { 128 }
  }

  /// An unowned reference to a table, which avoids reference counting in the loop over blocks.
  ///
  /// The table must outlive it.
  @safe
  struct Lookup {
    let groups: UnsafeMutablePointer<Group>
    let codes: UnsafeMutablePointer<UInt16>
    private let table: Unmanaged<DecodeTable>

    fileprivate init(_ table: DecodeTable) {
      unsafe groups = table.groups
      unsafe codes = table.codes
      unsafe self.table = Unmanaged.passUnretained(table)
    }

    /// Finds a code of more than ``lookahead`` bits; see ``DecodeTable/longCode(_:)``.
    @inline(never)
    func longCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
      unsafe table._withUnsafeGuaranteedRef { $0.longCode(bits) }
    }
  }

  var lookup: Lookup { Lookup(self) }

  /// The number of bits of the index.
  static var lookahead: Int { 11 }

  /// The largest category of a coefficient that fits into a byte.
  private static var maxCategory: Int { 7 }

  /// The maximum number of bits of a group; at least that of a code.
  @inline(__always)
  static var maxGroupBits: Int { lookahead &+ maxCategory }

  /// The number of groups after each of which another group is still in the buffer, if `bits` other bits were read
  /// since ``BitReader/fill()``, plus the group that needs a refill after it.
  @inline(__always)
  static func groups(after bits: Int = 0) -> Int {
    (BitReader.minBits &- bits &- maxGroupBits) / maxGroupBits &+ 1
  }

  let groups: UnsafeMutablePointer<Group>
  /// The symbol × 2⁸ + the number of bits of its code; 0 if the code is longer than the index.
  let codes: UnsafeMutablePointer<UInt16>
  /// For each code length the smallest 16 bits above all codes of that length (MAXCODE of T.81, F.2.2.3, as a
  /// left-aligned limit).
  private let limits: [UInt32]
  /// For each code length the difference between a symbol's index and its code (VALPTR - MINCODE of T.81, F.2.2.3).
  private let offsets: [Int]
  private let symbols: [UInt8]

  /// Creates the table; nil if the counts do not describe a prefix code (T.81, annex C).
  init?(_ table: HuffmanTable, for use: Use) {
    guard table.counts.count == 16,
      table.counts.reduce(0, { $0 + Int($1) }) == table.symbols.count
    else { return nil }
    let size = 1 << Self.lookahead
    unsafe groups = .allocate(capacity: size)
    let codes = UnsafeMutablePointer<UInt16>.allocate(capacity: size)
    unsafe codes.initialize(repeating: 0, count: size)
    unsafe self.codes = codes
    var (limits, offsets) = ([UInt32](repeating: 0, count: 17), [Int](repeating: 0, count: 17))
    var (code, index) = (0, 0)
    var isSound = true
    for length in 1...16 {
      offsets[length] = index - code
      // In the order of the table, because a symbol may have more than one code.
      for _ in 0..<table.counts[length - 1] {
        isSound = isSound && code < 1 << length
        if isSound, length <= Self.lookahead {
          let free = Self.lookahead - length
          unsafe (codes + code << free).update(
            repeating: UInt16(table.symbols[index]) << 8 | UInt16(length),
            count: 1 << free
          )
        }
        code += 1
        index += 1
      }
      // The code of all ones is reserved (T.81, annex C).
      isSound = isSound && code < 1 << length
      limits[length] = UInt32(truncatingIfNeeded: code << (16 - length))
      code <<= 1
    }
    (self.limits, self.offsets, symbols) = (limits, offsets, table.symbols)
    guard isSound else { return nil }
    var bits = 0
    while bits < size {
      let (group, known) = use == .coefficients ? coefficients(bits) : difference(bits)
      let count = 1 << (Self.lookahead - known)
      unsafe (groups + bits).initialize(repeating: group, count: count)
      bits += count
    }
  }

  deinit {
    unsafe groups.deallocate()
    unsafe codes.deallocate()
  }

  /// A code in the index.
  private struct Code {
    var symbol: Int
    var length: Int

    /// The number of zeros before a coefficient.
    var zeros: Int { symbol >> 4 }
    var category: Int { symbol & 15 }
    /// The number of bits with the additional ones.
    var end: Int { length + category }
    /// Whether the symbol is a coefficient that fits into a byte.
    var isNarrow: Bool { (1...DecodeTable.maxCategory).contains(category) }
  }

  /// Returns the code that an index begins with after some bits; nil if not all of it is in the index.
  private func code(_ bits: Int, after skipped: Int = 0) -> Code? {
    let code = unsafe Int(codes[bits << skipped & (1 << Self.lookahead - 1)])
    let length = code & 0xFF
    guard length > 0, skipped + length <= Self.lookahead else { return nil }
    return Code(symbol: code >> 8, length: length)
  }

  /// Returns the value of a code at the beginning of an index, all of which is in the index (T.81, F.1.2.1).
  private func value(_ code: Code, _ bits: Int) -> Int16 {
    let additional = bits >> (Self.lookahead - code.end) & (1 << code.category - 1)
    let isNegative = code.category > 0 && additional >> (code.category - 1) == 0
    return Int16(isNegative ? additional - 1 << code.category : additional)
  }

  /// A group, and the number of bits that an index begins with if it has this group.
  private typealias Beginning = (group: Group, bits: Int)

  private func difference(_ bits: Int) -> Beginning {
    guard let code = code(bits) else { return (Group(), Self.lookahead) }
    guard code.end <= Self.lookahead else { return (Group(), code.length) }
    return (Group(length: UInt8(code.end), first: value(code, bits)), code.end)
  }

  private func coefficients(_ bits: Int) -> Beginning {
    guard let code = code(bits) else { return (Group(), Self.lookahead) }
    if code.symbol == 0 {
      return (Group(length: UInt8(code.length), offset: UInt8(Group.beyond)), code.length)
    }
    guard code.isNarrow else { return (Group(), code.length) }
    var group = Group(
      length: UInt8(code.end),
      offset: UInt8(code.zeros + 1),
      advance: UInt8(code.zeros + 1),
      before: UInt8(code.length),
      shift: UInt8(63 - code.category)
    )
    guard code.end < Self.lookahead else { return (group, code.length) }
    guard let next = self.code(bits, after: code.end) else { return (group, Self.lookahead) }
    let known = code.end + next.length
    guard next.symbol == 0 || next.isNarrow else { return (group, known) }
    group.length += UInt8(next.end)
    group.first = value(code, bits)
    group.firstBits = UInt8(code.length << 3 | code.category)
    if next.symbol == 0 {
      group.advance = UInt8(Group.end)
    } else {
      group.advance += UInt8(next.zeros + 1)
      group.before = UInt8(known)
      group.shift = UInt8(63 - next.category)
    }
    return (group, known)
  }

  /// Finds a code of more than ``lookahead`` bits, or nil if there is none.
  fileprivate func longCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
    for length in Self.lookahead + 1...HuffmanTable.maxLength where bits < limits[length] {
      let index = Int(bits >> UInt32(16 - length)) + offsets[length]
      guard symbols.indices.contains(index) else { return nil }
      return (Int(symbols[index]), length)
    }
    return nil
  }
}

/// The tables that the codes of a block are looked up in.
struct BlockTables {
  var dc: DecodeTable.Lookup
  var ac: DecodeTable.Lookup
}

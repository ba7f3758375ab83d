/// A lookup table for decoding: indexed by the next ``lookahead`` bits of the data, it gives up to two AC coefficients
/// with their additional bits.
///
/// A block of a photo has few coefficients, and most of their codes are short; a pair of coefficients, or a
/// coefficient with EOB, often takes no more than 11 bits. Such a ``Group`` is decoded with one lookup:
///
/// ```text
///   byte    0        1        2         3       4 … 5    6 … 7
///   group   length | offset | advance | unused | first  | second
///
///   one coefficient      offset = advance = run + 1, second = first
///   two coefficients     offset = run₁ + 1, advance = offset + run₂ + 1
///   coefficient and EOB  offset = run + 1,  advance = end (64)
///   EOB                  offset = beyond (128), advance = end (64)
///   anything else        length = 0, advance = end (64)
/// ```
///
/// The decoder adds `advance` to its position and continues without further tests while the sum is below 63. A single
/// coefficient is written twice to the same place, which is cheaper than a branch. For anything else, such as ZRL or a
/// coefficient of more than 7 bits, `codes` gives the symbol, and codes longer than the index are found by their
/// lengths (T.81, F.2.2.3).
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
    /// The number of bits; 0 if the symbol must be read by itself.
    let length: UInt8
    /// The distance of the first coefficient from the one before; ``beyond`` for an EOB alone.
    let offset: UInt8
    /// The distance of the last coefficient from the one before; ``end`` for an EOB, and if `length` is 0.
    let advance: UInt8
    /// The coefficients as sign-extended additional bits; a single one is in both fields.
    let first: Int16
    let second: Int16

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

  /// An unowned reference to the table.
  var lookup: Lookup { Lookup(self) }

  /// The number of bits of the index.
  static var lookahead: Int { 11 }

  /// The number of groups after each of which a complete code is still in the buffer, if `bits` other bits were read
  /// since ``BitReader/fill()``, plus the group that needs a refill after it.
  @inline(__always)
  static func groups(after bits: Int = 0) -> Int {
    (BitReader.minBits &- bits &- HuffmanTable.maxLength) / lookahead &+ 1
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
    let singles = (0..<size).map { single($0, use) }
    for (bits, single) in singles.enumerated() {
      let next = singles[bits << Int(single.length) & (size - 1)]
      unsafe (groups + bits).initialize(to: use == .coefficients ? single.joined(next) : single)
    }
  }

  deinit {
    unsafe groups.deallocate()
    unsafe codes.deallocate()
  }

  /// Returns the group of the first symbol alone: a DC difference, an AC coefficient of a byte, or an EOB.
  ///
  /// Its length is 0 if the symbol is anything else, or if not all of its bits are in the index.
  private func single(_ bits: Int, _ use: Use) -> Group {
    let code = unsafe Int(codes[bits])
    let (symbol, length) = (code >> 8, code & 0xFF)
    let size = symbol & 15
    guard length > 0, length + size <= Self.lookahead else { return .none }
    // The value from its additional bits (T.81, F.1.2.1).
    let free = Self.lookahead - length - size
    let additional = bits >> free & (1 << size - 1)
    let isNegative = size > 0 && additional >> (size - 1) == 0
    let value = isNegative ? additional - 1 << size : additional
    switch use {
    case .differences: return Group(length + size, offset: 0, value)
    case .coefficients where symbol == 0:
      return Group(length, offset: Group.beyond, advance: Group.end, 0)
    case .coefficients where size == 0 || size > 7: return .none
    case .coefficients: return Group(length + size, offset: symbol >> 4 + 1, value)
    }
  }

  /// Finds a code of more than ``lookahead`` bits.
  ///
  /// - Parameter bits: The next 16 bits.
  /// - Returns: The symbol and the length of its code; nil if there is none.
  fileprivate func longCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
    for length in Self.lookahead + 1...HuffmanTable.maxLength where bits < limits[length] {
      let index = Int(bits >> UInt32(16 - length)) + offsets[length]
      guard symbols.indices.contains(index) else { return nil }
      return (Int(symbols[index]), length)
    }
    return nil
  }
}

extension DecodeTable.Group {
  /// An entry that is not a group.
  fileprivate static var none: Self { Self(0, offset: 0, advance: Self.end, 0) }

  fileprivate init(
    _ length: Int,
    offset: Int,
    advance: Int? = nil,
    _ first: Int,
    _ second: Int? = nil
  ) {
    self.init(
      length: UInt8(length),
      offset: UInt8(offset),
      advance: UInt8(advance ?? offset),
      first: Int16(first),
      second: Int16(second ?? first)
    )
  }

  /// Returns a coefficient joined with the next group, if all bits of both are in the index.
  fileprivate func joined(_ next: Self) -> Self {
    let length = Int(self.length) + Int(next.length)
    guard advance != Self.end, next.length > 0, length <= DecodeTable.lookahead else { return self }
    return Self(
      length,
      offset: Int(offset),
      advance: next.advance == Self.end ? Self.end : Int(offset) + Int(next.offset),
      Int(first),
      next.advance == Self.end ? nil : Int(next.first)
    )
  }
}

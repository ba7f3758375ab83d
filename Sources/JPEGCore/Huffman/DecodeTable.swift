/// What a bit reader looks up: for the bits that come next what they begin with.
@safe
final class DecodeTable {
  /// What the symbols of a table mean.
  enum Use {
    case differences
    case coefficients
  }

  /// One coefficient or two, or EOB, maybe after one coefficient.
  ///
  /// That is as much as is among the bits that are looked up, additional bits included. Each AC coefficient fits
  /// into a byte.
  struct Group: BitwiseCopyable {
    /// How many bits it has; 0 where a symbol must be read by itself.
    let length: UInt8
    /// How far after the coefficient before it the first one stands; ``beyond`` where there is only an end.
    let offset: UInt8
    /// How far after it the last one stands; ``end`` at EOB, and where there is nothing.
    let advance: UInt8
    /// The coefficients, as additional bits (T.81, F.1.2.1); a single one stands for both.
    let first: Int16
    let second: Int16

    /// Further than any coefficient stands after another.
    @inline(__always)
    static var end: Int { 64 }
    @inline(__always)
    static var beyond: Int { 128 }
  }

  /// A table without a reference to it, so that a loop over blocks need not count references.
  ///
  /// The table must live as long.
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

    /// Finds a code that is longer than what is looked up; see ``DecodeTable/longCode(_:)``.
    @inline(never)
    func longCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
      unsafe table._withUnsafeGuaranteedRef { $0.longCode(bits) }
    }
  }

  /// The table without a reference to it.
  var lookup: Lookup { Lookup(self) }

  /// How many bits are looked up at once.
  static var lookahead: Int { 11 }

  let groups: UnsafeMutablePointer<Group>
  /// Symbol × 2⁸ + the number of bits of its code; 0 where the code is longer than what is looked up.
  let codes: UnsafeMutablePointer<UInt16>
  /// For each length of a code the first 16 bits that are too high for it.
  private let limits: [UInt32]
  /// For each length what leads from a code to the index of its symbol.
  private let offsets: [Int]
  private let symbols: [UInt8]

  /// Gives nil where the table is not one that the standard allows.
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
      // In the order of the table, for a symbol may have more than one code.
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
      // A code of ones alone is not allowed.
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

  /// The group of the first symbol alone: a DC difference, an AC coefficient that fits into a byte, or the end of a
  /// block; of no length where it is anything else, or not all of it is among the bits.
  private func single(_ bits: Int, _ use: Use) -> Group {
    let code = unsafe Int(codes[bits])
    let (symbol, length) = (code >> 8, code & 0xFF)
    let size = symbol & 15
    guard length > 0, length + size <= Self.lookahead else { return .none }
    // By its additional bits (T.81, F.1.2.1).
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

  /// Finds a code that is longer than what is looked up.
  ///
  /// - Parameter bits: The next 16 bits.
  /// - Returns: The symbol, and the length of its code; nil where there is none.
  fileprivate func longCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
    for length in Self.lookahead + 1...16 where bits < limits[length] {
      let index = Int(bits >> UInt32(16 - length)) + offsets[length]
      guard symbols.indices.contains(index) else { return nil }
      return (Int(symbols[index]), length)
    }
    return nil
  }
}

extension DecodeTable.Group {
  /// Nothing that may be taken as a group.
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

  /// A coefficient with what comes next, if both are among the bits that are looked up.
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

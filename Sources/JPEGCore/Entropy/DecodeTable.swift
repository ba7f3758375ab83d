/// What a bit reader looks up: for the bits that come next the symbol that they begin with, and the coefficient
/// behind it where its additional bits are among them, and it fits into a byte.
///
/// An entry is coefficient × 2¹⁶ + the number of zeros before it and itself × 2⁸ + number of bits. Where the
/// coefficient must be read, it is symbol × 2⁸ + number of bits of the code alone; or 0 where the code is longer
/// than what is looked up.
@safe
final class DecodeTable {
  /// How many bits are looked up at once.
  static var lookahead: Int { 10 }

  let entries: UnsafeMutablePointer<Int32>
  /// For each length of a code the first 16 bits that are too high for it.
  private let limits: [UInt32]
  /// For each length what leads from a code to the index of its symbol.
  private let offsets: [Int]
  private let symbols: [UInt8]

  /// Gives nil where the table is not one that the standard allows.
  init?(_ table: HuffmanTable) {
    guard table.counts.count == 16,
      table.counts.reduce(0, { $0 + Int($1) }) == table.symbols.count
    else { return nil }
    let entries = UnsafeMutablePointer<Int32>.allocate(capacity: 1 << Self.lookahead)
    unsafe entries.initialize(repeating: 0, count: 1 << Self.lookahead)
    unsafe self.entries = entries
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
          for rest in 0..<1 << free {
            unsafe entries[code << free | rest] =
              Self.entry(Int(table.symbols[index]), length, rest, free)
          }
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
  }

  deinit { unsafe entries.deallocate() }

  /// The entry of a code with `free` bits behind it, `rest`.
  private static func entry(_ symbol: Int, _ length: Int, _ rest: Int, _ free: Int) -> Int32 {
    let size = symbol & 15
    guard size > 0, size <= min(free, 7) else { return Int32(symbol << 8 | length) }
    let bits = rest >> (free - size)
    let value = bits >> (size - 1) == 1 ? bits : bits - (1 << size) + 1
    return Int32(value << 16 | (symbol >> 4 + 1) << 8 | (length + size))
  }

  /// Finds a code that is longer than what is looked up.
  ///
  /// - Parameter bits: The next 16 bits.
  /// - Returns: The symbol, and the length of its code; nil where there is none.
  @inline(never)
  func longCode(_ bits: UInt32) -> (symbol: Int, length: Int)? {
    for length in Self.lookahead + 1...16 where bits < limits[length] {
      let index = Int(bits >> UInt32(16 - length)) + offsets[length]
      guard symbols.indices.contains(index) else { return nil }
      return (Int(symbols[index]), length)
    }
    return nil
  }
}

/// What a bit writer looks up: for each table the codes of its symbols, and for each AC table those of
/// coefficients with the zeros before them, additional bits included.
///
/// An entry is bits × 256 + their number.
@safe
package final class CodeTable {
  let entries: UnsafeMutablePointer<UInt32>

  /// The entry for a symbol without a code.
  static var missing: UInt32 { 0x80 }
  private static var symbols: Int { TableIndex.count * 256 }
  private static var values: Int { 16 * 256 }
  /// How many entries there are.
  static var size: Int { symbols + 4 * values }

  /// The place of a symbol's code.
  @inline(__always)
  static func symbol(_ symbol: Int, table index: Int) -> Int {
    (index & 7) &<< 8 | symbol & 255
  }

  /// The place of the code of an AC coefficient after `run` zeros.
  @inline(__always)
  static func value(_ value: Int8, run: Int, table index: Int) -> Int {
    values(table: index) &+ ((run & 15) &<< 8 | Int(UInt8(bitPattern: value)))
  }

  /// The place of the first code of an AC coefficient.
  @inline(__always)
  static func values(table index: Int) -> Int { symbols &+ (index & 3) &<< 12 }

  /// - Parameter tables: The tables by ``TableIndex``; nil where a slot is not used.
  package init(_ tables: [HuffmanTable?]) {
    let result = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.size)
    unsafe entries = result
    unsafe result.initialize(repeating: Self.missing, count: Self.size)
    for (index, table) in tables.prefix(TableIndex.count).enumerated() {
      guard let table else { continue }
      for (symbol, code) in table.codes.enumerated() where code.length > 0 {
        unsafe result[Self.symbol(symbol, table: index)] =
          UInt32(code.code) << 8 | UInt32(code.length)
      }
      guard index >= TableIndex.ac(0) else { continue }
      for run in 0..<16 {
        for value in Int8.min...Int8.max where value != 0 {
          let size = category(abs(Int(value)))
          let code = unsafe result[Self.symbol(run << 4 | size, table: index)]
          guard code != Self.missing else { continue }
          let bits = additionalBits(Int(value)) & (1 << UInt32(size) - 1)
          unsafe result[Self.value(value, run: run, table: index)] =
            ((code >> 8) << UInt32(size) | bits) << 8 | (code & 0xFF + UInt32(size))
        }
      }
    }
  }

  deinit { unsafe entries.deallocate() }
}

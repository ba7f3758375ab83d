/// The Huffman codes of all tables of a scan, as a writer looks them up: by symbol, and in AC tables also by a pair of
/// run and coefficient with the additional bits included.
///
/// Coding a coefficient of a byte takes one lookup.
///
/// ```text
///   entry   31            8   7        6          0
///           bits, at the   | missing | number of
///           right          |         | bits
///
///   index      0 …  2047   table (8) × symbol (256)
///           2048 … 18431   AC slot (4) × run (16) × coefficient as a byte (256)
///          18432           no bits
/// ```
///
/// The longest entry has 24 bits: a code of 16 bits and the 8 additional bits of -128.
@safe
package final class CodeTable {
  let entries: UnsafeMutablePointer<UInt32>

  /// The entry of a symbol without a code.
  static var missing: UInt32 { 0x80 }
  private static var symbols: Int { TableIndex.count * 256 }
  private static var values: Int { 16 * 256 }
  static var size: Int { empty + 1 }
  /// The index of the entry that has no bits.
  static var empty: Int { symbols + 4 * values }

  @inline(__always)
  static func symbol(_ symbol: Int, table index: Int) -> Int {
    (index & 7) &<< 8 | symbol & 255
  }

  /// Returns the index of the code of an AC coefficient after `run` zeros.
  @inline(__always)
  static func value(_ value: Int8, run: Int, table index: Int) -> Int {
    values(table: index) &+ ((run & 15) &<< 8 | Int(UInt8(bitPattern: value)))
  }

  @inline(__always)
  static func values(table index: Int) -> Int { symbols &+ (index & 3) &<< 12 }

  package init(_ tables: [HuffmanTable?]) {
    let result = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.size)
    unsafe entries = result
    unsafe result.initialize(repeating: Self.missing, count: Self.size)
    unsafe result[Self.empty] = 0
    for (index, table) in tables.prefix(TableIndex.count).enumerated() {
      guard let table else { continue }
      for (symbol, code) in table.codes.enumerated() where code.length > 0 {
        unsafe result[Self.symbol(symbol, table: index)] =
          UInt32(code.code) << 8 | UInt32(code.length)
        let (run, size) = (symbol >> 4, UInt32(symbol & 15))
        guard index >= TableIndex.ac(0), 1...8 ~= size else { continue }
        // Of those of 8 bits, only -128 is a byte.
        for bits in size == 8 ? 127..<128 : 0..<UInt32(1) << size {
          let isNegative = bits >> (size - 1) == 0
          let value = Int8(truncatingIfNeeded: Int(bits) - (isNegative ? 1 << size - 1 : 0))
          unsafe result[Self.value(value, run: run, table: index)] =
            (UInt32(code.code) << size | bits) << 8 | (UInt32(code.length) + size)
        }
      }
    }
  }

  deinit { unsafe entries.deallocate() }
}

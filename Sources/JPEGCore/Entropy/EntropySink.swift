/// Where a scan encoder puts its symbols: into statistics or into bits.
package protocol EntropySink: ~Copyable {
  /// Codes `symbol` with the Huffman table of `index`, then `count` (0 to 15) low bits of `bits`.
  mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int)
  /// `count` (0 to 15) low bits of `bits`, without a symbol.
  mutating func put(bits: UInt32, count: Int)
  /// Ends the current interval with RSTm, m = `number` modulo 8.
  mutating func restart(_ number: Int)
}

/// Indexes of the Huffman tables that a scan may use: four slots for DC, four for AC.
package enum TableIndex {
  package static func dc(_ slot: Int) -> Int { slot }
  package static func ac(_ slot: Int) -> Int { 4 + slot }
  package static let count = 8
}

/// Counts the symbols of a scan.
package struct SymbolStatistics: EntropySink {
  /// Tables × 256 frequencies.
  private var frequencies = [Int](repeating: 0, count: TableIndex.count * 256)

  package init() {}

  package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
    frequencies[index << 8 | symbol] += 1
  }

  package mutating func put(bits: UInt32, count: Int) {}

  package mutating func restart(_ number: Int) {}

  /// The frequencies of the 256 symbols of a table.
  package func table(_ index: Int) -> [Int] { Array(frequencies[index << 8..<(index + 1) << 8]) }
}

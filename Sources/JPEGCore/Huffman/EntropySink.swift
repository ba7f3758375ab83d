/// The destination of a scan's symbols: ``SymbolLog`` or ``BitWriter``.
package protocol EntropySink: ~Copyable {
  /// Takes the symbols of one block.
  ///
  /// It is a local variable of the coder, which stays in registers.
  associatedtype Register: EntropyRegister

  /// Appends bits without a symbol.
  mutating func put(_ bits: BitString)
  /// Ends the current interval with RSTm, m = `number` modulo 8.
  mutating func restart(_ number: Int)
  /// Returns the register for one block; nothing else may be put until ``close(_:)`` returns it.
  mutating func open() -> Register
  mutating func close(_ register: Register)
  /// Whether what was put is too much, and the rest is of no use.
  var isFull: Bool { get }
}

/// Takes the symbols of one block, for which ``EntropySink/open()`` reserved the space.
package protocol EntropyRegister {
  /// Codes `symbol` with the Huffman table of `index`, then `count` (0 to 15) low bits of `bits`.
  mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int)
  /// Codes `symbol` with the Huffman table of `index`, then up to 63 bits.
  mutating func put(symbol: Int, table index: Int, _ bits: BitString)
  /// Codes an AC coefficient after `run` (0 to 15) zeros with the Huffman table of `index`.
  mutating func put(run: Int, value: Int8, table index: Int)
}

/// Indexes of a scan's Huffman tables: four slots for DC, four for AC.
package enum TableIndex {
  package static func dc(_ slot: Int) -> Int { slot }
  package static func ac(_ slot: Int) -> Int { 4 + slot }
  package static let count = 8
}

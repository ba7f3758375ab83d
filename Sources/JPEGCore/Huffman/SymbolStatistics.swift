/// Counts the symbols of a scan, for optimal tables.
package struct SymbolStatistics: EntropySink, ~Copyable {
  /// Counts the symbols of a block.
  @safe
  package struct Register: EntropyRegister {
    /// The number of lookups of each ``CodeTable`` entry.
    fileprivate let frequencies: UnsafeMutablePointer<UInt32>

    @inline(__always)
    package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
      unsafe frequencies[CodeTable.symbol(symbol, table: index)] &+= 1
    }

    @inline(__always)
    package mutating func put(symbol: Int, table index: Int, _ bits: BitString) {
      put(symbol: symbol, table: index, bits: 0, count: 0)
    }

    @inline(__always)
    package mutating func put(run: Int, value: Int8, table index: Int) {
      unsafe frequencies[CodeTable.value(value, run: run, table: index)] &+= 1
    }
  }

  private var register: Register

  package init() {
    unsafe register = Register(frequencies: .allocate(capacity: CodeTable.size))
    unsafe register.frequencies.initialize(repeating: 0, count: CodeTable.size)
  }

  deinit { unsafe register.frequencies.deallocate() }

  package mutating func put(_ bits: BitString) {}

  package mutating func restart(_ number: Int) {}

  @inline(__always)
  package mutating func open() -> Register { register }

  @inline(__always)
  package mutating func close(_ register: Register) {}

  /// Returns the frequencies of the 256 symbols of a table.
  package func table(_ index: Int) -> [Int] {
    var result = (0..<256).map { symbol in
      unsafe Int(register.frequencies[CodeTable.symbol(symbol, table: index)])
    }
    guard index >= TableIndex.ac(0) else { return result }
    for run in 0..<16 {
      for value in Int8.min...Int8.max where value != 0 {
        let place = CodeTable.value(value, run: run, table: index)
        result[run << 4 | category(abs(Int(value)))] += unsafe Int(register.frequencies[place])
      }
    }
    return result
  }
}

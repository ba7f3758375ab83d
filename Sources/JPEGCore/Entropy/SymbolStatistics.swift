/// Counts the symbols of a scan.
package struct SymbolStatistics: EntropySink, ~Copyable {
  /// Counts the symbols of a block.
  @safe
  package struct Register: EntropyRegister {
    /// Tables × 256 frequencies.
    fileprivate let frequencies: UnsafeMutablePointer<Int>

    @inline(__always)
    package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
      unsafe frequencies[(index & 7) &<< 8 | symbol & 255] &+= 1
    }

    @inline(__always)
    package mutating func put(run: Int, value: Int8, table index: Int) {
      put(symbol: run &<< 4 | category(abs(Int(value))), table: index, bits: 0, count: 0)
    }
  }

  private var register: Register

  package init() {
    unsafe register = Register(frequencies: .allocate(capacity: TableIndex.count * 256))
    unsafe register.frequencies.initialize(repeating: 0, count: TableIndex.count * 256)
  }

  deinit { unsafe register.frequencies.deallocate() }

  @inline(__always)
  package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
    register.put(symbol: symbol, table: index, bits: bits, count: count)
  }

  package mutating func put(bits: UInt32, count: Int) {}

  package mutating func restart(_ number: Int) {}

  @inline(__always)
  package mutating func open() -> Register { register }

  @inline(__always)
  package mutating func close(_ register: Register) {}

  /// The frequencies of the 256 symbols of a table.
  package func table(_ index: Int) -> [Int] {
    (0..<256).map { unsafe register.frequencies[(index & 7) << 8 | $0] }
  }
}

/// The symbols of a scan whose codes are not known yet.
struct RecordedSymbols {
  /// An entry of a ``CodeTable``, and bits that follow its code.
  ///
  /// ```text
  ///   31      17   16    13   12              0
  ///   entry      | count    | bits, at the right
  /// ```
  struct Step: BitwiseCopyable {
    private let rawValue: UInt32

    /// The maximum number of bits after the code.
    @inline(__always)
    static var maxBits: Int { 13 }

    @inline(__always)
    fileprivate init(_ entry: Int, _ bits: UInt64 = 0, count: Int = 0) {
      rawValue =
        UInt32(truncatingIfNeeded: entry &<< 17 | count &<< 13) | UInt32(truncatingIfNeeded: bits)
    }

    @inline(__always)
    var entry: Int { Int(rawValue &>> 17) }
    @inline(__always)
    var count: UInt32 { rawValue &>> 13 & 15 }
    @inline(__always)
    var bits: UInt32 { rawValue & 0x1FFF }
  }

  fileprivate(set) var steps: [Step] = []
  /// The numbers of the steps before which restart intervals begin.
  fileprivate(set) var restarts: [Int] = []
}

/// Counts the symbols of a scan, for optimal tables, and records them, so that the blocks are visited once, not twice.
@safe
struct SymbolLog: EntropySink, ~Copyable {
  /// Records the symbols of a block.
  @safe
  struct Register: EntropyRegister {
    /// The number of uses of each entry.
    fileprivate let frequencies: UnsafeMutablePointer<UInt32>
    /// The address of the next step.
    fileprivate var end: UnsafeMutablePointer<RecordedSymbols.Step>

    @inline(__always)
    mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
      let bits = UInt64(bits) & (1 &<< UInt64(truncatingIfNeeded: count) &- 1)
      put(symbol: symbol, table: index, BitString(bits, count: count))
    }

    @inline(__always)
    mutating func put(symbol: Int, table index: Int, _ bits: BitString) {
      let entry = CodeTable.symbol(symbol, table: index)
      unsafe frequencies[entry] &+= 1
      if bits.count <= RecordedSymbols.Step.maxBits {
        put(RecordedSymbols.Step(entry, bits.value, count: bits.count))
      } else {
        put(RecordedSymbols.Step(entry))
        put(bits)
      }
    }

    @inline(__always)
    mutating func put(run: Int, value: Int8, table index: Int) {
      let entry = CodeTable.value(value, run: run, table: index)
      unsafe frequencies[entry] &+= 1
      put(RecordedSymbols.Step(entry))
    }

    fileprivate mutating func put(_ bits: BitString) {
      var left = bits.count
      while left > 0 {
        let count = min(left, RecordedSymbols.Step.maxBits)
        left -= count
        let part = bits.value >> UInt64(left) & (1 << UInt64(count) - 1)
        put(RecordedSymbols.Step(CodeTable.empty, part, count: count))
      }
    }

    @inline(__always)
    private mutating func put(_ step: RecordedSymbols.Step) {
      unsafe end.pointee = step
      unsafe end += 1
    }
  }

  /// More than a block can have: 63 coefficients, each with its bits and three ZRL codes, and an EOB run's bits.
  private static let maxStepsOfBlock = 512
  private static let bufferSize = 1 << 12

  private let keepsSymbols: Bool
  private var symbols = RecordedSymbols()
  /// The latest steps, as in ``BitWriter``.
  private let buffer: UnsafeMutablePointer<RecordedSymbols.Step>
  private var register: Register

  /// Without `keepsSymbols` they are only counted; `expectedSize` is that of the coded data in bytes.
  init(keepsSymbols: Bool, expectedSize: Int) {
    self.keepsSymbols = keepsSymbols
    // A symbol with its bits is rarely shorter than four bits; what is not used is never touched.
    if keepsSymbols { symbols.steps.reserveCapacity(2 * expectedSize) }
    unsafe buffer = .allocate(capacity: Self.bufferSize)
    unsafe register = Register(frequencies: .allocate(capacity: CodeTable.size), end: buffer)
    unsafe register.frequencies.initialize(repeating: 0, count: CodeTable.size)
  }

  deinit {
    unsafe buffer.deallocate()
    unsafe register.frequencies.deallocate()
  }

  mutating func put(_ bits: BitString) {
    var register = open()
    register.put(bits)
    close(register)
  }

  mutating func restart(_ number: Int) {
    spill()
    symbols.restarts.append(symbols.steps.count)
  }

  @inline(__always)
  mutating func open() -> Register {
    if unsafe register.end - buffer > Self.bufferSize &- Self.maxStepsOfBlock { spill() }
    return register
  }

  @inline(__always)
  mutating func close(_ register: Register) { self.register = register }

  var isFull: Bool { false }

  /// Counts a DC difference without recording it.
  @inline(__always)
  mutating func count(difference: Int, table index: Int) {
    unsafe register.frequencies[CodeTable.symbol(category(of: difference), table: index)] &+= 1
  }

  /// Returns the symbols that were recorded.
  mutating func finish() -> RecordedSymbols {
    spill()
    return symbols
  }

  /// Moves the steps of the buffer to the others.
  @inline(never)
  private mutating func spill() {
    if keepsSymbols {
      unsafe symbols.steps.append(
        contentsOf: UnsafeBufferPointer(start: buffer, count: register.end - buffer)
      )
    }
    unsafe register.end = buffer
  }

  /// Adds the frequencies of the 256 symbols of a table.
  mutating func add(_ frequencies: [Int], table index: Int) {
    for (symbol, count) in frequencies.enumerated() {
      unsafe register.frequencies[CodeTable.symbol(symbol, table: index)] &+=
        UInt32(truncatingIfNeeded: count)
    }
  }

  /// Returns the frequencies of the 256 symbols of a table.
  func frequencies(_ index: Int) -> [Int] {
    var result = (0..<256).map { symbol in
      unsafe Int(register.frequencies[CodeTable.symbol(symbol, table: index)])
    }
    guard index >= TableIndex.ac(0) else { return result }
    for run in 0..<16 {
      for value in Int8.min...Int8.max where value != 0 {
        let place = CodeTable.value(value, run: run, table: index)
        let frequency = unsafe Int(register.frequencies[place])
        if frequency > 0 { result[run << 4 | category(of: Int(value))] += frequency }
      }
    }
    return result
  }
}

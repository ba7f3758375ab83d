/// Writes Huffman codes as entropy-coded data: most significant bit first, a zero byte stuffed after each
/// 0xFF, the last byte padded with ones (T.81, F.1.2.3).
///
/// The buffer grows in ``reserve(_:)`` alone, which every operation calls before it writes.
@safe
package struct BitWriter: EntropySink, ~Copyable {
  package typealias Register = BitRegister

  private let codes: CodeTable
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var register: Register
  /// The bits that fill up the last byte of an interval.
  private let fill: Fill
  /// The number of the interval.
  private var interval = 0

  /// - Parameters:
  ///   - codes: The codes of the tables that are used.
  ///   - expectedSize: A guess of the size in bytes.
  ///   - fill: The bits that fill up the last byte of each restart interval; ones unless given, as the
  ///     standard requires.
  package init(codes: CodeTable, expectedSize: Int, fill: Fill = Fill()) {
    self.fill = fill
    self.codes = codes
    capacity = max(expectedSize, 1024)
    unsafe buffer = .allocate(capacity: capacity)
    unsafe register = Register(codes, end: buffer, isStuffed: true)
  }

  deinit { unsafe buffer.deallocate() }

  /// Whether a symbol had to be written that its table has no code for.
  package var lacksCode: Bool { register.lacksCode }

  @inline(__always)
  package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
    reserve(Self.maxBytesOfOperation)
    register.put(symbol: symbol, table: index, bits: bits, count: count)
  }

  @inline(__always)
  package mutating func put(_ bits: BitString) {
    guard bits.count > 0 else { return }
    reserve(Self.maxBytesOfOperation)
    register.append(bits.aligned, bits.count)
  }

  package mutating func restart(_ number: Int) {
    flush()
    register.append(0xFF)
    register.append(0xD0 | UInt8(truncatingIfNeeded: number & 7))
  }

  @inline(__always)
  package mutating func open() -> Register {
    reserve(Self.maxBytesOfBlock)
    return register
  }

  @inline(__always)
  package mutating func close(_ register: Register) { self.register = register }

  /// Fills up the last byte.
  ///
  /// - Parameters:
  ///   - withRestart: Whether a restart marker follows.
  ///   - strayBytes: What follows then.
  /// - Returns: The entropy-coded data.
  package consuming func finish(
    withRestart: Bool = false,
    strayBytes: [UInt8] = []
  ) -> [UInt8] {
    if withRestart { restart(interval) } else { flush() }
    for byte in strayBytes {
      reserve(Self.maxBytesOfOperation)
      register.append(byte)
    }
    let (source, size) = unsafe (buffer, register.end - buffer)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { target, initialized in
      initialized = unsafe target.initialize(
        fromContentsOf: UnsafeBufferPointer(start: source, count: size)
      )
    }
  }

  private mutating func flush() {
    reserve(Self.maxBytesOfOperation)
    let missing = register.missingBits
    register.flush(fill.bits(interval, count: missing))
    interval += 1
  }

  /// Eight bytes, each stuffed, twice, and a marker.
  private static let maxBytesOfOperation = 48
  /// 64 coefficients of 31 bits, each with three codes of 16 bits for zeros before it, every byte stuffed.
  private static let maxBytesOfBlock = 2 * 64 * 10

  /// Makes room for what one operation writes.
  @inline(__always)
  private mutating func reserve(_ bytes: Int) {
    if unsafe capacity &- (register.end - buffer) < bytes { grow() }
  }

  @inline(never)
  private mutating func grow() {
    let count = unsafe register.end - buffer
    capacity = max(2 * capacity, capacity + Self.maxBytesOfBlock)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.initialize(from: buffer, count: count)
    unsafe buffer.deallocate()
    unsafe buffer = larger
    unsafe register.move(to: larger + count)
  }
}

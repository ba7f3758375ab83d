/// Writes Huffman codes as entropy-coded data: most significant bit first, a zero byte stuffed behind each
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
  /// The bit that fills up the last byte.
  private let padding: UInt64

  /// - Parameters:
  ///   - codes: The codes of the tables that are used.
  ///   - expectedSize: A guess of the size in bytes.
  ///   - padsWithOnes: Whether the last byte is filled up with ones, as the standard wants.
  package init(codes: CodeTable, expectedSize: Int, padsWithOnes: Bool = true) {
    padding = padsWithOnes ? 1 : 0
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
    reserve(Self.mostBytesOfOperation)
    register.put(symbol: symbol, table: index, bits: bits, count: count)
  }

  package mutating func put(bits: UInt32, count: Int) {
    reserve(Self.mostBytesOfOperation)
    register.write(UInt64(bits & ((1 << UInt32(truncatingIfNeeded: count)) &- 1)), count)
  }

  package mutating func restart(_ number: Int) {
    flush()
    register.append(0xFF)
    register.append(0xD0 | UInt8(truncatingIfNeeded: number & 7))
  }

  @inline(__always)
  package mutating func open() -> Register {
    reserve(Self.mostBytesOfBlock)
    return register
  }

  @inline(__always)
  package mutating func close(_ register: Register) { self.register = register }

  /// Pads the last byte and gives the entropy-coded data.
  package consuming func finish() -> [UInt8] {
    flush()
    let (source, size) = unsafe (buffer, register.end - buffer)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { target, initialized in
      initialized = unsafe target.initialize(
        fromContentsOf: UnsafeBufferPointer(start: source, count: size)
      )
    }
  }

  private mutating func flush() {
    reserve(Self.mostBytesOfOperation)
    register.flush(padding)
  }

  /// Eight bytes, each stuffed, twice, and a marker.
  private static let mostBytesOfOperation = 48
  /// 64 coefficients of 31 bits, each with three codes of 16 bits for zeros before it, every byte stuffed.
  private static let mostBytesOfBlock = 2 * 64 * 10

  /// Makes room for what one operation writes.
  @inline(__always)
  private mutating func reserve(_ bytes: Int) {
    if unsafe capacity &- (register.end - buffer) < bytes { grow() }
  }

  @inline(never)
  private mutating func grow() {
    let count = unsafe register.end - buffer
    capacity = max(2 * capacity, capacity + Self.mostBytesOfBlock)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.initialize(from: buffer, count: count)
    unsafe buffer.deallocate()
    unsafe buffer = larger
    unsafe register.move(to: larger + count)
  }
}

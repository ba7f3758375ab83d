/// Writes Huffman codes as entropy-coded data: most significant bit first, a zero byte stuffed behind each
/// 0xFF, the last byte padded with ones (T.81, F.1.2.3).
///
/// The buffer grows in ``reserve()`` alone, which every operation calls before it writes.
@safe
package struct BitWriter: EntropySink, ~Copyable {
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0
  private var pending: UInt64 = 0
  /// Bits in `pending`, always below 32 between operations.
  private var pendingCount = 0
  /// Code << 8 | length for tables × 256 symbols.
  private let codes: [UInt32]
  /// The bit that fills up the last byte.
  private let padding: UInt64
  /// Whether a symbol had to be written that its table has no code for.
  package private(set) var lacksCode = false

  /// - Parameters:
  ///   - tables: The tables by ``TableIndex``; nil where a slot is not used.
  ///   - expectedSize: A guess of the size in bytes.
  ///   - padsWithOnes: Whether the last byte is filled up with ones, as the standard wants.
  package init(tables: [HuffmanTable?], expectedSize: Int, padsWithOnes: Bool = true) {
    padding = padsWithOnes ? 1 : 0
    codes = tables.flatMap { table -> [UInt32] in
      guard let table else { return [UInt32](repeating: 0, count: 256) }
      return table.codes.map { UInt32($0.code) << 8 | UInt32($0.length) }
    }
    capacity = max(expectedSize, 1024)
    unsafe buffer = .allocate(capacity: capacity)
  }

  deinit { unsafe buffer.deallocate() }

  @inline(__always)
  package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
    let entry = codes[index << 8 | symbol]
    let length = Int(entry & 0xFF)
    if length == 0 { lacksCode = true }
    let mask: UInt32 = (1 << UInt32(truncatingIfNeeded: count)) &- 1
    write((entry >> 8) << UInt32(truncatingIfNeeded: count) | bits & mask, length &+ count)
  }

  package mutating func put(bits: UInt32, count: Int) {
    write(bits & ((1 << UInt32(truncatingIfNeeded: count)) &- 1), count)
  }

  package mutating func restart(_ number: Int) {
    flush()
    reserve()
    appendRaw(0xFF)
    appendRaw(0xD0 | UInt8(truncatingIfNeeded: number & 7))
  }

  /// Pads the last byte and gives the entropy-coded data.
  package consuming func finish() -> [UInt8] {
    flush()
    let (source, size) = unsafe (buffer, count)
    return unsafe [UInt8](unsafeUninitializedCapacity: size) { target, initialized in
      initialized = unsafe target.initialize(
        fromContentsOf: UnsafeBufferPointer(start: source, count: size)
      )
    }
  }

  /// Appends at most 31 bits.
  @inline(__always)
  private mutating func write(_ bits: UInt32, _ length: Int) {
    pending = pending &<< UInt64(truncatingIfNeeded: length) | UInt64(bits)
    pendingCount &+= length
    guard pendingCount >= 32 else { return }
    pendingCount &-= 32
    reserve()
    let word = UInt32(truncatingIfNeeded: pending &>> UInt64(truncatingIfNeeded: pendingCount))
    if word & ~(word &+ 0x0101_0101) & 0x8080_8080 == 0 {
      unsafe UnsafeMutableRawPointer(buffer + count).storeBytes(
        of: word.bigEndian,
        as: UInt32.self
      )
      count &+= 4
    } else {  // some byte may be 0xFF
      for shift: UInt32 in [24, 16, 8, 0] {
        appendStuffed(UInt8(truncatingIfNeeded: word &>> shift))
      }
    }
  }

  private mutating func flush() {
    reserve()
    if pendingCount % 8 != 0 {
      let missing = 8 - pendingCount % 8
      let filling = padding << UInt64(missing) - padding
      pending = pending << UInt64(missing) | filling
      pendingCount += missing
    }
    while pendingCount > 0 {
      pendingCount -= 8
      appendStuffed(UInt8(truncatingIfNeeded: pending >> UInt64(pendingCount)))
    }
  }

  /// Makes room for the most that one operation writes: four bytes, each stuffed, and a marker.
  @inline(__always)
  private mutating func reserve() {
    if capacity &- count < 16 { grow() }
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
    unsafe larger.initialize(from: buffer, count: count)
    unsafe buffer.deallocate()
    unsafe buffer = larger
    capacity *= 2
  }

  private mutating func appendStuffed(_ byte: UInt8) {
    appendRaw(byte)
    if byte == 0xFF { appendRaw(0) }
  }

  private mutating func appendRaw(_ byte: UInt8) {
    unsafe buffer[count] = byte
    count &+= 1
  }
}

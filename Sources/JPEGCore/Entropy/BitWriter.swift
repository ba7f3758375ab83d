/// Writes Huffman codes as entropy-coded data: most significant bit first, a zero byte stuffed behind each
/// 0xFF, the last byte padded with ones (T.81, F.1.2.3).
///
/// The buffer grows in ``reserve(_:)`` alone, which every operation calls before it writes.
@safe
package struct BitWriter: EntropySink, ~Copyable {
  private var buffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var register: Register
  /// The bit that fills up the last byte.
  private let padding: UInt64

  /// - Parameters:
  ///   - tables: The tables by ``TableIndex``; nil where a slot is not used.
  ///   - expectedSize: A guess of the size in bytes.
  ///   - padsWithOnes: Whether the last byte is filled up with ones, as the standard wants.
  package init(tables: [HuffmanTable?], expectedSize: Int, padsWithOnes: Bool = true) {
    padding = padsWithOnes ? 1 : 0
    capacity = max(expectedSize, 1024)
    unsafe buffer = .allocate(capacity: capacity)
    unsafe register = Register(codes: CodeTable.allocate(tables), end: buffer)
  }

  deinit {
    unsafe buffer.deallocate()
    unsafe register.codes.deallocate()
  }

  /// Whether a symbol had to be written that its table has no code for.
  package var lacksCode: Bool { register.seen & CodeTable.missing != 0 }

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
    unsafe register.end = larger + count
  }
}

extension BitWriter {
  /// The end of the data, with the bits that are not yet bytes of it.
  @safe
  package struct Register: EntropyRegister {
    fileprivate let codes: UnsafeMutablePointer<UInt32>
    fileprivate var end: UnsafeMutablePointer<UInt8>
    /// Bits that are not written yet, the last one lowest; the highest ``room`` of them mean nothing.
    private var pending: UInt64 = 0
    private var room = 64
    /// All entries that were used, one upon the other.
    fileprivate var seen: UInt32 = 0

    fileprivate init(codes: UnsafeMutablePointer<UInt32>, end: UnsafeMutablePointer<UInt8>) {
      unsafe self.codes = codes
      unsafe self.end = end
    }

    @inline(__always)
    package mutating func put(symbol: Int, table index: Int, bits: UInt32, count: Int) {
      let entry = unsafe codes[CodeTable.symbol(symbol, table: index)]
      seen |= entry
      let count = UInt32(truncatingIfNeeded: count)
      let mask: UInt32 = (1 &<< count) &- 1
      write(UInt64((entry &>> 8) &<< count | bits & mask), Int(entry & 0x7F &+ count))
    }

    @inline(__always)
    package mutating func put(run: Int, value: Int8, table index: Int) {
      let entry = unsafe codes[CodeTable.value(value, run: run, table: index)]
      seen |= entry
      write(UInt64(entry &>> 8), Int(entry & 0x7F))
    }

    /// Appends at most 32 bits.
    @inline(__always)
    fileprivate mutating func write(_ bits: UInt64, _ count: Int) {
      room &-= count
      if room >= 0 {
        pending = pending &<< UInt64(truncatingIfNeeded: count) | bits
        return
      }
      let word =
        pending &<< UInt64(truncatingIfNeeded: room &+ count)
        | bits &>> UInt64(truncatingIfNeeded: 0 &- room)
      pending = bits
      room &+= 64
      if word & ~(word &+ 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 == 0 {
        unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.bigEndian, as: UInt64.self)
        unsafe end += 8
      } else {  // some byte may be 0xFF
        stuff(word, bytes: 8)
      }
    }

    /// Writes the pending bits, filled up to a whole byte.
    fileprivate mutating func flush(_ padding: UInt64) {
      let missing = room % 8
      if missing > 0 { write(padding << UInt64(missing) - padding, missing) }
      if room < 64 { stuff(pending << UInt64(room), bytes: (64 - room) / 8) }
      room = 64
    }

    /// Writes the highest bytes of a word.
    private mutating func stuff(_ word: UInt64, bytes: Int) {
      var word = word
      for _ in 0..<bytes {
        let byte = UInt8(truncatingIfNeeded: word &>> 56)
        append(byte)
        if byte == 0xFF { append(0) }
        word &<<= 8
      }
    }

    fileprivate mutating func append(_ byte: UInt8) {
      unsafe end.pointee = byte
      unsafe end += 1
    }
  }
}

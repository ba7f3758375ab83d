/// Reads the bits of entropy-coded data, the most significant bit of each byte first, without the stuffed zero bytes
/// after 0xFF (T.81, F.2.2.5).
///
/// The next bits are at the top of a 64-bit buffer:
///
/// ```text
///   63            64 - count                0
///   next bits   |  zeros, or bits of *next
/// ```
///
/// ``fill()`` ORs eight bytes into the buffer, shifted by `count`, advances by as many whole bytes as fit, and raises
/// `count` to 56 (``minBits``) … 63. Bits below `count` are those of the bytes that follow, and ORing them again does not change
/// them. This takes no loop and no branch that depends on `count`. A word with a byte 0xFF, and the end of the data,
/// take the slower path, byte by byte.
///
/// At a marker and at the end of the data the reader supplies zeros and counts them: see ``isOverrun``.
@safe
struct BitReader {
  /// The buffer: the next bits, the first one highest.
  private(set) var bits: UInt64 = 0
  /// The number of valid bits in the buffer.
  private(set) var count = 0
  /// The minimum number of bits in the buffer after ``fill()``: whole bytes are added while they fit.
  @inline(__always)
  static var minBits: Int { 56 }
  /// The number of supplied zero bits.
  private var invented = 0
  /// The first byte that is not yet in the buffer as a whole.
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// The data must outlive the reader.
  @unsafe
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    unsafe next = start
    unsafe end = start + count
  }

  /// Whether supplied bits were read: the data ended too early.
  var isOverrun: Bool { invented > count }

  /// What is wrong with data that cannot be decoded.
  func complaint(atRestart: Bool) -> String {
    if isOverrun { return "the data ends too early" }
    return atRestart
      ? "another marker is where a restart marker is expected" : "invalid Huffman code"
  }

  /// Whether the data ends here: in less than a byte, whose other bits are ones, as T.81 has it (F.1.2.3).
  var isAtPaddedEnd: Bool {
    let left = count - invented
    return invented > 0 && (0..<8).contains(left) && (~bits >> 1) >> UInt64(63 - left) == 0
  }

  /// The current position, up to eight bytes after the bits that were read.
  var position: UnsafePointer<UInt8> { unsafe next }

  /// What follows the last MCU of a restart interval or of a scan.
  struct Tail {
    /// The padding bits of the last byte.
    var fill: FillBits
    /// Whether a restart marker follows without another interval.
    var endsWithRestart = false
    /// Bytes between the last MCU and the next marker, which decoders skip.
    var strayBytes: [UInt8] = []
  }

  /// Reads what follows the last MCU of a restart interval, and skips RSTm, m = `number` modulo 8.
  ///
  /// - Returns: What was read; nil if the data ended too early, or if the next marker is another one.
  mutating func restart(_ number: Int) -> Tail? {
    guard let fill = skipFill() else { return nil }
    let start = unsafe next
    while unsafe !Self.isRestart(next, before: end, number) {
      guard unsafe next < end else { return nil }
      // The last of several bytes FF begins the marker; FF 00 is none.
      let isMarker = unsafe next[0] == 0xFF && end - next >= 2 && next[1] != 0 && next[1] != 0xFF
      if isMarker { return nil }
      unsafe next += 1
    }
    let stray = unsafe Array(UnsafeBufferPointer(start: start, count: next - start))
    unsafe next += 2
    return Tail(fill: fill, strayBytes: stray)
  }

  /// Reads what follows the last MCU of a scan, up to the end; nil if the data ended too early.
  mutating func tail(_ number: Int) -> Tail? {
    guard let fill = skipFill() else { return nil }
    let endsWithRestart = unsafe Self.isRestart(next, before: end, number)
    if endsWithRestart { unsafe next += 2 }
    let stray = unsafe Array(UnsafeBufferPointer(start: next, count: end - next))
    unsafe next = end
    return Tail(fill: fill, endsWithRestart: endsWithRestart, strayBytes: stray)
  }

  /// Skips the rest of a byte of which bits were read, and returns it; nil if supplied bits were read.
  private mutating func skipFill() -> FillBits? {
    fill()
    let left = count - invented
    guard left >= 0 else { return nil }
    let rest = FillBits((bits >> 56) >> UInt64(8 - left & 7), count: left & 7)
    // Go back over the whole bytes in the buffer; a stuffed FF 00 is one byte of the buffer.
    for _ in 0..<left >> 3 { unsafe next -= next[-1] == 0 && next[-2] == 0xFF ? 2 : 1 }
    (bits, count, invented) = (0, 0, 0)
    return rest
  }

  private static func isRestart(
    _ place: UnsafePointer<UInt8>,
    before end: UnsafePointer<UInt8>,
    _ number: Int
  ) -> Bool {
    unsafe end - place >= 2 && place[0] == 0xFF
      && place[1] == 0xD0 | UInt8(truncatingIfNeeded: number & 7)
  }

  /// Fills the buffer to at least ``minBits``.
  @inline(__always)
  mutating func fill() {
    if unsafe end - next >= 8 {
      let word = unsafe UInt64(
        bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
      )
      if !word.holdsFF {
        bits |= word &>> UInt64(truncatingIfNeeded: count)
        unsafe next += (63 &- count) &>> 3
        count |= Self.minBits
        return
      }
    }
    self = filledByteByByte()
  }

  /// Skips bits that are in the buffer.
  @inline(__always)
  mutating func skip(_ number: Int) {
    bits &<<= UInt64(truncatingIfNeeded: number)
    count &-= number
  }

  /// Reads up to 32 bits that are in the buffer.
  @inline(__always)
  mutating func take(_ number: Int) -> UInt64 {
    let value = (bits &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- number)
    skip(number)
    return value
  }

  /// The largest category of a value.
  @inline(__always)
  static var maxCategory: Int { 15 }

  /// Reads the additional bits of a value of category 1 to ``maxCategory`` (T.81, F.2.2.1) and sign-extends them: the EXTEND
  /// procedure without a branch.
  ///
  /// Bits that begin with 0 belong to a negative value.
  ///
  /// - Returns: The value if it is positive, otherwise the value minus 1, as in ``TransformedBlock``.
  @inline(__always)
  mutating func value(category size: Int) -> Int16 {
    let value = value(after: 0, shift: 63 &- size)
    skip(size)
    return value
  }

  /// Returns a value among the bits in the buffer, sign-extended as by ``value(category:)``, and skips nothing.
  ///
  /// An arithmetic shift repeats the value's first bit above it; the complement of that is the sign.
  ///
  /// - Parameters:
  ///   - place: The number of bits before its additional bits.
  ///   - shift: 63 minus the number of its additional bits.
  /// - Returns: The value if it is positive, otherwise the value minus 1.
  @inline(__always)
  func value(after place: Int, shift: Int) -> Int16 {
    let top = Int64(bitPattern: bits &<< UInt64(truncatingIfNeeded: place))
    return Int16(truncatingIfNeeded: (top &>> 1 ^ .min) &>> Int64(truncatingIfNeeded: shift))
  }

  /// ``fill()`` near a byte 0xFF and near the end.
  ///
  /// It returns a copy, which lets the caller's reader stay in registers.
  @inline(never)
  private func filledByteByByte() -> BitReader {
    var reader = self
    while reader.count < Self.minBits {
      let place = UInt64(Self.minBits &- reader.count)
      if unsafe reader.next < end, unsafe reader.next[0] != 0xFF {
        reader.bits |= unsafe UInt64(reader.next[0]) &<< place
        unsafe reader.next += 1
      } else if unsafe end - reader.next >= 2, unsafe reader.next[1] == 0 {
        reader.bits |= 0xFF &<< place
        unsafe reader.next += 2
      } else {
        reader.invented &+= 8
      }
      reader.count &+= 8
    }
    return reader
  }
}

extension UInt64 {
  /// Whether one of the eight bytes is 0xFF: adding 1 to a byte clears its highest bit only if all its bits are set.
  ///
  /// A carry out of a lower byte means that this one is 0xFF itself.
  @inline(__always)
  var holdsFF: Bool { self & ~(self &+ 0x0101_0101_0101_0101) & 0x8080_8080_8080_8080 != 0 }
}

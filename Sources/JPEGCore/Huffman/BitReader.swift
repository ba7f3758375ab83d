/// Reads entropy-coded data: most significant bit first, without the zero bytes after 0xFF (T.81, F.2.2.5).
///
/// At a marker, and at the end, it goes on with zeros, and knows how many.
@safe
struct BitReader {
  /// The bits that come next, the first one highest.
  private(set) var bits: UInt64 = 0
  /// How many of them there are; the others mean nothing.
  private var count = 0
  /// How many of the bits so far were made up.
  private var invented = 0
  /// The byte that comes after the bits.
  private var next: UnsafePointer<UInt8>
  private let end: UnsafePointer<UInt8>

  /// - Parameters:
  ///   - start: The entropy-coded data, which must live as long.
  ///   - count: Its size in bytes.
  @unsafe
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    unsafe next = start
    unsafe end = start + count
  }

  /// Whether more bits were read than there are.
  var isOverrun: Bool { invented > count }

  /// Where reading has come to, some bytes ahead of the bits at most.
  var position: UnsafePointer<UInt8> { unsafe next }

  /// Goes to the data after RSTm, m = `number` modulo 8.
  ///
  /// - Returns: The bits that fill up the byte before the marker; nil if anything else is before it, or there is
  ///   no such marker.
  mutating func restart(_ number: Int) -> FillBits? {
    guard let fill = fillBits(), unsafe Self.isRestart(next, before: end, number) else {
      return nil
    }
    unsafe next += 2
    (bits, count, invented) = (0, 0, 0)
    return fill
  }

  /// What is after the last MCU of a scan.
  struct Tail {
    /// The bits that fill up the last byte of the last MCU.
    var fill: FillBits
    /// Whether a restart marker follows, although no interval does.
    var endsWithRestart: Bool
    /// Bytes that belong to nothing.
    var strayBytes: [UInt8]
  }

  /// Reads what is after the last MCU, up to the end.
  ///
  /// - Parameter number: The number of the restart marker that would come next.
  /// - Returns: What is there; nil if the data ends too early, or goes on with another marker.
  mutating func tail(_ number: Int) -> Tail? {
    self.fill()
    let left = count - invented
    guard left >= 0 else { return nil }
    let bits = FillBits((bits >> 56) >> UInt64(8 - left & 7), count: left & 7)
    // Back over the whole bytes that are among the bits; of two bytes FF 00 only the first one counts.
    var start = unsafe next
    for _ in 0..<left >> 3 { unsafe start -= start[-1] == 0 && start[-2] == 0xFF ? 2 : 1 }
    let endsWithRestart = unsafe Self.isRestart(start, before: end, number)
    if endsWithRestart { unsafe start += 2 }
    let stray = unsafe Array(UnsafeBufferPointer(start: start, count: end - start))
    let hasMarker = stray.indices.contains {
      stray[$0] == 0xFF && ($0 + 1 == stray.endIndex || stray[$0 + 1] != 0)
    }
    return hasMarker ? nil : Tail(fill: bits, endsWithRestart: endsWithRestart, strayBytes: stray)
  }

  /// The bits before a marker or the end; nil if they are more than fill up a byte, or none are left.
  private mutating func fillBits() -> FillBits? {
    fill()
    let isMarker = unsafe next == end || next[0] == 0xFF && (next + 1 == end || next[1] != 0)
    let left = count - invented
    guard isMarker, (0..<8).contains(left) else { return nil }
    return FillBits((bits >> 56) >> UInt64(8 - left), count: left)
  }

  private static func isRestart(
    _ place: UnsafePointer<UInt8>,
    before end: UnsafePointer<UInt8>,
    _ number: Int
  ) -> Bool {
    unsafe end - place >= 2 && place[0] == 0xFF
      && place[1] == 0xD0 | UInt8(truncatingIfNeeded: number & 7)
  }

  /// Makes sure of at least 56 bits.
  @inline(__always)
  mutating func fill() {
    if unsafe end - next >= 8 {
      let word = unsafe UInt64(
        bigEndian: UnsafeRawPointer(next).loadUnaligned(as: UInt64.self)
      )
      if !word.holdsFF {
        bits |= word &>> UInt64(truncatingIfNeeded: count)
        unsafe next += (63 &- count) &>> 3
        count |= 56
        return
      }
    }
    self = filledByteByByte()
  }

  /// Skips at most as many bits as there are.
  @inline(__always)
  mutating func skip(_ number: Int) {
    bits &<<= UInt64(truncatingIfNeeded: number)
    count &-= number
  }

  /// Takes at most 16 bits, of which there are as many.
  @inline(__always)
  mutating func take(_ number: Int) -> Int {
    let value = Int(truncatingIfNeeded: (bits &>> 32) &>> UInt64(truncatingIfNeeded: 32 &- number))
    skip(number)
    return value
  }

  /// The additional bits of a value of a category, 1 to 15 (T.81, F.2.2.1).
  ///
  /// - Returns: The value; as additional bits (T.81, F.1.2.1).
  @inline(__always)
  mutating func value(category size: Int) -> Int16 {
    let isNegative = Int64(bitPattern: ~bits) &>> 63  // all ones
    let read = Int64(bitPattern: bits &>> UInt64(truncatingIfNeeded: 64 &- size))
    skip(size)
    return Int16(truncatingIfNeeded: read | isNegative &<< Int64(truncatingIfNeeded: size))
  }

  /// The same near a byte of 0xFF, or near the end; a value, so that a reader may stay in registers.
  @inline(never)
  private func filledByteByByte() -> BitReader {
    var reader = self
    while reader.count < 56 {
      let place = UInt64(56 &- reader.count)
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

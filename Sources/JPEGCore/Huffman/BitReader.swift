/// Reads entropy-coded data: most significant bit first, without the zero bytes behind 0xFF (T.81, F.2.2.5).
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
  /// The byte that comes behind the bits.
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

  /// Whether all that is left are bits that fill up the last byte.
  mutating func isAtEnd() -> Bool { unsafe isPadding() && next == end }

  /// Whether all that is left before a marker, or the end, are bits that fill up a byte.
  private mutating func isPadding() -> Bool {
    fill()
    let isMarker = unsafe next == end || next[0] == 0xFF && (next + 1 == end || next[1] != 0)
    return isMarker && (0..<8).contains(count - invented)
  }

  /// Goes behind RSTm, m = `number` modulo 8.
  ///
  /// - Returns: Whether it is there, and nothing else.
  mutating func restart(_ number: Int) -> Bool {
    guard isPadding(), unsafe end - next >= 2,
      unsafe next[1] == 0xD0 | UInt8(truncatingIfNeeded: number & 7)
    else { return false }
    unsafe next += 2
    (bits, count, invented) = (0, 0, 0)
    return true
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

  /// The additional bits of a value of a category, 1 to 15 (T.81, F.2.2.1).
  ///
  /// - Returns: The value; if it is negative one less.
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

/// Joins the codes of a block, two at a time.
///
/// Both codes are joined and ORed into a 64-bit register:
///
/// ```text
///   63        64 - used              0
///   0-7 bits of | code a | code b | 0…     used += length a + length b
///   the last byte
/// ```
///
/// The register is stored with all eight bytes, and the address advances by the used whole bytes; the rest is
/// overwritten in the next iteration. Whether a register is full is not predictable, so this costs less than a branch
/// for it. The caller reserves the space.
@safe
struct JoinedCodes {
  /// The address of the next byte.
  private(set) var end: UnsafeMutableRawPointer
  /// The bits of the last byte, the first one highest, and their number, 0 to 7.
  private(set) var pending: UInt64
  private(set) var used: Int
  private var seen: UInt32 = 0

  @unsafe @inline(__always)
  init(to end: UnsafeMutableRawPointer, pending: UInt64 = 0, used: Int = 0) {
    unsafe self.end = end
    self.pending = pending
    self.used = used
  }

  /// Whether an entry was missing.
  @inline(__always)
  var lacksCode: Bool { seen & CodeTable.missing != 0 }

  /// Appends the codes of two entries of at most 24 bits each.
  @inline(__always)
  mutating func put(_ a: UInt32, _ b: UInt32) {
    seen |= a | b
    // The lowest seven bits of an entry are its length; those of the sum of two entries are the sum of their
    // lengths. Shifts by `b` use its lowest six bits, which are the length of code b.
    used &+= Int((a &+ b) & 0x7F)
    let both = UInt64(a &>> 8) &<< UInt64(b) | UInt64(b &>> 8)
    pending |= both &<< UInt64(truncatingIfNeeded: 64 &- used)
    unsafe end.storeBytes(of: pending.bigEndian, as: UInt64.self)
    unsafe end += used &>> 3
    pending &<<= UInt64(truncatingIfNeeded: used & 56)
    used &= 7
  }

  /// Appends the code of an entry and 0 to 15 additional bits.
  @inline(__always)
  mutating func put(_ entry: UInt32, additionalBits bits: UInt32, _ size: Int) {
    let size = UInt32(truncatingIfNeeded: size)
    put(entry, (bits & (1 &<< size &- 1)) &<< 8 | size)
  }

  /// Returns the number of bits since `start`.
  @inline(__always)
  func bits(from start: UnsafeMutableRawPointer) -> Int { unsafe 8 &* (end - start) &+ used }
}

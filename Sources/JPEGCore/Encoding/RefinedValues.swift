/// The nonzero AC coefficients of a block as a refinement scan codes them (T.81, G.1.2.3): bit sets with one bit for
/// each nonzero coefficient of the band, in zigzag order, the first one highest.
///
/// With the magnitude shifted right by Al, a coefficient is
///
/// ```text
///   magnitude   0          1             2 or more
///               still 0    new           old
///   codes       (in runs)  symbol, sign  correction bit = lowest bit (added)
/// ```
///
/// Coefficients that are zero are not in the sets. The encoder reaches the next new coefficient by counting leading
/// zeros and takes all correction bits before it with one shift, instead of testing each coefficient.
struct RefinedValues {
  /// The coefficients that become nonzero in this scan.
  private(set) var new: UInt64 = 0
  /// The coefficients that were nonzero before.
  private var old: UInt64 = 0
  /// The lowest bits of the magnitudes at this scan's precision.
  private var added: UInt64 = 0
  private var negative: UInt64 = 0

  /// Creates the sets from coefficients of one byte each, eight at a time as the bytes of a word (SWAR).
  ///
  /// `shift` is Al, the position of the bit that the scan codes.
  @inline(__always)
  init(_ values: Span<Int8>, from start: Int, count: Int, shift: Int) {
    let lowest: UInt64 = 0x0101_0101_0101_0101
    let kept = lowest &* (shift < 8 ? 0xFF &>> UInt64(truncatingIfNeeded: shift) : 0)
    var (index, place) = (0, UInt64(56))
    while index < count {
      var word = values.word(at: start &+ index)
      let missing = index &+ 8 &- count
      if missing > 0 { word &= .max &<< UInt64(truncatingIfNeeded: 8 &* missing) }
      let signs = word &>> 7 & lowest
      // The complement of a negative byte has at most seven bits, so adding 1 does not carry into the next byte.
      var magnitudes = (word ^ signs &* 0xFF) &+ signs
      magnitudes = magnitudes &>> UInt64(truncatingIfNeeded: shift) & kept
      let bits = magnitudes & lowest
      // Adding 0x7F to the lower seven bits sets bit 7 of each byte that has any bit besides the lowest; shifted to
      // bit 0.
      let others = magnitudes &- bits
      let larger = (others & ~(lowest &<< 7) &+ lowest &* 0x7F | others) &>> 7 & lowest
      new |= Self.gathered(bits & ~larger) &<< place
      old |= Self.gathered(larger) &<< place
      added |= Self.gathered(bits) &<< place
      negative |= Self.gathered(signs) &<< place
      place &-= 8
      index &+= 8
    }
  }

  /// Returns the lowest bits of eight bytes as one byte, the highest byte's bit first.
  @inline(__always)
  private static func gathered(_ bytes: UInt64) -> UInt64 {
    (bytes &* 0x0102_0408_1020_4080) &>> 56
  }

  /// Creates the sets one coefficient after the other, for coefficients of two bytes.
  @inline(never)
  init(_ walk: ValueWalk, _ values: Span<Int8>, shift: Int) {
    var walk = walk
    var place: UInt64 = 1 << 63
    while let (_, value) = walk.next(values) {
      let magnitude = abs(value) >> shift
      if magnitude == 1 { new |= place }
      if magnitude > 1 { old |= place }
      if magnitude & 1 == 1 { added |= place }
      if value < 0 { negative |= place }
      place >>= 1
    }
  }

  /// The number of coefficients before the first new one.
  @inline(__always)
  var countBeforeNew: Int { new.leadingZeroBitCount }

  /// Returns whether a coefficient was nonzero before.
  @inline(__always)
  func isOld(_ index: Int) -> Bool { Self.bit(old, index) == 1 }

  /// Returns the correction bit of a coefficient.
  @inline(__always)
  func addedBit(_ index: Int) -> UInt64 { Self.bit(added, index) }

  /// Returns the sign bit of a new coefficient: 1 for a positive one.
  @inline(__always)
  func signBit(_ index: Int) -> UInt64 { Self.bit(~negative, index) }

  @inline(__always)
  private static func bit(_ bits: UInt64, _ index: Int) -> UInt64 {
    (bits &<< UInt64(truncatingIfNeeded: index)) &>> 63
  }

  /// Returns the correction bits of the old coefficients among the first ones, the first coefficient's first.
  @inline(__always)
  func corrections(_ count: Int) -> BitString {
    let place = UInt64(truncatingIfNeeded: 63 &- count)
    let (old, bits) = ((old &>> 1) &>> place, (added &>> 1) &>> place)
    // Usually all of them are old; counting bits would take many instructions.
    guard old == (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 else {
      return Self.compressed(bits, old)
    }
    return BitString(bits, count: count)
  }

  /// Returns the bits of `bits` at the positions of `requested`, packed together.
  @inline(never)
  private static func compressed(_ bits: UInt64, _ requested: UInt64) -> BitString {
    let count = requested.nonzeroBitCount
    var left = requested
    var result: UInt64 = 0
    for place in 0..<count {
      result |= (bits >> UInt64(left.trailingZeroBitCount) & 1) << UInt64(place)
      left &= left &- 1
    }
    return BitString(result, count: count)
  }

  @inline(__always)
  mutating func drop(_ count: Int) {
    let place = UInt64(truncatingIfNeeded: count &- 1)
    new = (new &<< 1) &<< place
    old = (old &<< 1) &<< place
    added = (added &<< 1) &<< place
    negative = (negative &<< 1) &<< place
  }
}

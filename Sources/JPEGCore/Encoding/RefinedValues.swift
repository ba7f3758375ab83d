/// What a scan of refinement codes of the AC coefficients of a block that are not zero, in zigzag order.
///
/// Each property has one bit for each coefficient, the first coefficient's highest. A coefficient whose lowest bit
/// that this scan or an earlier one codes is above all of its own bits is neither new nor old: it is zero so far.
struct RefinedValues {
  /// The coefficients that become different from zero in this scan.
  private(set) var new: UInt64 = 0
  /// Those that were different from zero before.
  private var old: UInt64 = 0
  /// The bits that this scan adds to their magnitudes.
  private var added: UInt64 = 0
  private var negative: UInt64 = 0

  /// Looks at eight coefficients at a time, one in each byte of a word.
  ///
  /// - Parameters:
  ///   - values: The coefficients of all blocks.
  ///   - start: Where those of the block start, one byte each.
  ///   - count: How many there are.
  ///   - shift: The position of the bit that the scan codes.
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
      // No byte overflows: of a negative one the complement has at most seven bits.
      var magnitudes = (word ^ signs &* 0xFF) &+ signs
      magnitudes = magnitudes &>> UInt64(truncatingIfNeeded: shift) & kept
      let bits = magnitudes & lowest
      // The highest bit of each byte that has any bit but the lowest.
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

  /// The lowest bits of eight bytes, the highest byte's first.
  @inline(__always)
  private static func gathered(_ bytes: UInt64) -> UInt64 {
    (bytes &* 0x0102_0408_1020_4080) &>> 56
  }

  /// Looks at one coefficient after the other.
  ///
  /// - Parameters:
  ///   - walk: Gives the coefficients.
  ///   - values: The coefficients of all blocks.
  ///   - shift: The position of the bit that the scan codes.
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

  /// How many coefficients come before the first new one.
  @inline(__always)
  var countBeforeNew: Int { new.leadingZeroBitCount }

  /// Whether a coefficient is old.
  @inline(__always)
  func isOld(_ index: Int) -> Bool { Self.bit(old, index) == 1 }

  /// The bit that the scan adds to a coefficient.
  @inline(__always)
  func addedBit(_ index: Int) -> UInt64 { Self.bit(added, index) }

  /// The bit that codes the sign of a new coefficient.
  @inline(__always)
  func signBit(_ index: Int) -> UInt64 { Self.bit(~negative, index) }

  @inline(__always)
  private static func bit(_ bits: UInt64, _ index: Int) -> UInt64 {
    (bits &<< UInt64(truncatingIfNeeded: index)) &>> 63
  }

  /// The correction bits of the old ones among the first coefficients.
  ///
  /// - Parameter count: How many coefficients, at most 63.
  /// - Returns: The bits, the first coefficient's first.
  @inline(__always)
  func corrections(_ count: Int) -> BitString {
    let place = UInt64(truncatingIfNeeded: 63 &- count)
    let (old, bits) = ((old &>> 1) &>> place, (added &>> 1) &>> place)
    // As a rule all of them are old; counting bits takes many instructions.
    guard old == (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 else {
      return Self.compressed(bits, old)
    }
    return BitString(bits, count: count)
  }

  /// Some bits without those between them.
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

  /// Goes on after the first coefficients.
  ///
  /// - Parameter count: How many, 1 to 64.
  @inline(__always)
  mutating func drop(_ count: Int) {
    let place = UInt64(truncatingIfNeeded: count &- 1)
    new = (new &<< 1) &<< place
    old = (old &<< 1) &<< place
    added = (added &<< 1) &<< place
    negative = (negative &<< 1) &<< place
  }
}

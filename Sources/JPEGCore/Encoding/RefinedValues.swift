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
  /// The zigzag positions of the coefficients.
  let positions: UInt64
  /// The number of the coefficients.
  let count: Int
  /// The coefficients that become nonzero in this scan.
  private(set) var new: UInt64 = 0
  /// The coefficients that were nonzero before.
  private var old: UInt64 = 0
  /// The lowest bits of the magnitudes at this scan's precision.
  private var added: UInt64 = 0
  private var negative: UInt64 = 0
  /// Whether no coefficient is still 0.
  private var areAllCoded = false

  /// `shift` is Al, the position of the bit that the scan codes.
  @inline(__always)
  init(_ block: SparseImage.Block, _ values: Span<Int8>, within band: UInt64, shift: Int) {
    positions = block.mask & band
    count = positions.nonzeroBitCount
    let start = ValueWalk(block, within: band).offset
    if block.isWide {
      add(values, from: start, lanes: 4, shift)
    } else {
      add(values, from: start, lanes: 8, shift)
    }
    areAllCoded = new | old == ~((.max &>> 1) &>> UInt64(truncatingIfNeeded: count &- 1))
  }

  /// Adds the coefficients to the sets, as many at a time as the lanes of a word (SWAR): eight of one byte each, or four
  /// of two bytes.
  @inline(__always)
  private mutating func add(_ values: Span<Int8>, from start: Int, lanes: Int, _ shift: Int) {
    let width = 64 / lanes
    let all: UInt64 = (1 &<< UInt64(width)) &- 1
    let lowest = UInt64.max / all
    let kept = lowest &* (shift < width ? all &>> UInt64(truncatingIfNeeded: shift) : 0)
    var (index, place) = (0, UInt64(64 - lanes))
    while index < count {
      var word = values.word(at: start &+ index &* (8 / lanes))
      // The lower byte is first.
      let lower: UInt64 = 0x00FF_00FF_00FF_00FF
      if lanes == 4 { word = word &>> 8 & lower | (word & lower) &<< 8 }
      let missing = index &+ lanes &- count
      if missing > 0 { word &= .max &<< UInt64(truncatingIfNeeded: width &* missing) }
      let signs = word &>> UInt64(width - 1) & lowest
      // The complement of a negative lane has its highest bit clear, so adding 1 does not carry into the next lane.
      var magnitudes = (word ^ signs &* all) &+ signs
      magnitudes = magnitudes &>> UInt64(truncatingIfNeeded: shift) & kept
      let bits = magnitudes & lowest
      // Adding ones to all but the highest bit of a lane sets that one if the lane has any bit besides the lowest;
      // shifted to bit 0.
      let others = magnitudes &- bits
      let ones = lowest &* (all &>> 1)
      let larger = ((others & ones) &+ ones | others) &>> UInt64(width - 1) & lowest
      new |= Self.gathered(bits & ~larger, lanes) &<< place
      old |= Self.gathered(larger, lanes) &<< place
      added |= Self.gathered(bits, lanes) &<< place
      negative |= Self.gathered(signs, lanes) &<< place
      place &-= UInt64(lanes)
      index &+= lanes
    }
  }

  /// Returns the lowest bits of all lanes as the lowest bits, the highest lane's bit first.
  @inline(__always)
  private static func gathered(_ word: UInt64, _ lanes: Int) -> UInt64 {
    lanes == 8
      ? (word &* 0x0102_0408_1020_4080) &>> 56 : (word &* 0x1000_2000_4000_8000) &>> 60
  }

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

  /// Returns the correction bits of the old coefficients among `count` ones from `index` on, none of which is new; the
  /// first coefficient's bit is the first.
  @inline(__always)
  func corrections(from index: Int, count: Int) -> BitString {
    let bits = Self.bits(added, index, count)
    if areAllCoded { return BitString(bits, count: count) }
    let old = Self.bits(old, index, count)
    // Counting bits would take many instructions.
    guard old == (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 else {
      return Self.compressed(bits, old)
    }
    return BitString(bits, count: count)
  }

  /// Returns `count` bits from `index` on, right-aligned.
  @inline(__always)
  private static func bits(_ bits: UInt64, _ index: Int, _ count: Int) -> UInt64 {
    ((bits &<< UInt64(truncatingIfNeeded: index)) &>> 1) &>> UInt64(truncatingIfNeeded: 63 &- count)
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
}

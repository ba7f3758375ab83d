/// Copies the codes of a block's AC coefficients, with other signs, without decoding the coefficients.
///
/// Without a transposition the coefficients keep their order, and so their runs and codes. A change of the sign is the
/// complement of a coefficient's additional bits (T.81, F.1.2.1):
///
/// ```text
///   read        code a | bits a | code b | bits b | code of EOB
///   inverted    0…       1…       0…       0…       0…            the sign of a changes
/// ```
///
/// Bits are copied from the reader's buffer whenever it is refilled. The register is that of ``CodedForm``.
@safe
struct CopiedCodes {
  /// The address of the next byte.
  private var end: UnsafeMutableRawPointer
  /// The bits of the last byte, the first one highest, and their number, 0 to 7.
  private var pending: UInt64 = 0
  private var count = 0
  /// The reader's buffer after the latest refill, with inverted bits, and the number of bits that were read of it.
  private var bits: UInt64
  private var used = 0

  private init(to end: UnsafeMutableRawPointer, _ reader: BitReader) {
    unsafe self.end = end
    bits = reader.bits
  }

  /// Copies the codes of a block.
  ///
  /// `signs` has the zigzag positions at which signs change, as bits.
  ///
  /// - Returns: The number of bits of the codes, without that of the DC coefficient; nil, and nothing is read, if the data is
  ///   invalid, if the block has ZRL codes before its EOB, or if a coefficient may be out of range.
  @unsafe @inline(never)
  static func copy(
    _ tables: BlockTables,
    _ source: inout BitReader,
    _ prediction: inout Int,
    signs: UInt64,
    to start: UnsafeMutableRawPointer
  ) -> Int? {
    var (reader, sum) = (source, prediction)
    reader.fill()
    guard reader.readDC(tables.dc, &sum) else { return nil }
    let ac = tables.ac
    var copy = unsafe CopiedCodes(to: start, reader)
    var position = 0
    // The position after the latest ZRL codes, if no other code followed them.
    var zerosEnd = -1
    var left = BitReader.groupsAfterValue
    while position < 63 {
      var group = reader.group(ac)
      while position &+ group.advance < 63 {
        copy.invertFirst(group.firstBits, signs, position &+ group.offset)
        position &+= group.advance
        copy.invert(after: group.before, group.shift, signs, position)
        copy.skip(group.length, &reader)
        left &-= 1
        if left == 0 {
          copy.refill(&reader)
          left = DecodeTable.groups()
        }
        group = reader.group(ac)
      }
      let last = position &+ group.offset
      if group.length > 0, group.advance == DecodeTable.Group.end,
        last & (DecodeTable.Group.beyond &- 1) < 63
      {
        if position == zerosEnd, group.offset == DecodeTable.Group.beyond { return nil }
        copy.invertFirst(group.firstBits, signs, last)
        copy.skip(group.length, &reader)
        break
      }
      copy.refill(&reader)
      let available = reader.count
      guard let (zeros, size) = reader.symbol(ac) else { return nil }
      let length = available &- reader.count
      if size == 0 {
        copy.used = length
        if zeros == 0, position != zerosEnd { break }
        guard zeros == 15 else { return nil }
        position &+= 16
        zerosEnd = position
        guard position < 63 else { return nil }
      } else {
        position &+= zeros &+ 1
        guard position <= 63, size < BitReader.maxCategory else { return nil }
        copy.invert(after: length, 63 &- size, signs, position)
        copy.used = length
        copy.skip(size, &reader)
      }
      left = DecodeTable.groups(after: HuffmanTable.maxLength &+ BitReader.maxCategory)
    }
    copy.store()
    (source, prediction) = (reader, sum)
    return unsafe 8 &* (copy.end - start) &+ copy.count
  }

  /// Inverts the additional bits of a coefficient if its sign changes.
  ///
  /// They begin `place` bits after those that were read; `shift` is 63 minus their number.
  @inline(__always)
  private mutating func invert(after place: Int, _ shift: Int, _ signs: UInt64, _ position: Int) {
    let changes = 0 &- (signs &>> UInt64(truncatingIfNeeded: position) & 1)
    let mask = (changes &<< 1) &<< UInt64(truncatingIfNeeded: shift)
    bits ^= mask &>> UInt64(truncatingIfNeeded: used &+ place)
  }

  /// Inverts the additional bits of the first of two coefficients; see ``DecodeTable/Group/firstBits``.
  @inline(__always)
  private mutating func invertFirst(_ firstBits: Int, _ signs: UInt64, _ position: Int) {
    invert(after: firstBits &>> 3, 63 &- firstBits & 7, signs, position)
  }

  @inline(__always)
  private mutating func skip(_ number: Int, _ reader: inout BitReader) {
    used &+= number
    reader.skip(number)
  }

  @inline(__always)
  private mutating func refill(_ reader: inout BitReader) {
    store()
    reader.fill()
    (bits, used) = (reader.bits, 0)
  }

  /// Stores the bits that were read since the latest refill, at most 56.
  @inline(__always)
  private mutating func store() {
    let read = bits & ~(UInt64.max &>> UInt64(truncatingIfNeeded: used))
    pending |= read &>> UInt64(truncatingIfNeeded: count)
    unsafe end.storeBytes(of: pending.bigEndian, as: UInt64.self)
    count &+= used
    unsafe end += count &>> 3
    pending &<<= UInt64(truncatingIfNeeded: count & 56)
    count &= 7
  }
}

/// The adaptive probability of a binary decision.
///
/// The n-th decision moves the probability by 1/(n + 1) of the distance to certainty, from the 251st on by 1/252.
/// Estimates are close soon, and rare exceptions cost almost nothing where there are none.
struct AdaptiveBit: Sendable {
  /// The probability of false, in units of 2⁻¹⁶, never closer than about 24 to 0 or 2¹⁶.
  private(set) var probability: UInt16 = 1 << 15
  /// The number of decisions so far, up to ``slowest``.
  private var age: UInt8 = 0

  private static let slowest: UInt8 = 250

  /// Returns a 252nd of a distance.
  ///
  /// Most decisions are those of old models, and dividing takes several times as long as multiplying.
  @inline(__always)
  static func slowestPart(of distance: UInt16) -> UInt16 {
    UInt16(truncatingIfNeeded: (UInt32(distance &>> 2) &* 16_645) &>> 20)
  }

  @inline(__always)
  mutating func learn(_ bit: Bool) {
    let distance = bit ? probability &- 24 : UInt16.max - 23 &- probability
    let part: UInt16
    if age == Self.slowest {
      part = Self.slowestPart(of: distance)
    } else {
      part = distance / (UInt16(age) &+ 2)
      age &+= 1
    }
    probability = bit ? probability &- part : probability &+ part
  }
}

/// Codes or decodes binary decisions, so one function describes both directions.
protocol BinaryCoder {
  /// Codes `bit` and returns it, or decodes a bit and ignores `bit`.
  mutating func code(_ bit: Bool, _ model: inout AdaptiveBit) -> Bool
}

/// A binary range coder as in LZMA, with probabilities of 16 bits.
///
/// ```text
///   low                                     low + range
///   |------- false: bound -------|-- true --|          bound = (range >> 16) · probability
/// ```
///
/// The interval becomes the part of the decision. As soon as `range` is below 2²⁴, the top byte of `low` is written.
/// It stays pending, together with the 0xFF bytes after it, because a carry may still change them.
struct RangeEncoder: BinaryCoder {
  private var bytes: [UInt8] = []
  private var low: UInt64 = 0
  private var range = UInt32.max
  /// The last byte that a carry may change, and the number of 0xFF bytes after it.
  private var pending: UInt8?
  private var pendingFull = 0

  @inline(__always)
  mutating func code(_ bit: Bool, _ model: inout AdaptiveBit) -> Bool {
    let bound = (range &>> 16) &* UInt32(model.probability)
    if bit {
      low &+= UInt64(bound)
      range &-= bound
    } else {
      range = bound
    }
    model.learn(bit)
    while range < 1 << 24 {
      range = range &<< 8
      shiftOut()
    }
    return bit
  }

  /// Ends the code.
  ///
  /// Zeros at the end are removed; the decoder reads zeros after the end.
  consuming func finish() -> [UInt8] {
    for _ in 0..<5 { shiftOut() }
    while bytes.last == 0 { bytes.removeLast() }
    return bytes
  }

  private mutating func shiftOut() {
    let carry = low > UInt64(UInt32.max)
    if !carry, low >= 0xFF00_0000 {
      pendingFull += 1
    } else {
      if let pending { bytes.append(carry ? pending &+ 1 : pending) }
      bytes += repeatElement(carry ? 0 : 0xFF, count: pendingFull)
      pendingFull = 0
      pending = UInt8(truncatingIfNeeded: low &>> 24)
    }
    low = (low & 0x00FF_FFFF) &<< 8
  }
}

/// Decodes the output of ``RangeEncoder``; reads zeros after its end.
struct RangeDecoder: BinaryCoder {
  private let bytes: [UInt8]
  private var position = 0
  private var code: UInt32 = 0
  private var range = UInt32.max

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    for _ in 0..<4 { code = code << 8 | nextByte() }
  }

  @inline(__always)
  mutating func code(_ bit: Bool, _ model: inout AdaptiveBit) -> Bool {
    let bound = (range &>> 16) &* UInt32(model.probability)
    let bit = code >= bound
    if bit {
      code &-= bound
      range &-= bound
    } else {
      range = bound
    }
    model.learn(bit)
    while range < 1 << 24 {
      range = range &<< 8
      code = code &<< 8 | nextByte()
    }
    return bit
  }

  private mutating func nextByte() -> UInt32 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return UInt32(bytes[position])
  }
}

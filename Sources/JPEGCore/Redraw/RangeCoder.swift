/// The probability of a binary decision, learned from those already taken.
struct AdaptiveBit: Sendable {
  /// The probability of false, in units of 2⁻¹⁶.
  private(set) var probability: UInt16 = 1 << 15
  /// How many decisions have been seen, up to the last entry of `rates`.
  private var age: UInt8 = 0

  /// How much of the way to certainty a decision moves the probability: fast first, then slowly, so that
  /// rare exceptions come to cost next to nothing where there are none.
  private static let slowest: UInt8 = 250

  @inline(__always)
  mutating func learn(_ bit: Bool) {
    let target: Int32 = bit ? 24 : 65_536 - 24
    let distance = target - Int32(probability)
    probability = UInt16(
      truncatingIfNeeded: Int32(probability) &+ distance / (Int32(age) &+ 2)
    )
    if age < Self.slowest { age &+= 1 }
  }
}

/// Takes or gives binary decisions, so that coding and decoding are one and the same code.
protocol BinaryCoder {
  /// Codes `bit`, or decodes one and pays no attention to `bit`.
  ///
  /// - Returns: The bit that was coded or decoded.
  mutating func code(_ bit: Bool, _ model: inout AdaptiveBit) -> Bool
}

/// A binary arithmetic coder with carry propagation, 32 bits wide.
struct RangeEncoder: BinaryCoder {
  private var bytes: [UInt8] = []
  private var low: UInt64 = 0
  private var range = UInt32.max
  /// The last byte that a carry may still change, and how many bytes of 0xFF follow it.
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

  /// Ends the code; zeros at its end are left out, for the decoder reads zeros there anyway.
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

/// Decodes what ``RangeEncoder`` coded; after its end it reads zeros.
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

/// Quantizes and dequantizes blocks (T.81, A.3.4), eight coefficients at a time.
///
/// SIMD instructions do not divide integers. A quotient by a step q, with coefficients in units of 1/16 and D = 16 q,
/// is the upper half of two 16-bit products, as in the SIMD quantization of libjpeg-turbo:
///
/// ```text
///   digits      the number of bits of D - 1
///   reciprocal  ⌈2^(15 + digits) / D⌉        2¹⁵ … 2¹⁶ - 1
///   scale       2^(17 - digits)
///   quotient    ((|c| + rounding) · reciprocal >> 16) · scale >> 16
///               = (|c| + rounding) · reciprocal >> (15 + digits)
/// ```
///
/// The sign is removed before and restored after the multiplication. The error of a quotient is within the precision
/// of the coefficients.
struct Quantizer: Sendable {
  private typealias Lines = [8 of SIMD8<UInt16>]

  /// The value added before the division: half of D to round to nearest, two fifths for a dead zone.
  private let rounding: Lines
  /// The reciprocal, normalized to 16 bits, and the power of two that completes it.
  private let reciprocal: Lines
  private let scale: Lines
  /// The reciprocal of a sixteenth of a step.
  private let sixteenth: Lines
  /// The steps, 1 to 4096.
  let steps: Block
  /// The smallest quotients whose coefficients exceed every possible norm.
  private let maxQuotient: Block
  private let smallest: Block

  /// Steps are in the order of ``BlockTransform``.
  init(steps: [UInt16], rounding: Redraw.Rounding) {
    func table<Scalar>(_ value: (UInt16) -> Scalar) -> [8 of SIMD8<Scalar>] {
      [8 of SIMD8<Scalar>] { line in
        var result = SIMD8<Scalar>()
        for lane in 0..<8 { result[lane] = value(min(max(steps[line * 8 + lane], 1), 4096)) }
        return result
      }
    }
    // Half of a step of 4096 exceeds every coefficient, so all quotients are zero.
    func lines(_ value: (UInt16) -> UInt16) -> Lines { table { $0 < 4096 ? value($0) : 0 } }
    func digits(_ step: UInt16) -> UInt32 {
      UInt32(UInt16.bitWidth - (step << 4 - 1).leadingZeroBitCount)
    }
    self.rounding = lines { step in
      switch rounding {
      case .nearest: step << 3
      case .deadZone: UInt16((UInt32(step) << 4) * 2 / 5)
      }
    }
    reciprocal = lines { step in
      let divisor = UInt32(step) << 4
      return UInt16((1 << (15 + digits(step)) + divisor - 1) / divisor)
    }
    scale = lines { 1 << UInt16(17 - digits($0)) }
    sixteenth = lines { (32_768 + $0 - 1) / $0 }
    self.steps = table { Int16($0) }
    maxQuotient = table { Int16(BlockTransform.maxNorm) / Int16($0) + 1 }
    var smallest = Block(repeating: SIMD8(repeating: -1023))
    smallest[0][0] = -1024
    self.smallest = smallest
  }

  /// Returns the quotients, limited to the range of an eight-bit image.
  @inline(__always)
  func quantized(_ values: Block) -> Block {
    makeBlock { line in
      let negative = values[line] &>> SIMD8(repeating: 15)
      let magnitude = SIMD8<UInt16>(lanes: (values[line] ^ negative) &- negative)
      let quotient = upper(upper(magnitude &+ rounding[line], reciprocal[line]), scale[line])
      let result = (SIMD8<Int16>(lanes: quotient) ^ negative) &- negative
      return result.limited(smallest[line], SIMD8(repeating: 1023))
    }
  }

  /// Returns the coefficients of quotients, in the units of ``BlockTransform``.
  ///
  /// Eight-bit samples make blocks with a norm of at most 1,024 (T.81, A.3.3), and quantization rarely doubles it.
  /// Longer blocks of damaged data are displayed as black and white; here they are scaled down.
  @inline(__always)
  func dequantized(_ quotients: Block, _ isOutOfRange: inout Bool) -> Block {
    var sum = SIMD8<UInt16>.zero
    let values = makeBlock { line in
      let limited = quotients[line].limited(0 &- maxQuotient[line], maxQuotient[line])
      let value = limited &* steps[line]
      let negative = value &>> SIMD8(repeating: 15)
      sum &+= SIMD8<UInt16>(lanes: (value ^ negative) &- negative)
      return value
    }
    if SIMD8<UInt32>(lanes: sum).wrappedSum() <= UInt32(BlockTransform.maxNorm) {
      return makeBlock { values[$0] &<< SIMD8(repeating: Int16(BlockTransform.fractionBits)) }
    }
    return Self.shortened(values, &isOutOfRange)
  }

  @inline(never)
  private static func shortened(_ values: Block, _ isOutOfRange: inout Bool) -> Block {
    let most = Int16(BlockTransform.maxNorm)
    var energy = 0
    let result = makeBlock { line in
      let limited = values[line].limited(SIMD8(repeating: 0 &- most), SIMD8(repeating: most))
      if limited != values[line] { isOutOfRange = true }
      let wide = SIMD8<Int32>(lanes: limited)
      energy += Int((wide &* wide).wrappedSum())
      return limited &<< SIMD8(repeating: Int16(BlockTransform.fractionBits))
    }
    guard energy > BlockTransform.maxNorm * BlockTransform.maxNorm else { return result }
    isOutOfRange = true
    // No encoder makes such a block. 64 coefficients of the maximum size exceed the norm eight times.
    return makeBlock { result[$0] &>> SIMD8(repeating: 3) }
  }

  /// The estimate of quantized coefficients from unquantized ones.
  struct Estimate {
    var quotients: Block
    /// The remainders: coefficient minus quotient times step.
    var rests: Block
    /// Whether a remainder is at least 7/16 of a step.
    var isInDoubt: Bool

    /// The doubt halfway between two quotients, in sixteenths of a step.
    static let maxDoubt = 8
  }

  @inline(__always)
  func estimate(_ values: Block) -> Estimate {
    let quotients = quantized(values)
    var nearness = SIMD8<Int16>(repeating: -1)
    let rests = makeBlock { line in
      let rest = values[line] &- quotients[line] &* (steps[line] &<< SIMD8(repeating: 4))
      let magnitude = rest.larger(0 &- rest)
      nearness = nearness.larger(magnitude &- steps[line] &* SIMD8(repeating: 7))
      return rest
    }
    return Estimate(quotients: quotients, rests: rests, isInDoubt: !(~nearness &>> 15).isZero)
  }

  /// Returns the remainders in sixteenths of a step, rounded towards zero.
  @inline(__always)
  func doubts(_ rests: Block) -> Block {
    makeBlock { line in
      let negative = rests[line] &>> SIMD8(repeating: 15)
      let magnitude = SIMD8<UInt16>(lanes: (rests[line] ^ negative) &- negative)
      let doubt = SIMD8<Int16>(lanes: upper(magnitude &<< 1, sixteenth[line]))
      let limited = doubt.limited(.zero, SIMD8(repeating: Int16(Estimate.maxDoubt)))
      return (limited ^ negative) &- negative
    }
  }

  @inline(__always)
  private func upper(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    SIMD8(
      lanes: (SIMD8<UInt32>(lanes: a)
        &* SIMD8<UInt32>(lanes: b)) &>> SIMD8(repeating: 16)
    )
  }
}

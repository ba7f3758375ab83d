/// Divides the coefficients of a block by their quantization steps.
///
/// Division is multiplication by 16-bit reciprocals and shifts; no quotient is off by more than the precision
/// of the coefficients themselves.
struct Quantizer: Sendable {
  private typealias Lines = [8 of SIMD8<UInt16>]

  /// What is added before the division, in the units of ``BlockTransform``.
  private let rounding: Lines
  /// The reciprocal of a step, between a half and one, and the power of two that it lacks.
  private let reciprocal: Lines
  private let scale: Lines
  /// The reciprocal of a sixteenth of a step.
  private let sixteenth: Lines
  /// The steps themselves, 1 to 4096.
  let steps: Block
  /// The quotients from which on coefficients are longer than any block.
  private let maxQuotient: Block
  private let smallest: Block

  /// - Parameters:
  ///   - steps: The quantization steps, in the order of the transform's blocks.
  ///   - rounding: Where quotients are rounded up.
  init(steps: [UInt16], rounding: Redraw.Rounding) {
    func lines(_ value: (UInt16) -> UInt16) -> Lines {
      Lines { line in
        var result = SIMD8<UInt16>()
        for lane in 0..<8 {
          // Half of a step of 4096 is beyond every coefficient: all quotients are zero.
          let step = max(steps[line * 8 + lane], 1)
          result[lane] = step < 4096 ? value(step) : 0
        }
        return result
      }
    }
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
    func block(_ value: (Int16) -> Int16) -> Block {
      makeBlock { line in
        var result = SIMD8<Int16>()
        for lane in 0..<8 { result[lane] = value(Int16(min(max(steps[line * 8 + lane], 1), 4096))) }
        return result
      }
    }
    self.steps = block { $0 }
    maxQuotient = block { Int16(BlockTransform.maxNorm) / $0 + 1 }
    smallest = makeBlock { line in
      var result = SIMD8<Int16>(repeating: -1023)
      if line == 0 { result[0] = -1024 }
      return result
    }
  }

  /// The quotients, limited to what an eight-bit image may have.
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

  /// The coefficients of quotients, in the units of ``BlockTransform``.
  ///
  /// Samples of eight bits make blocks of a length of at most 1,024 (T.81, A.3.3), which quantization can hardly
  /// double; decoders show longer ones, of damaged data, as black and white. Here they are shortened.
  ///
  /// - Parameters:
  ///   - quotients: The quotients.
  ///   - isOutOfRange: Becomes true where the block is longer than ``BlockTransform/maxNorm``.
  /// - Returns: The coefficients.
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
    // No encoder makes such a block. 64 of the largest coefficients are eight times too long.
    return makeBlock { result[$0] &>> SIMD8(repeating: 3) }
  }

  /// What coefficients of some precision say of the quantized ones that they come from.
  struct Estimate {
    /// The nearest quotients.
    var quotients: Block
    /// What is left of the coefficients.
    var rests: Block
    /// Whether any coefficient is near the middle between two quotients.
    var isInDoubt: Bool

    /// The doubt in the middle between two quotients.
    static let maxDoubt = 8
  }

  /// The quotients and what they leave.
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
    return Estimate(quotients: quotients, rests: rests, isInDoubt: nearness.intersection >= 0)
  }

  /// How far coefficients are from their quotients, in sixteenths of a step, rounded towards zero.
  func doubts(_ rests: Block) -> Block {
    makeBlock { line in
      let negative = rests[line] &>> SIMD8(repeating: 15)
      let magnitude = SIMD8<UInt16>(lanes: (rests[line] ^ negative) &- negative)
      let doubt = SIMD8<Int16>(lanes: upper(magnitude &<< 1, sixteenth[line]))
      let limited = doubt.limited(.zero, SIMD8(repeating: Int16(Estimate.maxDoubt)))
      return (limited ^ negative) &- negative
    }
  }

  /// The upper halves of the products.
  @inline(__always)
  private func upper(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    SIMD8(
      lanes: (SIMD8<UInt32>(lanes: a)
        &* SIMD8<UInt32>(lanes: b)) &>> SIMD8(repeating: 16)
    )
  }
}

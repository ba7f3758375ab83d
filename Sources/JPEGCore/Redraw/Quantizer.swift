/// Divides the coefficients of a block by their quantization steps, rounding to nearest.
///
/// Division is multiplication by 16-bit reciprocals and shifts; no quotient is off by more than the precision
/// of the coefficients themselves.
struct Quantizer: Sendable {
  private typealias Lines = [8 of SIMD8<UInt16>]

  /// Half a step, in the units of ``BlockTransform``.
  private let half: Lines
  /// The reciprocal of a step, between a half and one, and the power of two that it lacks.
  private let reciprocal: Lines
  private let scale: Lines
  /// The reciprocal of a sixteenth of a step.
  private let sixteenth: Lines
  /// The steps themselves, 1 to 4096.
  private let steps: Block
  /// All ones where the sign changes.
  private let sign: Block
  private let smallest: Block

  /// - Parameters:
  ///   - steps: The quantization steps, in the order of the transform's blocks.
  ///   - isNegative: Where the sign of the quotient changes.
  init(steps: [UInt16], isNegative: [Bool]) {
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
    half = lines { $0 << 3 }
    reciprocal = lines { step in
      let divisor = UInt32(step) << 4
      return UInt16((1 << (15 + digits(step)) + divisor - 1) / divisor)
    }
    scale = lines { 1 << UInt16(17 - digits($0)) }
    sixteenth = lines { (32_768 + $0 - 1) / $0 }
    self.steps = Block { line in
      var result = SIMD8<Int16>()
      for lane in 0..<8 { result[lane] = Int16(min(max(steps[line * 8 + lane], 1), 4096)) }
      return result
    }
    sign = Block { line in
      var result = SIMD8<Int16>()
      for lane in 0..<8 { result[lane] = isNegative[line * 8 + lane] ? -1 : 0 }
      return result
    }
    smallest = Block { line in
      var result = SIMD8<Int16>(repeating: -1023)
      if line == 0 { result[0] = -1024 }
      return result
    }
  }

  /// The quotients, limited to what an eight-bit picture may have.
  @inline(__always)
  func quantized(_ values: Block) -> Block {
    Block { line in
      let negative = values[line] &>> SIMD8(repeating: 15)
      let magnitude = SIMD8<UInt16>(lanes: (values[line] ^ negative) &- negative)
      let quotient = upper(upper(magnitude &+ half[line], reciprocal[line]), scale[line])
      let signs = negative ^ sign[line]
      let result = (SIMD8<Int16>(lanes: quotient) ^ signs) &- signs
      return pointwiseMax(pointwiseMin(result, SIMD8(repeating: 1023)), smallest[line])
    }
  }

  /// What coefficients of some precision say of the quantized ones that they come from.
  struct Estimate {
    /// The nearest quotients.
    var quotients: Block
    /// How far from them the coefficients are, in sixteenths of a step, rounded towards zero.
    var doubts: Block
    /// The quantization steps.
    var steps: Block

    /// The doubt in the middle between two quotients.
    static let mostDoubt = 8

    /// Whether any coefficient lies near such a middle.
    @inline(__always)
    var isInDoubt: Bool {
      var most = SIMD8<Int16>.zero
      for line in 0..<8 {
        most = pointwiseMax(most, pointwiseMax(doubts[line], 0 &- doubts[line]))
      }
      return most.max() >= 7
    }
  }

  /// The quotients of a file that is not turned, and their doubts.
  @inline(__always)
  func estimate(_ values: Block) -> Estimate {
    let quotients = quantized(values)
    return Estimate(
      quotients: quotients,
      doubts: Block { line in
        let step = SIMD8<Int16>(lanes: half[line] &<< 1)
        let rest = values[line] &- quotients[line] &* step
        let negative = rest &>> SIMD8(repeating: 15)
        let magnitude = SIMD8<UInt16>(lanes: (rest ^ negative) &- negative)
        let doubt = SIMD8<Int16>(lanes: upper(magnitude &<< 1, sixteenth[line]))
        let limited = pointwiseMin(doubt, SIMD8(repeating: Int16(Estimate.mostDoubt)))
        return (limited ^ negative) &- negative
      },
      steps: steps
    )
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

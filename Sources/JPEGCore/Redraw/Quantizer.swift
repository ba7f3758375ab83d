/// Divides the coefficients of a block by their quantization steps, rounding to nearest.
///
/// All division is multiplication by 16-bit reciprocals; the quotient of the largest coefficient by 1 is off
/// by less than 1/16.
struct Quantizer: Sendable {
  private typealias Lines = [8 of SIMD8<UInt16>]

  private let half: Lines
  private let reciprocal: Lines
  private let scale: Lines
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
        for lane in 0..<8 { result[lane] = value(max(steps[line * 8 + lane], 1)) }
        return result
      }
    }
    // A step of 4096 or more makes zero of everything: half of it is beyond the largest coefficient.
    func digits(_ step: UInt16) -> UInt32 {
      UInt32(16 - (step << 4 - 1).leadingZeroBitCount)
    }
    half = lines { $0 < 4096 ? $0 << 3 : 0 }
    reciprocal = lines { step in
      guard step < 4096 else { return 0 }
      let divisor = UInt32(step) << 4
      return UInt16(min((1 << (15 + digits(step)) + divisor - 1) / divisor, 65_535))
    }
    scale = lines { step in
      guard step < 4096 else { return 0 }
      return 1 << UInt16(17 - digits(step))
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
      let magnitude = SIMD8<UInt16>(truncatingIfNeeded: (values[line] ^ negative) &- negative)
      let quotient = high(high(magnitude &+ half[line], reciprocal[line]), scale[line])
      let signs = negative ^ sign[line]
      let result = (SIMD8<Int16>(truncatingIfNeeded: quotient) ^ signs) &- signs
      return pointwiseMax(pointwiseMin(result, SIMD8(repeating: 1023)), smallest[line])
    }
  }

  /// The upper halves of the products.
  @inline(__always)
  private func high(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD8<UInt16> {
    SIMD8(
      truncatingIfNeeded: (SIMD8<UInt32>(truncatingIfNeeded: a)
        &* SIMD8<UInt32>(truncatingIfNeeded: b)) &>> SIMD8(repeating: 16)
    )
  }
}

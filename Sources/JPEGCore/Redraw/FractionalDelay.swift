/// Delays samples by a fraction d of a sample, reversibly: Thiran's maximally flat all-pass filter of order 3.
///
/// ```text
///   A(z) = 1 + a₁ z⁻¹ + a₂ z⁻² + a₃ z⁻³,   aₖ = (-1)ᵏ C(3, k) ∏ (n - d) / (k + n - d), n = 0 … 3
///
///   y[i] = x[i] + a₁ x[i-1] + a₂ x[i-2] + a₃ x[i-3]     A(z), reads backwards
///   r[i] = y[i] - a₁ r[i+1] - a₂ r[i+2] - a₃ r[i+3]     1 / A(1/z), from the end
/// ```
///
/// The gain of A(z) / A(1/z) is 1 at every frequency: nothing is lost, constant signals stay constant, and the same
/// filter in the opposite direction undoes the delay. Linear interpolation would blur. Samples beyond the ends repeat
/// the last one. Coefficients have 14 fractional bits; eight lines are filtered at once, one in each lane.
struct FractionalDelay: Sendable {
  private typealias Sum = SIMD8<Int32>

  enum Direction: Sendable {
    case forward
    /// Undoes ``forward``.
    case backward
  }

  private static let order = 3
  private static let fractionBits: Int32 = 14

  /// a₁, a₂ and a₃.
  private let a: (Int32, Int32, Int32)
  /// The reciprocal of 1 + a₁ + a₂ + a₃: the steady state at the end.
  private let gain: Int32

  init(_ delay: ComponentGeometry.Delay) {
    let (d, unit) = (delay.numerator, delay.denominator)
    let values = zip(1...Self.order, [-3, 3, -1]).map { k, binomial -> Int32 in
      var (numerator, denominator) = (Int64(binomial) << Int64(Self.fractionBits), 1 as Int64)
      for n in 0...Self.order {
        numerator *= Int64(n * unit - d)
        denominator *= Int64((k + n) * unit - d)
      }
      return Int32(numerator.roundedQuotient(by: denominator))
    }
    a = (values[0], values[1], values[2])
    let sum = 1 << Int64(Self.fractionBits) + Int64(values.reduce(0, +))
    gain = Int32((Int64(1) << Int64(2 * Self.fractionBits)).roundedQuotient(by: sum))
  }

  /// Delays eight lines of samples, one in each lane.
  func delay(_ samples: inout [SIMD8<Int16>], _ direction: Direction) {
    if direction == .backward { samples.reverse() }
    defer { if direction == .backward { samples.reverse() } }
    let last = samples.count - 1
    // A(z), from the end, because it reads the samples before the current one.
    for index in stride(from: last, through: 0, by: -1) {
      let others = weighted(
        samples[max(index - 1, 0)],
        samples[max(index - 2, 0)],
        samples[max(index - 3, 0)]
      )
      samples[index] = rounded(scaled(samples[index]) &+ others)
    }
    // 1 / A(1/z), from the end, because it reads its own results after the current one.
    samples[last] = BlockTransform.limited(
      rounded(Sum(lanes: samples[last]) &* Sum(repeating: gain))
    )
    for index in stride(from: last - 1, through: 0, by: -1) {
      let others = weighted(
        samples[min(index + 1, last)],
        samples[min(index + 2, last)],
        samples[min(index + 3, last)]
      )
      samples[index] = BlockTransform.limited(rounded(scaled(samples[index]) &- others))
    }
  }

  @inline(__always)
  private func weighted(_ x: SIMD8<Int16>, _ y: SIMD8<Int16>, _ z: SIMD8<Int16>) -> Sum {
    Sum(lanes: x) &* Sum(repeating: a.0)
      &+ Sum(lanes: y) &* Sum(repeating: a.1)
      &+ Sum(lanes: z) &* Sum(repeating: a.2)
  }

  @inline(__always)
  private func scaled(_ x: SIMD8<Int16>) -> Sum {
    Sum(lanes: x) &<< Sum(repeating: Self.fractionBits)
  }

  @inline(__always)
  private func rounded(_ sum: Sum) -> SIMD8<Int16> {
    SIMD8(
      lanes: (sum &+ Sum(repeating: 1 << (Self.fractionBits - 1)))
        &>> Sum(repeating: Self.fractionBits)
    )
  }
}

extension Int64 {
  fileprivate func roundedQuotient(by divisor: Int64) -> Int64 {
    let quotient = (2 * magnitude + divisor.magnitude) / (2 * divisor.magnitude)
    return (self < 0) == (divisor < 0) ? Int64(quotient) : -Int64(quotient)
  }
}

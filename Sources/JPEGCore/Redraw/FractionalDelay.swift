/// Moves samples by a part of a sample.
///
/// The samples pass through A(z) / A(1/z), which has the phase of the delay to a high order (Thiran's
/// maximally flat all-pass) and a gain of 1 at every frequency. So nothing is lost, flat stays flat, and
/// passing through it in the opposite direction takes it back. Beyond the ends the samples repeat.
struct FractionalDelay: Sendable {
  private typealias Sum = SIMD8<Int32>

  /// The order of A.
  private static let order = 3
  private static let fractionBits: Int32 = 14

  /// The coefficients of A after the leading 1.
  private let a: (Int32, Int32, Int32)
  /// The reciprocal of the sum of all.
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

  /// Delays eight rows of samples, one a lane.
  func delay(_ samples: inout [SIMD8<Int16>]) {
    let last = samples.count - 1
    // A(z), from the end, so that what it looks back at is still there.
    for index in stride(from: last, through: 0, by: -1) {
      let others = weighted(
        samples[max(index - 1, 0)],
        samples[max(index - 2, 0)],
        samples[max(index - 3, 0)]
      )
      samples[index] = rounded(scaled(samples[index]) &+ others)
    }
    // 1 / A(1/z), from the end, for it looks forward at its own results.
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
  /// The quotient, rounded to nearest.
  fileprivate func roundedQuotient(by divisor: Int64) -> Int64 {
    let quotient = (2 * magnitude + divisor.magnitude) / (2 * divisor.magnitude)
    return (self < 0) == (divisor < 0) ? Int64(quotient) : -Int64(quotient)
  }
}

/// Moves samples by a part of a sample.
///
/// The samples go through A(z) / A(1/z), whose phase is that of the delay to a high order (Thiran's maximally
/// flat all-pass) and whose gain is 1 at every frequency: so nothing is lost, flat stays flat, and going
/// through it in the opposite direction takes it back. Beyond the ends the samples repeat.
struct FractionalDelay: Sendable {
  private typealias Sum = SIMD8<Int32>

  private static let order = 3
  private static let fractionBits: Int32 = 14

  /// The coefficients behind the leading 1 of A.
  private let a: (Int32, Int32, Int32)
  /// The reciprocal of the sum of A's coefficients.
  private let gain: Int32

  init(_ delay: ComponentGeometry.Delay) {
    let (d, unit) = (delay.numerator, delay.denominator)
    let binomial = [1, 3, 3, 1]
    let values = (1...Self.order).map { k -> Int32 in
      var (numerator, denominator) = (k % 2 == 0 ? binomial[k] : -binomial[k], 1)
      for n in 0...Self.order {
        numerator *= n * unit - d
        denominator *= (k + n) * unit - d
      }
      return Int32((numerator << Int(Self.fractionBits)).roundedQuotient(by: denominator))
    }
    a = (values[0], values[1], values[2])
    let sum = 1 << Int(Self.fractionBits) + Int(a.0 + a.1 + a.2)
    gain = Int32((1 << Int(2 * Self.fractionBits)).roundedQuotient(by: sum))
  }

  /// Delays eight rows of samples, one a lane.
  func delay(_ samples: inout [SIMD8<Int16>]) {
    let last = samples.count - 1
    // A(z), from the end so that what it needs is still there.
    for index in stride(from: last, through: 0, by: -1) {
      samples[index] = rounded(
        widened(samples[index]) &<< Sum(repeating: Self.fractionBits)
          &+ tail(
            samples[max(index - 1, 0)],
            samples[max(index - 2, 0)],
            samples[max(index - 3, 0)]
          )
      )
    }
    // 1 / A(1/z)
    samples[last] = rounded(widened(samples[last]) &* Sum(repeating: gain))
    for index in stride(from: last - 1, through: 0, by: -1) {
      samples[index] = BlockTransform.limited(
        rounded(
          widened(samples[index]) &<< Sum(repeating: Self.fractionBits)
            &- tail(
              samples[min(index + 1, last)],
              samples[min(index + 2, last)],
              samples[min(index + 3, last)]
            )
        )
      )
    }
  }

  @inline(__always)
  private func tail(_ x: SIMD8<Int16>, _ y: SIMD8<Int16>, _ z: SIMD8<Int16>) -> Sum {
    widened(x) &* Sum(repeating: a.0) &+ widened(y) &* Sum(repeating: a.1)
      &+ widened(z) &* Sum(repeating: a.2)
  }

  @inline(__always)
  private func widened(_ x: SIMD8<Int16>) -> Sum { Sum(truncatingIfNeeded: x) }

  @inline(__always)
  private func rounded(_ sum: Sum) -> SIMD8<Int16> {
    SIMD8(
      truncatingIfNeeded: (sum &+ Sum(repeating: 1 << (Self.fractionBits - 1)))
        &>> Sum(repeating: Self.fractionBits)
    )
  }
}

extension Int {
  /// The quotient by a positive or negative divisor, rounded to nearest.
  fileprivate func roundedQuotient(by divisor: Int) -> Int {
    let (n, d) = divisor < 0 ? (-self, -divisor) : (self, divisor)
    return n >= 0 ? (n + d / 2) / d : -((-n + d / 2) / d)
  }
}

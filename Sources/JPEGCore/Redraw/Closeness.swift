/// How closely a redrawn picture shows what the original does.
package struct Closeness: Hashable, Sendable {
  /// The difference of samples as decoders display them: rounded, and clamped to eight bits.
  package struct Difference: Hashable, Sendable {
    /// The mean of the squared differences.
    package var meanSquaredError: Double
    /// The largest difference, in levels of 255.
    package var largest: Int

    /// The peak signal-to-noise ratio in decibels; infinite if there is no difference.
    package var psnr: Double {
      meanSquaredError == 0 ? .infinity : (255 * 255 / meanSquaredError).decibels
    }
  }

  /// The differences of the components.
  package var components: [Difference]

  /// That of the whole: the mean of the components, each of which covers the same picture.
  package var overall: Difference {
    Difference(
      meanSquaredError: components.reduce(0) { $0 + $1.meanSquaredError }
        / Double(max(components.count, 1)),
      largest: components.reduce(0) { max($0, $1.largest) }
    )
  }
}

extension Double {
  /// Ten times the decimal logarithm of a positive number.
  package var decibels: Double {
    // ln m = 2 artanh((m - 1) / (m + 1)) with m from 1 to 2
    let ratio = (significand - 1) / (significand + 1)
    var (term, sum) = (ratio, 0.0)
    for odd in stride(from: 1.0, through: 33, by: 2) {
      sum += term / odd
      term *= ratio * ratio
    }
    let (naturalOf2, naturalOf10) = (0.693147180559945309, 2.302585092994045684)
    return 10 * (Double(exponent) * naturalOf2 + 2 * sum) / naturalOf10
  }
}

/// How much a re-encoded image differs from the original as decoders display it.
package struct Distortion: Hashable, Sendable {
  /// What the components say of colours.
  package enum Color: Hashable, Sendable {
    /// They are luma and two of chroma, and the differences those of red, green and blue.
    case yCbCr
    /// The differences are those of the components.
    case components
  }

  /// The mean of the squared differences of all channels.
  package var meanSquaredError: Double
  /// The largest difference, in levels of 255.
  package var largestError: Int

  package init(meanSquaredError: Double, largestError: Int) {
    self.meanSquaredError = meanSquaredError
    self.largestError = largestError
  }

  /// The peak signal-to-noise ratio in decibels; infinite if there is no difference.
  package var psnr: Double {
    meanSquaredError == 0 ? .infinity : (255 * 255 / meanSquaredError).decibels
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

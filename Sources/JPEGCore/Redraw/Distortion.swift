/// The difference between a re-encoded image and the original, as decoders display them, in every seventh line of images
/// with 1,024 lines or more, and in all lines of others.
package struct Distortion: Hashable, Sendable {
  /// The color model of the components.
  package enum Color: Hashable, Sendable {
    /// One luma and two chroma components; differences are those of red, green and blue.
    case yCbCr
    /// Four inks, inverted as Adobe writes them; differences are those of red, green and blue on a screen.
    case cmyk
    /// Black, and the other inks as luma and chroma; differences are those of red, green and blue on a screen.
    case ycck
    /// Any other; differences are those of the components.
    case components

    /// Whether a displayed color depends on several components.
    var mixesComponents: Bool { self != .components }
  }

  /// The mean of the squared differences of all channels, in the lines that were measured.
  package var meanSquaredError: Double
  /// The largest difference in the lines that were measured, of 255 levels.
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
  /// The value in decibels: ten times the decimal logarithm of a positive number.
  package var decibels: Double {
    // ln m = 2 artanh((m - 1) / (m + 1)), for m from 1 to 2.
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

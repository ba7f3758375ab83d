/// Color primaries and transfer characteristics as code points of ITU-T H.273, as in HEIF's `nclx`.
package struct ColorCodePoints: Hashable, Sendable {
  /// ColorPrimaries (H.273, table 2).
  package var primaries: Int
  /// TransferCharacteristics (H.273, table 3).
  package var transfer: Int

  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }

  /// Chromaticities x and y.
  struct Primaries: Hashable {
    var red: (Double, Double) { (values[0], values[1]) }
    var green: (Double, Double) { (values[2], values[3]) }
    var blue: (Double, Double) { (values[4], values[5]) }
    var white: (Double, Double) { (values[6], values[7]) }
    fileprivate var values: [Double]

    fileprivate init(_ values: Double...) { self.values = values }
  }

  /// The chromaticities, or nil if the code point is undefined or not for red, green and blue.
  var chromaticities: Primaries? {
    switch primaries {
    case 1, 2: Primaries(0.640, 0.330, 0.300, 0.600, 0.150, 0.060, 0.3127, 0.3290)
    case 4: Primaries(0.67, 0.33, 0.21, 0.71, 0.14, 0.08, 0.310, 0.316)
    case 5: Primaries(0.64, 0.33, 0.29, 0.60, 0.15, 0.06, 0.3127, 0.3290)
    case 6, 7: Primaries(0.630, 0.340, 0.310, 0.595, 0.155, 0.070, 0.3127, 0.3290)
    case 8: Primaries(0.681, 0.319, 0.243, 0.692, 0.145, 0.049, 0.310, 0.316)
    case 9: Primaries(0.708, 0.292, 0.170, 0.797, 0.131, 0.046, 0.3127, 0.3290)
    case 11: Primaries(0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.314, 0.351)
    case 12: Primaries(0.680, 0.320, 0.265, 0.690, 0.150, 0.060, 0.3127, 0.3290)
    case 22: Primaries(0.630, 0.340, 0.295, 0.605, 0.155, 0.077, 0.3127, 0.3290)
    default: nil
    }
  }

  /// A transfer curve.
  enum Curve: Hashable {
    /// The curve of sRGB.
    case sRGB
    /// A power function.
    case gamma(Double)
  }

  /// The curve, or nil for high dynamic range and undefined code points.
  ///
  /// The curves of television cameras are treated as sRGB's, as in photo viewers.
  var curve: Curve? {
    switch transfer {
    case 1, 2, 6, 13, 14, 15: .sRGB
    case 4: .gamma(2.2)
    case 5: .gamma(2.8)
    case 8: .gamma(1)
    default: nil
    }
  }

  /// Whether the code points are those of sRGB, the default without a profile.
  var isSRGB: Bool { (primaries == 1 || primaries == 2) && curve == .sRGB }
}

/// The position in the GPS directory (Exif 3.0, 4.6.7).
extension TIFFBlock {
  /// A coordinate of the GPS directory.
  package struct Coordinate {
    /// The tags of the angle and of the hemisphere.
    fileprivate let tag, reference: UInt16
    /// The letters of the hemispheres.
    fileprivate let positive, negative: Unicode.Scalar
    /// The maximum angle in degrees.
    fileprivate let limit: Double

    package static var latitude: Coordinate {
      Coordinate(
        tag: ExifTag.gpsLatitude,
        reference: ExifTag.gpsLatitudeRef,
        positive: "N",
        negative: "S",
        limit: 90
      )
    }

    package static var longitude: Coordinate {
      Coordinate(
        tag: ExifTag.gpsLongitude,
        reference: ExifTag.gpsLongitudeRef,
        positive: "E",
        negative: "W",
        limit: 180
      )
    }
  }

  /// Returns a coordinate in degrees, positive to the north and east; nil if it or its hemisphere is missing, not a
  /// number, or out of range.
  package func coordinate(_ coordinate: Coordinate, _ bytes: Span<UInt8>) -> Double? {
    guard let letter = byte(coordinate.reference, ofType: 2, bytes),
      let entry = entries(.gps, coordinate.tag).first, let parts = rationals(entry, bytes),
      let whole = parts.first?.value
    else { return nil }
    // Lower-case letters occur.
    let hemisphere = Unicode.Scalar(letter & ~0x20)
    let isPositive = hemisphere == coordinate.positive
    guard isPositive || hemisphere == coordinate.negative else { return nil }
    var degrees = whole
    for (part, unit) in zip(parts.dropFirst(), [60.0, 3600.0]) where !part.isUnknown {
      guard let value = part.value else { return nil }
      degrees += value / unit
    }
    guard degrees <= coordinate.limit else { return nil }
    return isPositive ? degrees : -degrees
  }

  /// Returns the altitude in metres, or nil if it is missing or not a number.
  package func altitude(_ bytes: Span<UInt8>) -> Double? {
    guard let entry = entries(.gps, ExifTag.gpsAltitude).first,
      let metres = rationals(entry, bytes)?.first?.value
    else { return nil }
    // 1 is below sea level (Exif 2) or the ellipsoid (Exif 3), 3 below sea level (Exif 3); without a reference, above.
    switch byte(ExifTag.gpsAltitudeRef, ofType: 1, bytes) {
    case 1, 3: return -metres
    default: return metres
    }
  }

  /// A rational of two unsigned integers.
  private struct Rational {
    var numerator: UInt32
    var denominator: UInt32

    /// Whether it is 0/0: not measured.
    var isUnknown: Bool { numerator == 0 && denominator == 0 }
    /// The quotient, or nil if the denominator is 0.
    var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
  }

  /// Returns the first three rationals of an entry, or nil if it has another type.
  private func rationals(_ entry: Entry, _ bytes: Span<UInt8>) -> [Rational]? {
    guard entry.type == 5, let value = entry.value else { return nil }
    var rationals: [Rational] = []
    for part in 0..<Int(min(entry.count, 3)) {
      let start = value.lowerBound + 8 * part
      guard let numerator = bytes.uint32(at: start, order),
        let denominator = bytes.uint32(at: start + 4, order)
      else { return nil }
      rationals.append(Rational(numerator: numerator, denominator: denominator))
    }
    return rationals
  }

  /// Returns the first byte of a value of the GPS directory.
  private func byte(_ tag: UInt16, ofType type: UInt16, _ bytes: Span<UInt8>) -> UInt8? {
    guard let entry = entries(.gps, tag).first, entry.type == type, let value = entry.value,
      !value.isEmpty
    else { return nil }
    return bytes[value.lowerBound]
  }
}

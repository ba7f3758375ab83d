/// The position in the GPS directory (Exif 3.0, 4.6.7).
extension TIFFBlock {
  /// A coordinate of the GPS directory.
  package enum Coordinate {
    case latitude, longitude

    /// The tags of the angle and of the hemisphere, the letters of the hemispheres, and the maximum angle.
    fileprivate var form: (tag: UInt16, reference: UInt16, letters: [Unicode.Scalar], limit: Double)
    {
      switch self {
      case .latitude: (ExifTag.gpsLatitude, ExifTag.gpsLatitudeRef, ["N", "S"], 90)
      case .longitude: (ExifTag.gpsLongitude, ExifTag.gpsLongitudeRef, ["E", "W"], 180)
      }
    }
  }

  /// Returns a coordinate in degrees, positive to the north and east; nil if it or its hemisphere is missing, not a
  /// number, or out of range.
  package func coordinate(_ coordinate: Coordinate, _ bytes: Span<UInt8>) -> Double? {
    let (tag, reference, letters, limit) = coordinate.form
    // Lower-case letters occur.
    guard let letter = byte(reference, ofType: 2, bytes),
      let hemisphere = letters.firstIndex(of: Unicode.Scalar(letter & ~0x20)),
      let parts = unsignedRationals(tag, bytes), var degrees = parts.first?.value
    else { return nil }
    for (part, unit) in zip(parts.dropFirst(), [60.0, 3600.0]) where !part.isUnknown {
      guard let value = part.value else { return nil }
      degrees += value / unit
    }
    guard degrees <= limit else { return nil }
    return hemisphere == 0 ? degrees : -degrees
  }

  /// Returns the altitude in metres, or nil if it is missing or not a number.
  package func altitude(_ bytes: Span<UInt8>) -> Double? {
    guard let metres = unsignedRationals(ExifTag.gpsAltitude, bytes)?.first?.value else {
      return nil
    }
    // 1 is below sea level (Exif 2) or the ellipsoid (Exif 3), 3 below sea level (Exif 3); without a reference, above.
    switch byte(ExifTag.gpsAltitudeRef, ofType: 1, bytes) {
    case 1, 3: return -metres
    default: return metres
    }
  }

  /// A rational number without a sign.
  package struct Rational {
    var numerator: UInt32
    var denominator: UInt32

    /// Whether it is 0/0: not measured.
    var isUnknown: Bool { numerator == 0 && denominator == 0 }
    /// The quotient, or nil if the denominator is 0.
    package var value: Double? { denominator == 0 ? nil : Double(numerator) / Double(denominator) }
  }

  /// Returns the first three rationals of the first entry of a tag; nil if it has another type.
  private func unsignedRationals(_ tag: UInt16, _ bytes: Span<UInt8>) -> [Rational]? {
    entry(.gps, tag).flatMap { $0.type == 5 ? rationals($0, bytes) : nil }
  }

  /// Returns the first three rationals of an entry of a type of rationals.
  package func rationals(_ entry: Entry, _ bytes: Span<UInt8>) -> [Rational] {
    guard let start = entry.value?.lowerBound else { return [] }
    return (0..<Int(min(entry.count, 3))).map { part in
      Rational(
        numerator: bytes.uint32(at: start + 8 * part, order) ?? 0,
        denominator: bytes.uint32(at: start + 8 * part + 4, order) ?? 0
      )
    }
  }

  private func byte(_ tag: UInt16, ofType type: UInt16, _ bytes: Span<UInt8>) -> UInt8? {
    guard let entry = entry(.gps, tag), entry.type == type, let value = entry.value,
      !value.isEmpty
    else { return nil }
    return bytes[value.lowerBound]
  }
}

/// A position on the earth in the GPS directory of Exif (Exif 2.32, 4.6.6).
package struct GeoPosition: Sendable, Hashable {
  /// Degrees north of the equator, -90…90.
  package var latitude: Double
  /// Degrees east of Greenwich, -180…180.
  package var longitude: Double
  /// Metres above sea level, if present.
  package var altitude: Double?

  package init(latitude: Double, longitude: Double, altitude: Double?) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// The position as text, such as `48.858222° N, 2.294500° E, 35 m`.
  package var text: String {
    let degrees =
      Self.degrees(latitude, positive: "N", negative: "S") + ", "
      + Self.degrees(longitude, positive: "E", negative: "W")
    guard let altitude, let metres = Int(exactly: altitude.rounded()) else { return degrees }
    return degrees + ", \(metres) m"
  }

  private static func degrees(_ value: Double, positive: String, negative: String) -> String {
    guard let millionths = Int(exactly: (value.magnitude * 1e6).rounded()) else { return "?" }
    let fraction = String(millionths % 1_000_000)
    let zeros = String(repeating: "0", count: 6 - fraction.count)
    return "\(millionths / 1_000_000).\(zeros)\(fraction)° \(value < 0 ? negative : positive)"
  }
}

extension GeoPosition {
  /// Reads the position in the GPS directory, without an altitude that is not a number.
  ///
  /// nil if a coordinate or its hemisphere is missing, not a number, or out of range.
  init?(of reference: ExifReference) {
    guard
      let latitude = Self.coordinate(
        reference,
        value: 0x0002,
        hemisphere: 0x0001,
        positive: "N",
        negative: "S",
        limit: 90
      ),
      let longitude = Self.coordinate(
        reference,
        value: 0x0004,
        hemisphere: 0x0003,
        positive: "E",
        negative: "W",
        limit: 180
      )
    else { return nil }
    self.init(
      latitude: latitude,
      longitude: longitude,
      altitude: Self.altitude(reference)
    )
  }

  private static func coordinate(
    _ reference: ExifReference,
    value: UInt16,
    hemisphere: UInt16,
    positive: Character,
    negative: Character,
    limit: Double
  ) -> Double? {
    guard
      let letter = reference.tag(hemisphere, in: .gps)?.ascii?.uppercased().first,
      letter == positive || letter == negative,
      let parts = reference.tag(value, in: .gps)?.rationals(reference.byteOrder),
      let whole = parts.first?.value
    else { return nil }
    var degrees = whole
    for (part, unit) in zip(parts.dropFirst(), [60.0, 3600.0]) {
      // Cameras write 0/0 for a part that they did not measure.
      if part == ReferenceTag.Rational(numerator: 0, denominator: 0) { continue }
      guard let value = part.value else { return nil }
      degrees += value / unit
    }
    guard degrees <= limit else { return nil }
    return letter == positive ? degrees : -degrees
  }

  private static func altitude(_ reference: ExifReference) -> Double? {
    guard
      let metres = reference.tag(0x0006, in: .gps)?.rationals(reference.byteOrder)?.first?.value
    else { return nil }
    // 1 is below sea level, 3 (Exif 3.0) below the ellipsoid; without a reference, above.
    let isBelow = reference.tag(0x0005, in: .gps)?.bytes.first.map { $0 == 1 || $0 == 3 }
    return isBelow == true ? -metres : metres
  }
}

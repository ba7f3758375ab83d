import ExifReference
import Testing

@Suite("Position")
struct GeoPositionTests {
  /// The position in a block whose GPS directory has these values.
  private func position(
    latitude: [(Int, Int)] = [(48, 1), (51, 1), (2960, 100)],
    latitudeRef: String? = "N",
    longitude: [(Int, Int)] = [(2, 1), (1767, 100), (0, 1)],
    longitudeRef: String? = "E",
    altitude: (Int, Int)? = nil,
    altitudeRef: UInt8? = nil,
    isLittleEndian: Bool = false
  ) throws -> GeoPosition? {
    var block = ExifBlock(isLittleEndian: isLittleEndian)
    block.ifd0 = [block.short(0x0112, 1)]
    if let latitudeRef { block.gps.append(block.ascii(0x0001, latitudeRef)) }
    block.gps.append(block.rationals(0x0002, latitude))
    if let longitudeRef { block.gps.append(block.ascii(0x0003, longitudeRef)) }
    block.gps.append(block.rationals(0x0004, longitude))
    if let altitudeRef { block.gps.append(block.byte(0x0005, altitudeRef)) }
    if let altitude { block.gps.append(block.rationals(0x0006, [altitude])) }
    return try #require(ExifReference(app1Payload: block.app1Payload)).position
  }

  @Test("Degrees, minutes and seconds become decimal degrees", arguments: [false, true])
  func decimal(isLittleEndian: Bool) throws {
    let position = try #require(
      try position(altitude: (69, 2), altitudeRef: 0, isLittleEndian: isLittleEndian)
    )
    #expect(abs(position.latitude - 48.858222) < 1e-6)
    #expect(abs(position.longitude - 2.2945) < 1e-9)
    #expect(position.altitude == 34.5)
    #expect(position.text == "48.858222° N, 2.294500° E, 35 m")
  }

  @Test("South, west and below the sea are negative")
  func signs() throws {
    let position = try #require(
      try position(latitudeRef: "S", longitudeRef: "W", altitude: (400, 1), altitudeRef: 1)
    )
    #expect(position.latitude < -48 && position.longitude < -2 && position.altitude == -400)
    #expect(position.text == "48.858222° S, 2.294500° W, -400 m")
  }

  @Test("An altitude without a reference is above the sea")
  func altitudeWithoutReference() throws {
    #expect(try position(altitude: (12, 1))?.altitude == 12)
  }

  @Test("A coordinate without its hemisphere, or with an invalid one, is rejected")
  func hemisphere() throws {
    #expect(try position(latitudeRef: nil) == nil)
    #expect(try position(longitudeRef: nil) == nil)
    #expect(try position(latitudeRef: "E") == nil)
  }

  @Test("A zero denominator is not a number, but 0/0 minutes and seconds are unmeasured")
  func zeroDenominators() throws {
    #expect(try position(latitude: [(48, 0), (0, 1), (0, 1)]) == nil)
    #expect(try position(latitude: [(0, 0), (0, 0), (0, 0)]) == nil)
    #expect(try position(latitude: [(48, 1), (30, 1), (1, 0)]) == nil)
    #expect(try position(latitude: [(48, 1), (30, 1), (0, 0)])?.latitude == 48.5)
    let flat = try #require(try position(altitude: (12, 0)))
    #expect(flat.altitude == nil)
    #expect(flat.text == "48.858222° N, 2.294500° E")
  }

  @Test("A position out of range is rejected")
  func offTheGlobe() throws {
    #expect(try position(latitude: [(90, 1), (0, 1), (1, 1)]) == nil)
    #expect(try position(longitude: [(0xFFFF_FFFF, 1)]) == nil)
    #expect(try position(latitude: [(90, 1)], longitude: [(180, 1)]) != nil)
  }

  @Test("Fractions of a degree are rounded and padded")
  func rounding() {
    let position = GeoPosition(latitude: -0.000_001_4, longitude: 179.999_999_9, altitude: -0.4)
    #expect(position.text == "0.000001° S, 180.000000° E, 0 m")
  }
}

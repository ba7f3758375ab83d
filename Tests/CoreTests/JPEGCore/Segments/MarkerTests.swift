import JPEGCore
import Testing

struct MarkerTests {
  /// The codes of T.81, table B.1, by name; RES and those of other standards have none.
  private static let names: [UInt8: String] = {
    var names: [UInt8: String] = [
      0x01: "TEM", 0xC4: "DHT", 0xC8: "JPG", 0xCC: "DAC", 0xD8: "SOI", 0xD9: "EOI", 0xDA: "SOS",
      0xDB: "DQT", 0xDC: "DNL", 0xDD: "DRI", 0xDE: "DHP", 0xDF: "EXP", 0xFE: "COM",
    ]
    for number in 0..<16 as Range<UInt8> {
      names[0xE0 + number] = "APP\(number)"
      if ![4, 8, 12].contains(number) { names[0xC0 + number] = "SOF\(number)" }
      if number < 8 { names[0xD0 + number] = "RST\(number)" }
    }
    return names
  }()

  @Test func `Markers have the names of the standard, others their number`() {
    for code in 0...255 as ClosedRange<UInt8> {
      let digits = (code < 16 ? "0" : "") + String(code, radix: 16, uppercase: true)
      #expect("\(Marker(rawValue: code))" == Self.names[code] ?? "marker 0x" + digits)
    }
  }

  @Test func `A length follows every marker but SOI, EOI, RSTm and TEM`() {
    let standalone = ["SOI", "EOI", "TEM"] + (0..<8).map { "RST\($0)" }
    for (code, name) in Self.names {
      #expect(Marker(rawValue: code).isStandalone == standalone.contains(name), "\(name)")
    }
  }
}

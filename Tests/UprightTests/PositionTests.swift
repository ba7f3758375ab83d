import ExifReference
import FileBytes
import Fixtures
import JPEGCore
import Testing
import Upright

/// The place in the facts is the one that libexif's reading gives.
struct PositionTests {
  /// A value of the GPS directory.
  private struct Entry {
    var tag: UInt16
    var type: UInt16
    var count: Int
    var bytes: [UInt8]
  }

  /// An Exif segment with a GPS directory.
  private func segment(_ entries: [Entry], _ order: ByteOrder) -> [UInt8] {
    let start = 8 + 2 + 12 + 4
    var values: [UInt8] = []
    var directory = UInt16(entries.count).bytes(order)
    let end = start + 2 + 12 * entries.count + 4
    for entry in entries {
      directory += entry.tag.bytes(order) + entry.type.bytes(order)
      directory += UInt32(entry.count).bytes(order)
      if entry.bytes.count <= 4 {
        directory += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
      } else {
        directory += UInt32(end + values.count).bytes(order)
        values += entry.bytes
      }
    }
    directory += [0, 0, 0, 0]
    let header = Array((order == .big ? "MM" : "II").utf8) + UInt16(42).bytes(order)
    let pointer =
      UInt16(0x8825).bytes(order) + UInt16(4).bytes(order) + UInt32(1).bytes(order)
      + UInt32(start).bytes(order)
    let ifd0 = UInt32(8).bytes(order) + UInt16(1).bytes(order) + pointer + [0, 0, 0, 0]
    let payload = Array("Exif\0\0".utf8) + header + ifd0 + directory + values
    return [0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  private func check(_ entries: [Entry], _ order: ByteOrder) throws -> Facts.Position? {
    let image = try Fixture.bytes("coding/1x1-upright.jpg")
    let segment = segment(entries, order)
    // Its own Exif block gives a place, too.
    let tables = try Container(image.span).segments.dropFirst().first {
      !$0.marker.carriesMetadata
    }
    let file = [0xFF, 0xD8] + segment + image[try #require(tables).range.lowerBound...]
    let facts = try Rewriter().audit(file).facts
    let reference = ExifReference(app1Payload: Array(segment.dropFirst(4)))?.position
    #expect(facts.position?.latitude == reference?.latitude, "\(entries)")
    #expect(facts.position?.longitude == reference?.longitude, "\(entries)")
    #expect(facts.position?.altitude == reference?.altitude, "\(entries)")
    return facts.position
  }

  private func angle(_ parts: [(UInt32, UInt32)], _ order: ByteOrder) -> [UInt8] {
    parts.flatMap { $0.0.bytes(order) + $0.1.bytes(order) }
  }

  @Test(arguments: [ByteOrder.big, .little])
  func `Degrees, minutes and seconds become degrees`(order: ByteOrder) throws {
    let position = try check(
      [
        Entry(tag: 1, type: 2, count: 2, bytes: [UInt8(ascii: "S"), 0]),
        Entry(tag: 2, type: 5, count: 3, bytes: angle([(48, 1), (51, 1), (2960, 100)], order)),
        Entry(tag: 3, type: 2, count: 2, bytes: [UInt8(ascii: "E"), 0]),
        Entry(tag: 4, type: 5, count: 3, bytes: angle([(2, 1), (1767, 100), (0, 1)], order)),
        Entry(tag: 5, type: 1, count: 1, bytes: [1]),
        Entry(tag: 6, type: 5, count: 1, bytes: angle([(69, 2)], order)),
      ],
      order
    )
    let place = try #require(position)
    #expect(abs(place.latitude + 48.858222) < 1e-6 && abs(place.longitude - 2.2945) < 1e-6)
    #expect(place.altitude == -34.5)
  }

  @Test func `libexif reads the same position, whatever the values`() throws {
    var generator = SeededGenerator(seed: 21)
    let letters = Array("NSEWns?".utf8)
    var places = 0
    for _ in 0..<2_000 {
      let order = Bool.random(using: &generator) ? ByteOrder.big : .little
      func number(_ limit: UInt32) -> (UInt32, UInt32) {
        let denominator: UInt32 = [0, 1, 1, 1, 100].randomElement(using: &generator) ?? 1
        let value = UInt32.random(in: 0...limit, using: &generator)
        return (Bool.random(using: &generator) ? value : 0, denominator)
      }
      func letter(_ usual: String) -> UInt8 {
        let own = Array(usual.utf8)
        return (Int.random(in: 0..<8, using: &generator) == 0 ? letters : own)
          .randomElement(using: &generator) ?? 0
      }
      var entries = [
        Entry(tag: 1, type: 2, count: 2, bytes: [letter("NS"), 0]),
        Entry(
          tag: 2,
          type: 5,
          count: 3,
          bytes: angle([number(95), number(60), number(60)], order)
        ),
        Entry(tag: 3, type: 2, count: 2, bytes: [letter("EWe"), 0]),
        Entry(tag: 4, type: 5, count: 2, bytes: angle([number(190), number(60)], order)),
        Entry(tag: 5, type: 1, count: 1, bytes: [UInt8.random(in: 0...4, using: &generator)]),
        Entry(tag: 6, type: 5, count: 1, bytes: angle([number(8_000)], order)),
      ]
      if Int.random(in: 0..<4, using: &generator) == 0 {
        entries.remove(at: Int.random(in: 0..<6, using: &generator))
      }
      if try check(entries, order) != nil { places += 1 }
    }
    #expect(places > 200)
  }

  @Test func `Totals do not read the position`() throws {
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    #expect(try Rewriter().audit(bytes, detail: .totals).facts.position == nil)
  }
}

import Fixtures
import JPEGCore
import Testing
import Upright

/// What the targets in tools/fuzz found, each made by hand from a fixture.
struct FoundByFuzzingTests {
  private func file(_ directory: [UInt8]) throws -> [UInt8] {
    let picture = try Fixture.bytes("orientation/aligned-6.jpg")
    let plain = try Container(picture.span).decodableStream(picture)
    let payload = Array("Exif\0\0II*\0\u{8}\0\0\0".utf8) + directory
    return [0xFF, 0xD8, 0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
      + plain.dropFirst(2)
  }

  /// The resolutions stand where the block begins; exchanging them destroyed its byte order mark.
  @Test func `A value on top of the EXIF header is not changed`() throws {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      tag.bytes(.little) + type.bytes(.little) + count.bytes(.little) + value.bytes(.little)
    }
    let bytes = try file(
      [3, 0] + entry(0x112, 3, 1, 6) + entry(0x11A, 5, 1, 0) + entry(0x11B, 5, 1, 10)
        + [0, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    )
    var options = Options()
    options.resolution = .follow
    let rewrite = try Normalizer(options: options).normalize(bytes).rewritten()
    #expect(!rewrite.changes.map(\.field).contains { $0.contains("resolution") })
    #expect(try Normalizer().normalize(rewrite.bytes).plan.action.rewrites == false)
  }

  /// Dimensions that stand on top of the directory's own entries overwrote the orientation.
  @Test func `A value on top of another entry leaves the file alone`() throws {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      tag.bytes(.little) + type.bytes(.little) + count.bytes(.little) + value.bytes(.little)
    }
    // ImageWidth of two numbers, the first of which is the tag and the type of Orientation.
    let bytes = try file(
      [3, 0] + entry(0x100, 4, 2, 22) + entry(0x112, 3, 1, 6) + entry(0x101, 4, 1, 64) + [
        0, 0, 0, 0,
      ]
    )
    let outcome = try Normalizer().normalize(bytes)
    if case .rewritten(let rewrite) = outcome {
      #expect(try Normalizer().normalize(rewrite.bytes).plan.action.rewrites == false)
    } else {
      guard case .leave(let reason) = outcome.plan.action else {
        Issue.record("the file needs nothing")
        return
      }
      #expect(reason.identifier == "shared-bytes")
    }
  }

  /// An XML document in UTF-16 behind one byte that is none gave places in other bytes than the packet's.
  @Test func `UTF-16 in the middle of a sidecar is refused`() throws {
    let packet = try Fixture.bytes("xmp/alone-beside-exif.jpg")
    let start = try #require(packet.firstRange(of: Array("<x:xmpmeta".utf8)))
    let end = try #require(packet.firstRange(of: Array("</x:xmpmeta>".utf8)))
    let document = packet[start.lowerBound..<end.upperBound].flatMap { [$0, UInt8(0)] }
    #expect(throws: UprightError.self) { try Sidecar(Array("A\0\0\n".utf8) + document) }
    #expect(throws: UprightError.self) {
      try Sidecar(Array("<?xpacket begin=\"\0".utf8) + document)
    }
  }

  /// A flipped bit makes a run of blocks far beyond white, which decoders show as white and a redraw as grey.
  @Test func `Blocks that no picture gives are not redrawn`() throws {
    var bytes = try Fixture.bytes("orientation/unaligned-7.jpg")
    bytes[11_540 / 8] ^= 1 << UInt8(11_540 % 8)
    #expect(throws: UprightError.self) { try Normalizer().normalize(bytes) }
  }
}

import Fixtures
import JPEGCore
import Testing
import Upright
import Verification

/// Edits and images in trailers that programs put after the image.
@Suite(.requiresExifTool)
struct TrailerTests {
  private static func words(_ numbers: [Int]) -> [UInt8] {
    numbers.flatMap { UInt32($0).bytes(.big) }
  }

  private static func canon(_ edits: [UInt8], version4: Bool = false) -> [UInt8] {
    let name = Array("CANON OPTIONAL DATA\0".utf8)
    let record = words([edits.count]) + edits
    let block = words([version4 ? 0xFFFF_00F7 : 0xFFFF_00F4, record.count]) + record
    return name + [0, 1, 0, 0] + words([block.count]) + block + name + words([block.count])
      + [UInt8](repeating: 0, count: 38) + [0xFF, 0xD9]
  }

  /// The edits of Canon's program, version 1, with a number at an offset.
  private static func recipe(_ value: UInt8 = 0, at offset: Int = 0) -> [UInt8] {
    var edits = [UInt8](repeating: 0, count: 0x272)
    if value > 0 { edits[offset + 1] = value }
    return edits
  }

  private static func directory(_ tag: Int, _ value: Int) -> [UInt8] {
    words([0x4D4D_4D4D, 0, 0, 0, 0, 0, 0, 1, 0]) + words([tag, 9, 1, 0, 0, 64, 4, value, 0])
  }

  private static func fotoStation(_ numbers: [Int]) -> [UInt8] {
    let content = words(numbers)
    return content + [0, 2] + words([content.count + 10, 0xA1B2_C3D4])
  }

  private static func photoMechanic(_ fields: [(UInt8, Int)]) -> [UInt8] {
    var content: [UInt8] = []
    for (field, value) in fields { content += [0x1C, 2, field, 0, 4] + words([value]) }
    return content + words([content.count]) + Array("cbipcbbl".utf8)
  }

  static let edits: [(name: String, kind: String?, trailer: [UInt8])] = [
    ("crop of Canon", "canon-recipe", canon(recipe(1, at: 0x244))),
    ("rotation of Canon", "canon-recipe", canon(recipe(3, at: 0x26E))),
    ("colors of Canon", nil, canon(recipe(7, at: 0x20))),
    ("rotation of Canon 4", "canon-recipe", canon(directory(0x10002, 90), version4: true)),
    ("colors of Canon 4", nil, canon(directory(0x20000, 90), version4: true)),
    (
      "rotation of FotoStation", "fotostation-edit",
      fotoStation([96, 64, 3, 72000, 9000, 0, 0, 0, 100_000, 100_000, 0, 0])
    ),
    (
      "crop of FotoStation before others", "fotostation-edit",
      fotoStation([96, 64, 3, 72000, 0, 0, 5000, 0, 100_000, 100_000, 0, 0]) + canon(recipe())
    ),
    ("crop of Photo Mechanic", "photomechanic-crop", photoMechanic([(221, 1), (219, 40)])),
    ("rotation of Photo Mechanic", "photomechanic-crop", photoMechanic([(216, 1)])),
    ("label of Photo Mechanic", nil, photoMechanic([(221, 1), (222, 2)])),
  ]

  @Test(arguments: edits.map(\.name))
  func `A file with a crop or rotation in a trailer is skipped, and one with colors is not`(
    name: String
  ) throws {
    let edit = try #require(Self.edits.first { $0.name == name })
    let original = try Fixture.bytes("orientation/aligned-6.jpg") + edit.trailer
    let outcome = try Rewriter().rewrite(original)
    #expect(outcome.skipReason == edit.kind.map { _ in "registered-data" })
    #expect(outcome.plan.registeredData.first?.kind == edit.kind)
    guard edit.kind != nil else { return }
    var options = Options()
    options.registeredData = .keep
    let kept = try Rewriter(options: options).rewrite(original).rewritten()
    #expect(kept.bytes.suffix(edit.trailer.count) == edit.trailer[...])
    #expect(try !Verifier().verify(original: original, result: kept.bytes).isProven)
  }

  @Test func `Dimensions of the stored image in FotoStation's trailer prevent a proof`() throws {
    let trailer = Self.fotoStation([96, 64, 3, 72000, 0, 0, 0, 0, 100_000, 100_000, 0, 0])
    let original = try Fixture.bytes("orientation/aligned-6.jpg") + trailer
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.plan.registeredData.map(\.effect) == [.stale])
    #expect(try !Verifier().verify(original: original, result: rewrite.bytes).isProven)
  }

  @Test func `Offsets of AFCP stay right, or the file is skipped`() throws {
    for path in ["orientation/aligned-6.jpg", "orientation/unaligned-6.jpg"] {
      let image = try Fixture.bytes(path)
      let iptc: [UInt8] = [0x1C, 2, 120, 0, 2, 0x68, 0x69]
      let original =
        image + Array("AXS!".utf8) + [1, 0, 0, 1, 0, 0, 0, 0] + Array("IPTC".utf8)
        + Self.words([iptc.count, image.count + 24]) + iptc + Array("AXS!".utf8)
        + Self.words([image.count, 0])
      let outcome = try Rewriter().rewrite(original)
      guard case .rewritten(let rewrite) = outcome else {
        #expect(outcome.skipReason == "absolute-offsets")
        continue
      }
      #expect(rewrite.bytes.count == original.count)
      #expect(try ExifTool(rewrite.bytes).values["IPTC2:Caption-Abstract"] == ["hi"])
    }
  }

  @Test func `An image after the image that no index lists is named and prevents a proof`() throws {
    let other = try Fixture.bytes("exif/no-exif.jpg")
    let original = try Fixture.bytes("orientation/aligned-6.jpg") + other
    #expect(try Rewriter().audit(original).facts.trailingBytes == other.count)
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.bytes.suffix(other.count) == other[...])
    #expect(rewrite.plan.notes.contains { $0.code == .imageKept })
    #expect(rewrite.plan.embeddedImages.contains { $0.role == .unknown })
    #expect(try !Verifier().verify(original: original, result: rewrite.bytes).isProven)
  }
}

import FileBytes
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

  /// A trailer of MIE with one text, whose last element gives its length.
  private static func mie(_ name: String, isLittle: Bool = false) -> [UInt8] {
    let element =
      [0x7E, 0x20, UInt8(name.utf8.count), 2] + Array(name.utf8) + Array("90".utf8)
    let start: [UInt8] = [0x7E, 0x10, 4, 0xFE] + Array("0MIE".utf8) + [0, 0, 0, 0]
    let end: [UInt8] = [0x7E, 0, 4, 0] + Array("zmie".utf8) + [0x7E, 0, 0, 6]
    let length = UInt32(start.count + element.count + end.count + 6)
    return start + element + end + length.bytes(isLittle ? .little : .big)
      + [isLittle ? 0x18 : 0x10, 4]
  }

  private static func canonPacket(_ text: String) -> [UInt8] {
    var trailer = canon(recipe())
    let packet = Array(text.utf8)
    let record = words([0xFFFF_00F6, packet.count]) + packet
    trailer.insert(contentsOf: record, at: trailer.count - 64)
    for place in [24, trailer.count - 44] {
      let length = UInt32(trailer.count - 92).bytes(.big)
      trailer.replaceSubrange(place..<place + 4, with: length)
    }
    return trailer
  }

  private static func concatenation(_ layout: String) throws -> [UInt8] {
    let image = try Fixture.bytes("orientation/aligned-6.jpg")
    let iptc: [UInt8] = [0x1C, 2, 131, 0, 2, 0x30] + Array(layout.utf8)
    return Array("AXS!".utf8) + [1, 0, 0, 1, 0, 0, 0, 0] + Array("IPTC".utf8)
      + words([iptc.count, image.count + 24]) + iptc + Array("AXS!".utf8)
      + words([image.count, 0])
  }

  private static let stale: [(kind: String?, trailer: @Sendable () throws -> [UInt8])] = [
    ("mie", { mie("Rotation") }), ("mie", { mie("EXIF", isLittle: true) }), (nil, { mie("Title") }),
    ("canon-recipe", { canonPacket("<x tiff:Orientation='6'/>") }), (nil, { canonPacket("<x/>") }),
    ("afcp-layout", { try concatenation("L") }), (nil, { try concatenation("S") }),
  ]

  @Test(arguments: stale.indices)
  func `Metadata of the stored image in a trailer is named, and prevents a proof`(
    index: Int
  ) throws {
    let (kind, trailer) = Self.stale[index]
    let original = try Fixture.bytes("orientation/aligned-6.jpg") + trailer()
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.plan.registeredData.map(\.kind) == (kind.map { [$0] } ?? []))
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.findings.isEmpty && verdict.isProven == (kind == nil), "\(verdict.notes)")
  }

  /// Edits of Nikon's program in a MakerNote.
  private static func nikon(_ tag: UInt32, _ value: [UInt8]) throws -> [UInt8] {
    let record =
      tag.bytes(.little) + [UInt8](repeating: 0, count: 14)
      + UInt32(value.count + 4).bytes(.little) + value
    let edits = [UInt8](repeating: 0, count: 22) + record
    let note =
      Array("Nikon\0\u{2}\u{10}\0\0".utf8) + Array("MM\0*".utf8) + words([8])
      + [0, 1, 0x0E, 1, 0, 7] + words([edits.count, 26, 0]) + edits
    let exif =
      Array("MM\0*".utf8) + words([8]) + [0, 2, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
      + [0x87, 0x69, 0, 4, 0, 0, 0, 1] + words([38, 0]) + [0, 1, 0x92, 0x7C, 0, 7]
      + words([note.count, 56, 0]) + note
    let image = try Fixture.bytes("exif/no-exif.jpg")
    return image.prefix(2) + (try #require(SegmentBytes.exif(exif))) + image.dropFirst(2)
  }

  @Test func `A crop, rotation or retouching of Capture NX in the MakerNote is registered data`()
    throws
  {
    let crop = [UInt8](repeating: 0, count: 0x2D) + [0x40] + [UInt8](repeating: 0, count: 0x20)
    for (tag, value, isEdit) in [
      (0x76A4_3207, [90, 0], true), (0x76A4_3207, [0, 0], false), (0x3742_33E0, crop, true),
      (0x3742_33E0, [UInt8](repeating: 0, count: 80), false), (0x3CFC_73C6, [1], true),
      (0x2175_EB78, [1], false),
    ] as [(UInt32, [UInt8], Bool)] {
      let original = try Self.nikon(tag, value)
      let plan = try Rewriter().rewrite(original).plan
      #expect(plan.registeredData.map(\.kind) == (isEdit ? ["nikon-capture"] : []))
      #expect(plan.action.rewrites == !isEdit)
    }
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
    #expect(Rewriter().trailingBytes(original) == other.count)
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.bytes.suffix(other.count) == other[...])
    #expect(rewrite.plan.notes.contains { $0.code == .imageKept })
    #expect(rewrite.plan.embeddedImages.contains { $0.role == .unknown })
    #expect(try !Verifier().verify(original: original, result: rewrite.bytes).isProven)
  }
}

import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Orientation in other places than Exif's IFD0 and the XMP packet.
struct OrientationCopyTests {
  /// A place for a copy of Orientation 6, as segments after Exif.
  struct Copy: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Whether exiftool prints the copy as Orientation.
    var isOrientation = true
    let field: String
    let make: @Sendable () -> [UInt8]
  }

  private static func segment(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, 0xE0 | number] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  private static func packet(_ attributes: String) -> String {
    #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" \#(attributes)/>"#
      + "</rdf:RDF></x:xmpmeta>"
  }

  private static let xmp = packet(#"tiff:Orientation="6""#)

  private static func resource(_ number: UInt16, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + number.bytes(.big) + [0, 0] + UInt32(data.count).bytes(.big) + data
      + (data.count % 2 == 1 ? [0] : [])
  }

  private static func photoshop(_ resources: [UInt8]) -> [UInt8] {
    segment(13, Array("Photoshop 3.0\0".utf8) + resources)
  }

  @Test func `A copy that is not read, because its fields share bytes, has a note`() throws {
    for isLast in [false, true] {
      let copy = SharedFields.block(orientationIsLast: isLast)
      let photo = try Fixture.bytes("orientation/aligned-6.jpg")
      let file = photo[..<2] + Self.photoshop(Self.resource(1058, copy)) + photo[2...]
      let rewrite = try Rewriter().rewrite(Array(file)).rewritten()
      #expect(rewrite.plan.notes.contains { $0.code == .orientationCopy })
    }
  }

  private static let block = Array(TIFFBlock.exifSegment(.right).dropFirst(10))

  /// Exif with one value in IFD0 besides Orientation.
  private static func exif(_ tag: UInt16, _ value: [UInt8]) -> [UInt8] {
    let entries: [[UInt8]] = [
      tag.bytes(.big), UInt16(1).bytes(.big), UInt32(value.count).bytes(.big),
      UInt32(26).bytes(.big),
    ]
    let block =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entries.flatMap { $0 } + [0, 0, 0, 0]
    return segment(1, Array("Exif\0\0".utf8) + block + value)
  }

  /// Extended XMP in two segments, with the packet that refers to it.
  private static func extended(digest: String?) -> [UInt8] {
    let text = Array(xmp.utf8)
    let digest = Array(
      (digest ?? MD5.digest(of: text).hexadecimal(uppercase: true)).utf8
    )
    let main = packet(
      #"xmlns:n="http://ns.adobe.com/xmp/note/" n:HasExtendedXMP="\#(String(decoding: digest, as: UTF8.self))""#
    )
    let parts = [text.prefix(90), text.dropFirst(90)]
    return segment(1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(main.utf8))
      + parts.flatMap { part in
        let place = UInt32(text.count).bytes(.big) + UInt32(part.startIndex).bytes(.big)
        return segment(
          1,
          Array("http://ns.adobe.com/xmp/extension/\0".utf8) + digest + place + part
        )
      }
  }

  static let copies = [
    Copy(testDescription: "XMP in Photoshop's resources", field: "photoshop.1060.Orientation") {
      photoshop(resource(1005, [0, 72, 0, 0]) + resource(1060, Array(xmp.utf8)))
    },
    Copy(testDescription: "Exif in Photoshop's resources", field: "photoshop.1058.orientation") {
      photoshop(resource(1058, block))
    },
    Copy(testDescription: "XMP in Exif", field: "exif.ifd0.xmp.Orientation") {
      exif(0x02BC, Array(xmp.utf8))
    },
    Copy(testDescription: "Photoshop's resources in Exif", field: "photoshop.1060.Orientation") {
      exif(0x8649, resource(1060, Array(xmp.utf8)))
    },
    Copy(testDescription: "extended XMP", field: "xmp.extended.Orientation") {
      extended(digest: nil)
    },
    Copy(testDescription: "extended XMP with another name", field: "xmp.extended.Orientation") {
      extended(digest: "0123456789ABCDEF0123456789ABCDEF")
    },
    Copy(
      testDescription: "rotation of an old camera",
      isOrientation: false,
      field: "app12.rotation"
    ) { segment(12, Array("[picture info]\r\nRotation=90\r\nWidth=96\r\n".utf8)) },
    Copy(
      testDescription: "rotation of Photo Mechanic",
      isOrientation: false,
      field: "xmp.photomechanic.Rotation"
    ) {
      let text = packet(
        #"xmlns:p="http://ns.camerabits.com/photomechanic/1.0/" p:Rotation="1""#
      )
      return segment(1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(text.utf8))
    },
  ]

  /// A photo with Orientation 6 and further segments.
  private func photo(_ segments: [UInt8]) throws -> [UInt8] {
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.insert(contentsOf: segments, at: exif.range.upperBound)
    return bytes
  }

  private func orientations(_ file: [UInt8]) throws -> [String] {
    let tool = try Tool.run(
      "exiftool",
      ["-a", "-n", "-s3", "-Orientation", "-"],
      input: file
    )
    return tool.text.split(separator: "\n").map(String.init)
  }

  @Test(arguments: copies)
  func `A copy is changed in place, undone and proven`(copy: Copy) throws {
    let original = try photo(copy.make())
    #expect(try orientations(original) == (copy.isOrientation ? ["6", "6"] : ["6"]))
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.changes.contains { $0.field.rawValue == copy.field })
    // A name that is no digest stays.
    let hasDigest = rewrite.changes.contains { $0.field.rawValue == "xmp.extended.digest" }
    #expect(hasDigest == (copy.testDescription == "extended XMP"))
    #expect(rewrite.plan.notes.isEmpty, "\(rewrite.plan.notes)")
    #expect(try Set(orientations(rewrite.bytes)) == ["1"])
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(
      verdict.findings.isEmpty && verdict.notes.isEmpty,
      "\(verdict.findings)\(verdict.notes)"
    )
  }

  @Test(arguments: copies.filter { $0.field != "app12.rotation" })
  func `A change of the tag alone changes copies, too`(copy: Copy) throws {
    let original = try photo(copy.make())
    let rewrite = try Rewriter(.tag(.set(.left))).rewrite(original).rewritten()
    #expect(try Set(orientations(rewrite.bytes)) == ["8"])
    #expect(rewrite.changes.contains { $0.field.rawValue == copy.field })
    #expect(rewrite.bytes.count == original.count)
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
  }

  @Test func `A rotation of three digits has no place in that of two`() throws {
    let segment = Self.segment(12, Array("[picture info]\r\nRotation=90\r\n".utf8))
    let rewrite = try Rewriter(.tag(.set(.left))).rewrite(photo(segment)).rewritten()
    #expect(
      rewrite.plan.notes.contains { $0.text.hasPrefix("Rotation in the APP12 segment is 90") }
    )
    #expect(rewrite.bytes.firstRange(of: segment) != nil)
  }

  @Test func `The digest of extended XMP follows its content`() throws {
    let rewrite = try Rewriter().rewrite(photo(Self.extended(digest: nil))).rewritten()
    let warnings = try Tool.run(
      "exiftool",
      ["-validate", "-warning", "-a", "-s3", "-"],
      input: rewrite.bytes
    ).text
    #expect(!warnings.contains("xtended"))
    let file = rewrite.bytes
    let packets = try ExtendedXMP.list(Container(file.span).segments, file.span)
    #expect(packets.count == 1 && packets[0].digests.count == 2)
    #expect(packets[0].digest == ExtendedXMP.digest(of: packets[0].text(file.span)))
  }

  @Test func `Extended XMP stays as a packet that cannot be read names it`() throws {
    let extended = Self.extended(digest: nil)
    var original = try photo(extended)
    let end = try #require(original.firstRange(of: Array("</x:xmpmeta>".utf8)))
    original[end.lowerBound] = UInt8(ascii: "&")
    let rewrite = try Rewriter().rewrite(original).rewritten()
    let notes = Set(rewrite.plan.notes.map(\.code))
    #expect(notes == [.orientationCopy, .xmpUnreadable])
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.findings.isEmpty, "\(verdict.findings)")
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
  }

  @Test func `What is not certain is named and kept`() throws {
    let mechanic = Self.packet(
      #"xmlns:p="http://ns.camerabits.com/photomechanic/1.0/" p:Rotation="3""#
    )
    let kept: [([UInt8], String)] = [
      (
        Self.segment(12, Array("[picture info]\r\nRotation=270\r\n".utf8)),
        "Rotation in the APP12 segment is 270 and is kept; readers that apply it rotate the image again"
      ),
      (
        Self.segment(1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(mechanic.utf8)),
        "photomechanic:Rotation in XMP is 3 and is kept"
      ),
      (
        Self.photoshop(Self.resource(1060, Array(Self.xmp.utf8.dropLast(3)))),
        "the Orientation of XMP in Photoshop's resources is kept; readers that apply it rotate the image again"
      ),
    ]
    for (segments, note) in kept {
      let original = try photo(segments)
      let rewrite = try Rewriter().rewrite(original).rewritten()
      #expect(rewrite.plan.notes.map(\.text) == [note])
      #expect(rewrite.bytes.firstRange(of: segments) != nil)
    }
    let original = try photo(Self.photoshop(Self.resource(1060, Array(Self.xmp.utf8.dropLast(3)))))
    let result = try Rewriter().rewrite(original).rewritten().bytes
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.notes.map(\.code.rawValue) == ["orientation-copy", "container-unread"])
  }

  @Test func `Another change of a segment with a copy is found`() throws {
    for copy in Self.copies {
      let original = try photo(copy.make())
      var result = try Rewriter().rewrite(original).rewritten().bytes
      let text = Array("adobe:ns:meta".utf8)
      for place in result.ranges(of: text) { result[place.lowerBound] = UInt8(ascii: "x") }
      guard result.firstRange(of: text) == nil, original.firstRange(of: text) != nil else {
        continue
      }
      #expect(try !Verifier().verify(original: original, result: result).findings.isEmpty)
    }
    // A digest that is wrong.
    let original = try photo(Self.extended(digest: nil))
    var result = try Rewriter().rewrite(original).rewritten().bytes
    let digest = try #require(
      try ExtendedXMP.list(Container(result.span).segments, result.span).first?.digest
    )
    for place in result.ranges(of: digest) {
      result.replaceSubrange(place, with: Array("0123456789ABCDEF0123456789ABCDEF".utf8))
    }
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["extended-xmp-digest"])
  }

  @Test func `Damaged resources change nothing else`() throws {
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<150 {
      let copy = try #require(Self.copies.randomElement(using: &generator))
      let segments = copy.make()
      var damaged = segments.damaged(using: &generator)
      damaged.replaceSubrange(0..<4, with: segments.prefix(4))
      let original = try photo(damaged)
      guard case .rewritten(let rewrite)? = try? Rewriter().rewrite(original) else { continue }
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    }
  }
}

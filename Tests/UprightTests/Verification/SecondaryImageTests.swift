import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Gain maps, depth maps and previews that are damaged, or that no index lists.
struct SecondaryImageTests {
  private static let names = ["apple", "gain-map-mm", "depth", "preview", "iso-21496"]

  private func outcome(_ bytes: [UInt8]) throws -> Outcome {
    var options = Options()
    options.onConflict = .trustTag
    return try Rewriter(options: options).rewrite(bytes)
  }

  private func isSkippedForItsImage(_ bytes: [UInt8]) throws -> Bool {
    guard case .skip(let reason) = try outcome(bytes).plan.action else { return false }
    return reason.code == .embeddedImage
  }

  /// A file, with entry 1 of its multi-picture index changed.
  private func file(_ name: String, size: Int? = nil, moved: Int = 0) throws -> [UInt8] {
    var bytes = try Fixture.bytes("multi-picture/\(name).jpg")
    let index = try #require(MultiPictureIndex(try Container(bytes.span), bytes.span))
    let entry = index.entries[1]
    bytes.replaceSubrange(
      entry.position + 4..<entry.position + 8,
      with: UInt32(size ?? Int(entry.size)).bytes(index.order)
    )
    bytes.replaceSubrange(
      entry.position + 8..<entry.position + 12,
      with: UInt32(Int(entry.start) - index.base + moved).bytes(index.order)
    )
    return bytes
  }

  /// A file with more segments in the image that entry 1 of its multi-picture index lists.
  private func file(_ name: String, adding segments: [UInt8]) throws -> [UInt8] {
    let whole = try Fixture.bytes("multi-picture/\(name).jpg")
    let index = try #require(MultiPictureIndex(try Container(whole.span), whole.span))
    var bytes = try file(name, size: Int(index.entries[1].size) + segments.count)
    bytes.insert(contentsOf: segments, at: Int(index.entries[1].start) + 2)
    return bytes
  }

  @Test func `A file whose gain map has a DNL segment is skipped`() throws {
    let bytes = try file("apple", adding: [0xFF, 0xDC, 0, 4, 0, 32])
    #expect(try outcome(bytes).skipReason == "height-by-dnl")
  }

  /// Images that begin within each other and share what follows them, after a photo.
  private static func nested(_ count: Int, sharing length: Int) throws -> [UInt8] {
    let image = try Fixture.bytes("orientation/aligned-1.jpg")
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    for number in 0..<count {
      // The segment contains the beginnings after its own.
      bytes += [0xFF, 0xD8, 0xFF, 0xE3] + UInt16(6 * (count - number) - 4).bytes(.big)
    }
    let empty: [UInt8] = [0xFF, 0xE3, 0, 2]
    return bytes + (0..<length / 4).flatMap { _ in empty } + image.dropFirst(2)
  }

  @Test func `Images within each other are not read without end, and an obstacle`() throws {
    // Sixteen bytes for each byte of the file.
    let bytes = try Self.nested(16, sharing: 400_000)
    #expect(try isSkippedForItsImage(bytes))
    let audit = try Rewriter().audit(bytes)
    #expect(audit.facts.embeddedImages.count < 8)
    // Other programs transform the photo and keep what follows it.
    let photo = try Fixture.bytes("orientation/aligned-6.jpg")
    let result = try outcome(photo).rewritten().bytes + bytes[photo.count...]
    let verdict = try Verifier().verify(original: bytes, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["embedded-not-transformed"])
    #expect(try Verifier().verify(original: result, result: result).findings.isEmpty)
    // Two images within each other are read.
    _ = try outcome(Self.nested(2, sharing: 400)).rewritten()
  }

  /// A file whose multi-picture index has fields that share all of its bytes, before the entries.
  private func file(_ name: String, sharing count: Int) throws -> [UInt8] {
    let whole = try Fixture.bytes("multi-picture/\(name).jpg")
    let container = try Container(whole.span)
    let found = MultiPictureIndex(container, whole.span)
    let index = try #require(found)
    let segment = try #require(container.segments(.multiPicture, in: whole.span).first).range
    let length = 8 + 2 + 12 * (count + 3) + 4 + 16 * index.entries.count
    func entry(_ tag: UInt16, _ type: UInt16, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      tag.bytes(.big) + type.bytes(.big) + UInt32(count).bytes(.big) + value
    }
    var block = Array("MM\0*".utf8) + UInt32(8).bytes(.big) + UInt16(count + 3).bytes(.big)
    for _ in 0..<count { block += entry(0x9000, 7, length - 8, UInt32(8).bytes(.big)) }
    block += entry(0xB000, 7, 4, Array("0100".utf8))
    block += entry(0xB001, 4, 1, UInt32(index.entries.count).bytes(.big))
    let place = UInt32(length - 16 * index.entries.count)
    block += entry(0xB002, 7, 16 * index.entries.count, place.bytes(.big)) + [0, 0, 0, 0]
    let growth = 8 + length - segment.count
    for (number, one) in index.entries.enumerated() {
      let start = number == 0 ? 0 : Int(one.start) + growth - (segment.lowerBound + 8)
      let size = Int(one.size) + (number == 0 ? growth : 0)
      block += one.type.bytes(.big) + UInt32(size).bytes(.big) + UInt32(start).bytes(.big)
      block += [0, 0, 0, 0]
    }
    let new = Self.segment(0xE2, Array("MPF\0".utf8) + block)
    return whole[..<segment.lowerBound] + new + whole[segment.upperBound...]
  }

  @Test func `An index that is not read to its end is an obstacle, and no proof`() throws {
    let few = try outcome(file("preview", sharing: 0)).rewritten()
    #expect(few.plan.embeddedImages.contains { $0.role == .preview && $0.disposition != .kept })
    let bytes = try file("preview", sharing: 15)
    #expect(try outcome(bytes).skipReason == "shared-bytes")
    // A program that does not know the index, nor transforms what it lists.
    var result = bytes
    let name = try #require(bytes.firstRange(of: Array("MPF\0".utf8))).lowerBound
    result[name] = 0
    result = try outcome(result).rewritten().bytes
    result[name] = UInt8(ascii: "M")
    let verdict = try Verifier().verify(original: bytes, result: result)
    #expect(verdict.findings.contains { $0.code.rawValue == "shared-bytes" })
  }

  @Test func `A preview whose Exif is not read to its end is an obstacle`() throws {
    let segment = SharedFields.segment(orientationIsLast: true)
    #expect(try isSkippedForItsImage(file("preview", adding: segment)))
  }

  @Test func `More images than are read are an obstacle`() throws {
    let image = try Fixture.bytes("orientation/aligned-1.jpg")
    let photo = try Fixture.bytes("orientation/aligned-6.jpg")
    for (count, isSkipped) in [(256, false), (257, true)] {
      let bytes = photo + (0..<count).flatMap { _ in image }
      #expect(try isSkippedForItsImage(bytes) == isSkipped)
    }
  }

  private static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  /// An XMP segment with properties of Adobe's gain map.
  private static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
    let text =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:h="http://ns.adobe.com/hdr-gain-map/1.0/" \#(attributes)>"#
      + "\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>"
    return segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8))
  }

  /// An ISO 21496-1 segment: the version numbers, and what is after them.
  private static func gainMap(_ content: [UInt8]) -> [UInt8] {
    segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0".utf8) + [0, 0, 0, 0] + content)
  }

  /// Segments of a second photo, and what it is with them.
  private static let secondPhotos: [([UInt8], EmbeddedImage.Role)] = [
    (packet(#"h:Version="1.0""#), .view), (gainMap([]), .view),
    (packet("", "<h:Version>1.0</h:Version>") + gainMap([]), .view),
    (packet(#"h:Version="1.0" h:GainMapMax="2.5""#), .gainMap), (gainMap([0x40]), .gainMap),
    (
      packet(
        #"h:Version="1.0""#,
        "<h:GainMapMax><rdf:Seq><rdf:li>1</rdf:li><rdf:li>2</rdf:li></rdf:Seq></h:GainMapMax>"
      ), .gainMap
    ),
  ]

  @Test(arguments: secondPhotos)
  func `A second photo with a gain map of its own is no gain map`(
    segments: [UInt8],
    role: EmbeddedImage.Role
  ) throws {
    let bytes = try file("stereo", adding: segments)
    let rewrite = try outcome(bytes).rewritten()
    #expect(rewrite.plan.embeddedImages.map(\.role) == [role])
    #expect(rewrite.plan.embeddedImages.map { $0.disposition == .kept } == [false])
    let verdict = try Verifier().verify(original: bytes, result: rewrite.bytes)
    #expect(verdict.findings == [])
    #expect(verdict.images.contains { $0.role == role })
  }

  @Test func `An image that no index lists is an obstacle if its XMP cannot be read`() throws {
    var bytes = try Fixture.bytes("multi-picture/apple.jpg")
    let index = try Container(bytes.span).segments(.multiPicture, in: bytes.span)
    bytes.removeSubrange(try #require(index.first).range)
    #expect(try outcome(bytes).plan.embeddedImages.map(\.role) == [.gainMap])
    let packet = try #require(bytes.ranges(of: Array("<x:xmpmeta".utf8)).last)
    bytes[packet.lowerBound] = UInt8(ascii: " ")
    #expect(try isSkippedForItsImage(bytes))
  }

  /// Names of the same length as that of a gain map.
  @Test(
    arguments: [
      ("xdisparity", .depthMap), ("sky__matte", .matte), ("semantic_1", .unknown),
    ] as [(String, EmbeddedImage.Role)]
  )
  func `The types of Apple's auxiliary images are told apart`(
    type: String,
    role: EmbeddedImage.Role
  ) throws {
    var bytes = try Fixture.bytes("multi-picture/apple.jpg")
    for (old, new) in [("hdrgainmap", type), ("HDRGainMap", "HDRGainMax")] {
      for found in bytes.ranges(of: Array(old.utf8)) {
        bytes.replaceSubrange(found, with: Array(new.utf8))
      }
    }
    let outcome = try outcome(bytes)
    #expect(outcome.plan.embeddedImages.contains { $0.role == role })
    guard case .rewritten(let rewrite) = outcome else { return }
    let verdict = try Verifier().verify(original: bytes, result: rewrite.bytes)
    #expect(verdict.findings.isEmpty)
    #expect(verdict.images.contains { $0.role == role })
  }

  @Test(arguments: names)
  func `A file whose secondary image is cut off is skipped`(name: String) throws {
    let whole = try Fixture.bytes("multi-picture/\(name).jpg")
    let start = try Container(whole.span).end
    for count in [whole.count - 1, whole.count - 40, (start + whole.count) / 2, start + 30] {
      #expect(try isSkippedForItsImage(Array(whole[..<count])), "\(count) of \(whole.count) bytes")
    }
  }

  @Test(arguments: [0, 10, 1262, 1000, 1_000_000])
  func `A file whose index gives a secondary image too few or too many bytes is skipped`(
    size: Int
  ) throws {
    #expect(try isSkippedForItsImage(file("gain-map-mm", size: size)))
    #expect(try isSkippedForItsImage(file("preview", size: size)))
  }

  @Test func `A plan made from the header knows an index that exceeds the file`() throws {
    let bytes = try file("gain-map-mm", size: 1_000_000)
    let plan = try Rewriter().plan(size: bytes.count) { offset, count in
      Array(bytes.dropFirst(offset).prefix(count))
    }
    guard case .skip(let reason) = plan.action else {
      Issue.record("the plan is \(plan.action)")
      return
    }
    #expect(reason.code == .embeddedImage)
  }

  @Test(arguments: ["apple", "gain-map-mm", "iso-21496"])
  func `A gain map is transformed even if the index does not point to it`(name: String) throws {
    for moved in [-1, -100, 1_000_000] {
      let bytes = try file(name, moved: moved)
      let rewrite = try outcome(bytes).rewritten()
      #expect(rewrite.plan.embeddedImages.contains { $0.disposition == .transformed })
      #expect(try Verifier().verify(original: bytes, result: rewrite.bytes).findings == [])
    }
  }

  @Test func `A preview that the index does not point to makes the file skipped`() throws {
    for moved in [-1, 1, -100, 1_000_000] {
      #expect(try isSkippedForItsImage(file("preview", moved: moved)))
    }
  }

  @Test func `The verifier finds a secondary image that was left behind`() throws {
    for name in Self.names {
      let whole = try Fixture.bytes("multi-picture/\(name).jpg")
      let end = try Container(whole.span).end
      let rewrite = try outcome(whole).rewritten()
      let newEnd = try Container(rewrite.bytes.span).end
      // The result with the images of the original.
      for count in [0, 1, 5] {
        let original = Array(whole.dropLast(count))
        let result = Array(rewrite.bytes[..<newEnd] + original[end...])
        let verdict = try Verifier().verify(original: original, result: result)
        #expect(
          verdict.findings.contains { $0.code.rawValue == "embedded-not-transformed" },
          "\(name)"
        )
      }
    }
  }

  @Test func `All entries of the index move, also those that point to no image`() throws {
    // The image becomes longer.
    let bytes = try Fixture.bytes("multi-picture/index-after-tables.jpg")
    let index = try #require(MultiPictureIndex(try Container(bytes.span), bytes.span))
    var other = bytes
    // A view: nothing has to be transformed, and there is no image.
    let entry = index.entries[1]
    other.replaceSubrange(
      entry.position..<entry.position + 4,
      with: UInt32(0x2_0002).bytes(index.order)
    )
    let place = Int(entry.start)..<other.count
    other.replaceSubrange(place, with: [UInt8](repeating: 0, count: Int(entry.size)))
    let rewrite = try outcome(other).rewritten()
    let moved = try Container(rewrite.bytes.span).end - Container(other.span).end
    try #require(moved > 0)
    let new = try #require(MultiPictureIndex(try Container(rewrite.bytes.span), rewrite.bytes.span))
    #expect(new.entries[1].start == entry.start + Int64(moved))
    #expect(try Verifier().verify(original: other, result: rewrite.bytes).findings == [])
    // A result whose index was forgotten.
    var forgotten = rewrite.bytes
    let offset = new.entries[1].position + 8
    forgotten.replaceSubrange(
      offset..<offset + 4,
      with: UInt32(Int(entry.start) - new.base).bytes(new.order)
    )
    let verdict = try Verifier().verify(original: other, result: forgotten)
    #expect(verdict.findings.map(\.code.rawValue) == ["index-broken"])
  }

  @Test func `An unknown size of the primary image stays unknown`() throws {
    var bytes = try Fixture.bytes("multi-picture/gain-map-mm.jpg")
    let index = try #require(MultiPictureIndex(try Container(bytes.span), bytes.span))
    let place = index.entries[0].position + 4..<index.entries[0].position + 8
    for size in [0, 3] {
      bytes.replaceSubrange(place, with: UInt32(size).bytes(index.order))
      let rewrite = try outcome(bytes).rewritten()
      let new = try #require(
        MultiPictureIndex(try Container(rewrite.bytes.span), rewrite.bytes.span)
      )
      #expect(new.entries[0].size < 100)
      #expect(try Verifier().verify(original: bytes, result: rewrite.bytes).findings == [])
    }
  }
}

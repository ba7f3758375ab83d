import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// A fixture and its rewrite, which is then changed by hand.
private struct ChangedResult {
  var original: [UInt8]
  var result: [UInt8]

  init(_ path: String, _ change: (inout Options) -> Void = { _ in }) throws {
    try self.init(Fixture.bytes(path), change)
  }

  init(_ original: [UInt8], _ change: (inout Options) -> Void = { _ in }) throws {
    var options = Options()
    options.onConflict = .trustTag
    change(&options)
    self.original = original
    result = try Rewriter(options: options).rewrite(original).rewritten().bytes
  }

  var verdict: Verdict {
    get throws { try Verifier().verify(original: original, result: result) }
  }
  /// The identifiers of the findings; whatever is changed, the unchanged rewrite has none.
  var findings: [String] { get throws { try verdict.findings.map(\.code.rawValue) } }
  var notes: [String] { get throws { try verdict.notes.map(\.code.rawValue) } }

  /// Replaces bytes that are in the result once by others.
  mutating func replace(_ old: [UInt8], _ new: [UInt8]) throws {
    let found = result.ranges(of: old)
    try #require(found.count == 1, "\(found.count) places")
    result.replaceSubrange(found[0], with: new)
  }

  mutating func replace(_ old: String, _ new: String) throws {
    try replace(Array(old.utf8), Array(new.utf8))
  }

  /// A fixture with another value of the Orientation tag, which must be 6.
  static func fixture(_ path: String, orientation: UInt8) throws -> [UInt8] {
    var bytes = try Fixture.bytes(path)
    let value = try value(.ifd0, 0x0112, bytes)
    bytes[try #require(bytes[value].firstIndex(of: 6))] = orientation
    return bytes
  }

  /// A fixture of several images with optimal tables in the first, which becomes longer when it is transformed.
  static func optimized(_ path: String) throws -> [UInt8] {
    let fixture = try Fixture.bytes(path)
    let first = try Tool.run("jpegtran", ["-copy", "all", "-optimize"], input: fixture).output
    return try first + fixture[Container(fixture.span).end...]
  }

  /// The range of the value of a field of Exif in a file.
  static func value(
    _ directory: TIFFBlock.Kind,
    _ tag: UInt16,
    _ bytes: [UInt8]
  ) throws -> Range<Int> {
    let segment = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    let place = segment.payload.lowerBound + 6..<segment.payload.upperBound
    let block = TIFFBlock(bytes.span, in: place)
    return try #require(block?.entries(directory, tag).first?.value)
  }

  /// The range of the first segment of a kind in the result.
  func segment(_ kind: SegmentKind) throws -> Range<Int> {
    try #require(try Container(result.span).segments(kind, in: result.span).first).range
  }
}

private func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
  [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
}

struct SegmentFindingTests {
  private static let application = segment(0xE5, Array("Maker\0data".utf8))
  private static let comment = segment(0xFE, Array("a comment".utf8))
  private static let nameless = segment(0xE6, [0, 1, 2])

  private func result() throws -> ChangedResult {
    var original = try Fixture.bytes("orientation/aligned-6.jpg")
    let segments = Self.application + Self.comment + Self.nameless
    original.insert(contentsOf: segments, at: 2)
    let changed = try ChangedResult(original)
    #expect(try changed.findings == [])
    return changed
  }

  @Test(arguments: [application, comment, nameless])
  func `A segment that is missing is found`(segment: [UInt8]) throws {
    var changed = try result()
    try changed.replace(segment, [])
    #expect(try changed.findings == ["segment-lost"])
  }

  @Test func `Segments that were added are found, and listed up to a limit`() throws {
    var changed = try result()
    let added = segment(0xFE, [1])
    changed.result.insert(contentsOf: added, at: 2)
    #expect(try changed.findings == ["segment-added"])
    let more = (0..<30 as Range<UInt8>).flatMap { segment(0xE7, [$0]) }
    changed.result.insert(contentsOf: more, at: 2)
    #expect(try changed.findings == [String](repeating: "segment-added", count: 20))
  }

  @Test func `Segments in another order are found`() throws {
    var changed = try result()
    try changed.replace(Self.application + Self.comment, Self.comment + Self.application)
    #expect(try changed.findings == ["segment-order"])
  }

  @Test func `A segment that was changed is found where it differs`() throws {
    var changed = try result()
    try changed.replace("a comment", "a cOmment")
    let place = try #require(changed.result.firstRange(of: Array("Omment".utf8))).lowerBound
    #expect(try changed.findings == ["segment-changed"])
    #expect(try changed.verdict.findings.first?.resultOffset == place)
    // The segments do not correspond one by one, but the comments do.
    try changed.replace(Self.nameless, [])
    #expect(try Set(changed.findings) == ["segment-changed", "segment-lost"])
  }

  @Test func `Densities of JFIF may be swapped with the axes, but not changed`() throws {
    var changed = try ChangedResult("exif/resolution-differs.jpg") { $0.resolution = .follow }
    #expect(try changed.findings == [])
    #expect(try changed.verdict.differences.contains { $0.field.rawValue == "jfif.density" })
    let segment = try changed.segment(.jfif)
    changed.result[segment.lowerBound + 13] ^= 1
    #expect(try changed.findings == ["segment-changed"])
  }

  @Test func `A segment of JFIF that became longer is found`() throws {
    var changed = try ChangedResult("exif/resolution-differs.jpg") { $0.resolution = .follow }
    let segment = try changed.segment(.jfif)
    changed.result.insert(0, at: segment.upperBound)
    changed.result[segment.lowerBound + 3] += 1
    #expect(try changed.findings == ["segment-changed"])
  }

  @Test func `Content credentials that are removed, kept or removed in part are told apart`() throws
  {
    let path = "credentials/c2pa-two-segments.jpg"
    let stripped = try ChangedResult(path) { $0.contentCredentials = .strip }
    #expect(try stripped.findings == [])
    #expect(try stripped.notes.contains("credentials-removed"))
    var kept = try ChangedResult(path) { $0.contentCredentials = .keep }
    #expect(try kept.findings == [])
    #expect(try kept.notes.contains("credentials-invalid"))
    kept.result.removeSubrange(try kept.segment(.jumbf))
    #expect(try kept.findings == ["segment-lost"])
    #expect(try !kept.notes.contains("credentials-removed"))
  }

  @Test func `Undo data is a note, whether it is added or removed`() throws {
    let undo = segment(0xEF, Array("Upright undo\0".utf8) + [1, 2, 3])
    var changed = try ChangedResult("orientation/aligned-6.jpg")
    changed.result.insert(contentsOf: undo, at: 2)
    #expect(try changed.findings == [])
    #expect(try changed.notes == ["undo-data"])
    changed = try ChangedResult("orientation/aligned-6.jpg")
    changed.original.insert(contentsOf: undo, at: 2)
    #expect(try changed.findings == [])
    #expect(try changed.notes == ["undo-data-removed"])
  }

  @Test func `The index of several images may differ in sizes and offsets only`() throws {
    var changed = try ChangedResult("multi-picture/gain-map-ii.jpg")
    #expect(try changed.findings == [])
    let segment = try changed.segment(.multiPicture)
    let version = try #require(changed.result[segment].firstRange(of: Array("0100".utf8)))
    changed.result[version.lowerBound] ^= 1
    #expect(try changed.findings == ["segment-changed"])
  }

  @Test(arguments: [4, 8]) func `A wrong size or offset in the index is found`(place: Int) throws {
    var changed = try ChangedResult("multi-picture/gain-map-ii.jpg")
    let bytes = changed.result
    let index = try #require(MultiPictureIndex(try Container(bytes.span), bytes.span))
    changed.result[index.entries[1].position + place] ^= 1
    #expect(try Set(changed.findings) == ["index-broken"])
  }

  @Test func `An index that was wrong before is a note`() throws {
    #expect(try ChangedResult("multi-picture/apple.jpg").notes.contains("index-wrong"))
  }

  @Test func `An entry beyond the end of the file may stay as it was`() throws {
    let original = try ChangedResult.optimized("multi-picture/offset-past-the-end.jpg")
    let changed = try ChangedResult(original)
    #expect(try Container(changed.result.span).end != Container(original.span).end)
    #expect(try changed.findings == [])
  }

  @Test func `A wrong length in the container directory is found`() throws {
    var changed = try ChangedResult("multi-picture/depth.jpg")
    #expect(try changed.findings == [])
    let length = try #require(changed.result.ranges(of: Array("Item:Length=\"".utf8)).last)
    changed.result[length.upperBound] ^= 1
    #expect(try changed.findings.contains("index-broken"))
  }

  @Test func `The length of the primary image in the container directory follows it`() throws {
    var original = try ChangedResult.optimized("multi-picture/depth.jpg")
    let end = try Container(original.span).end
    let unknown = Array("\"Primary\" Item:Length=\"0\"".utf8)
    func known(_ end: Int) -> [UInt8] { Array("\"Primary\" Item:Length=\"\(end)\"".utf8) }
    let place = try #require(original.firstRange(of: unknown))
    original.replaceSubrange(place, with: known(end))
    // The packet keeps its length.
    let padding = try #require(original.firstRange(of: [UInt8](repeating: 0x20, count: 60)))
    original.removeSubrange(padding.prefix(known(end).count - unknown.count))
    #expect(try Container(original.span).end == end)

    var changed = try ChangedResult(original)
    #expect(try changed.findings == [])
    let newEnd = try Container(changed.result.span).end
    #expect(newEnd != end)
    try changed.replace(known(newEnd), known(end))
    #expect(try changed.findings == ["index-broken"])
  }

  @Test func `Bytes after the image that were changed are found where they differ`() throws {
    var changed = try ChangedResult("trailer/text.jpg")
    changed.result[changed.result.count - 1] ^= 1
    #expect(try changed.findings == ["trailer-changed"])
    #expect(try changed.verdict.findings.first?.resultOffset == changed.result.count - 1)
    // An image more than before.
    changed = try ChangedResult("trailer/text.jpg")
    changed.result += changed.result
    #expect(try changed.findings == ["trailer-changed"])
  }
}

struct ExifFindingTests {
  @Test func `A byte of a value, or between values, is found`() throws {
    var changed = try ChangedResult("sample/portrait.jpg")
    #expect(try changed.findings == [])
    try changed.replace("Fixture One", "Fixture Two")
    #expect(try changed.findings == ["exif-bytes-changed", "libexif-tags"])
    #expect(try changed.verdict.findings.first?.text == "IFD0 0x0110 differs")
    // The TIFF header's 42.
    let block = try changed.segment(.exif).lowerBound + 10
    changed.result[block + 3] ^= 0xFF
    #expect(try changed.findings == ["thumbnail-lost", "segment-changed", "libexif-tags"])
  }

  @Test func `A block that became longer or shorter is found`() throws {
    for growth in [1, -1] {
      var changed = try ChangedResult("exif/dimensions-short.jpg")
      let segment = try changed.segment(.exif)
      let length = UInt16(segment.count - 2 + growth).bytes(.big)
      changed.result.replaceSubrange(segment.lowerBound + 2..<segment.lowerBound + 4, with: length)
      if growth > 0 {
        changed.result.insert(0, at: segment.upperBound)
      } else {
        changed.result.remove(at: segment.upperBound - 1)
      }
      #expect(try changed.findings.contains("exif-length-changed"), "\(growth)")
    }
  }

  /// Entries of a little-endian block, with their counts: Model, MakerNote.
  @Test(
    arguments: [
      ([0x10, 0x01, 2, 0, 12], ["exif-rebuilt", "exif-tag-lost", "libexif-tags"]),
      ([0x7C, 0x92, 7, 0], ["exif-rebuilt", "makernote-lost", "libexif-tags"]),
    ] as [([UInt8], [String])]
  )
  func `What a rebuilt block lost is found`(entry: [UInt8], findings: [String]) throws {
    var changed = try ChangedResult("sample/portrait.jpg")
    try changed.replace(entry, [0x99, 0x99] + entry[2...])
    #expect(try changed.findings == findings)
    // A value differs besides.
    changed.result[try ChangedResult.value(.exif, 0x9003, changed.result).lowerBound] ^= 1
    #expect(try changed.findings.sorted() == (findings + ["exif-tag-changed"]).sorted())
  }

  @Test func `A rebuilt block without a loss is found`() throws {
    var changed = try ChangedResult("sample/portrait.jpg")
    // The type of Make: UNDEFINED in place of ASCII.
    try changed.replace([0x0F, 0x01, 2, 0], [0x0F, 0x01, 7, 0])
    #expect(try changed.findings == ["exif-rebuilt"])
  }

  @Test(arguments: 2...8 as ClosedRange<UInt8>)
  func `Subject areas that follow the image are proven, and wrong ones found`(tag: UInt8) throws {
    for name in ["subject-area-2", "subject-area-3", "subject-area-4", "subject-location"] {
      let original = try ChangedResult.fixture("regions/\(name).jpg", orientation: tag)
      var changed = try ChangedResult(original) { $0.regions = .follow }
      #expect(try changed.findings == [], "\(name)")
      #expect(try !changed.notes.contains("region-kept"), "\(name)")
      let tag: UInt16 = name == "subject-location" ? 0xA214 : 0x9214
      changed.result[try ChangedResult.value(.exif, tag, changed.result).lowerBound] &+= 2
      #expect(try changed.findings == ["exif-bytes-changed", "libexif-tags"], "\(name)")
    }
  }

  @Test func `Dimensions that were wrong before are a note`() throws {
    var changed = try ChangedResult("exif/dimensions-stale.jpg")
    #expect(try changed.findings == [])
    for tag in [0xA002, 0xA003] as [UInt16] {
      let old = changed.original[try ChangedResult.value(.exif, tag, changed.original)]
      let place = try ChangedResult.value(.exif, tag, changed.result)
      changed.result.replaceSubrange(place, with: old)
    }
    #expect(try changed.findings == [])
    #expect(try changed.notes == ["exif-dimensions-stale", "exif-dimensions-stale"])
  }
}

struct XMPFindingTests {
  @Test(arguments: [
    ("xmp/nested-orientation.jpg", ">8<", ">7<", "xmp-property-changed"),
    ("xmp/elements.jpg", "<tiff:Orientation>1<", "<tiff:Orientation>6<", "xmp-orientation-stale"),
    ("sample/portrait.jpg", "tiff:Orientation=", "tiff:OrientatioM=", "xmp-rebuilt"),
    ("sample/portrait.jpg", "Upright fixtures", "Upright FIXTURES", "xmp-property-changed"),
    ("sample/portrait.jpg", "  </rdf:Description>", " \t</rdf:Description>", "xmp-bytes-changed"),
    ("xmp/elements.jpg", "Width>64<", "Width>65<", "xmp-dimensions-stale"),
    ("xmp/elements.jpg", "Width>64<", "Width>6x<", "xmp-property-changed"),
  ])
  func `A change of a property or of other bytes is found`(
    path: String,
    old: String,
    new: String,
    finding: String
  ) throws {
    var changed = try ChangedResult(path)
    #expect(try changed.findings == [])
    try changed.replace(old, new)
    #expect(try changed.findings == [finding])
  }

  @Test(arguments: ["mwg", "microsoft", "box-acdsee-stored", "box-mwg-stored-iptc-stored"])
  func `Regions that changed are a note`(name: String) throws {
    let changed = try ChangedResult("regions/\(name).jpg") { $0.regions = .follow }
    #expect(try changed.findings == [])
    #expect(try changed.notes.contains("region-changed"))
    // A unit that stays does not mean that a region stays.
    #expect(try !changed.verdict.notes.contains { $0.text.contains("in XMP are unchanged") })
  }
}

struct ThumbnailFindingTests {
  @Test func `A thumbnail that cannot be found any longer is found`() throws {
    var changed = try ChangedResult("thumbnail/aligned.jpg")
    #expect(try changed.findings == [])
    // ThumbnailLength.
    let field: [UInt8] = [0x02, 0x02, 4, 0, 1, 0, 0, 0]
    let place = try #require(changed.result.firstRange(of: field)).upperBound
    changed.result.replaceSubrange(place..<place + 4, with: [0, 0, 0, 0])
    #expect(try changed.findings.contains("thumbnail-lost"))
  }

  @Test func `A thumbnail that is its own mirror image is kept`() throws {
    var original = try ChangedResult.fixture("thumbnail/rgb.jpg", orientation: 3)
    // Its 24×16 pixels are at the end of the segment.
    let exif = try #require(try Container(original.span).segments(.exif, in: original.span).first)
    let end = exif.range.upperBound
    original.replaceSubrange(end - 1152..<end, with: [UInt8](repeating: 0x55, count: 1152))
    let changed = try ChangedResult(original)
    #expect(try changed.findings == [])
    #expect(try changed.notes == ["thumbnail-kept"])
  }

  @Test func `Pixels of a thumbnail that were changed are found`() throws {
    var changed = try ChangedResult("thumbnail/rgb.jpg")
    #expect(try changed.findings == [])
    let end = try changed.segment(.exif).upperBound
    changed.result[end - 1] ^= 0x40
    #expect(try changed.findings == ["thumbnail-changed"])
  }

  @Test func `A thumbnail that is no JPEG image any longer, or another one, is found`() throws {
    let made = try ChangedResult("thumbnail/aligned.jpg")
    let segment = try made.segment(.exif)
    let start = try #require(made.result[segment].ranges(of: [0xFF, 0xD8]).first).lowerBound
    var changed = made
    changed.result[start] = 0
    #expect(try changed.findings == ["thumbnail-changed"])
    // The precision of its frame.
    changed = made
    let frame = try #require(made.result[segment].ranges(of: [0xFF, 0xC0, 0, 17, 8]).first)
    changed.result[frame.upperBound - 1] = 12
    #expect(try changed.findings == ["thumbnail-damaged"])
  }
}

struct ImageFindingTests {
  private func encoded(_ pixels: [UInt8], _ options: [String]) throws -> [UInt8] {
    try Tool.run("cjpeg", options, input: pixels).output
  }

  @Test(arguments: [
    ("-quality 98 -sample 1x1", false, " with another sampling"),
    ("-quality 5", false, " with coarser quantization"),
    ("-quality 100", true, " and differs too much"),
  ])
  func `A worse re-encoding than necessary is found`(
    options: String,
    isInverted: Bool,
    text: String
  ) throws {
    var changed = try ChangedResult("orientation/unaligned-6.jpg")
    #expect(try changed.findings == [])
    var pixels = try Tool.djpeg(changed.result)
    if isInverted { for place in 15..<pixels.count { pixels[place] = ~pixels[place] } }
    changed.result = try encoded(pixels, options.split(separator: " ").map(String.init))
    let finding = try changed.verdict.findings.first { $0.code.rawValue == "quality-lost" }
    #expect(finding?.text.contains("was re-encoded" + text) == true, "\(finding?.text ?? "")")
  }

  @Test func `An image that cannot be decoded is lossless if its coding is the same`() throws {
    let original = try ChangedResult.fixture("bad/garbled-scan.jpg", orientation: 1)
    var result = original
    result.insert(contentsOf: segment(0xFE, [1]), at: 2)
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.contains { $0.code.rawValue == "segment-added" })
    #expect(verdict.images.first?.relation == .lossless)
    result[result.count - 10] ^= 1
    #expect(throws: UprightError.self) {
      try Verifier().verify(original: original, result: result)
    }
  }

  @Test func `An image with more pixels than the limit is not read`() throws {
    let changed = try ChangedResult("orientation/aligned-6.jpg")
    var verifier = Verifier()
    verifier.maxPixels = 100
    #expect(throws: UprightError.self) {
      try verifier.verify(original: changed.original, result: changed.result)
    }
  }

  @Test func `An image of another size is found`() throws {
    var changed = try ChangedResult("orientation/aligned-6.jpg")
    let pixels = Array("P6 40 40 255\n".utf8) + [UInt8](repeating: 0, count: 4800)
    changed.result = try encoded(pixels, [])
    #expect(try changed.findings.contains("dimensions"))
  }
}

import FileBytes
import Fixtures
import JPEGCore
import Testing
import Upright
import Verification

/// What a verdict names as not looked at, and the containers that withhold a proof.
struct UnreadTests {
  private static func verdict(_ original: [UInt8]) throws -> Verdict {
    var options = Options()
    (options.registeredData, options.onConflict) = (.keep, .trustTag)
    let result = try Rewriter(options: options).rewrite(original).rewritten().bytes
    return try Verifier().verify(original: original, result: result)
  }

  /// A sideways photo with segments after SOI, and with bytes after EOI.
  private static func photo(_ segments: [[UInt8]?] = [], after: [UInt8] = []) throws -> [UInt8] {
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    bytes.insert(contentsOf: segments.flatMap { $0 ?? [] }, at: 2)
    return bytes + after
  }

  private static func packet(_ namespace: String, _ name: String = "A", end: String = "") -> [UInt8]
  {
    let description =
      "<rdf:Description xmlns:x='\(namespace)' x:\(name)='1' x:B='2'/>\(end)"
    return Array(
      ("<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\(description)</rdf:RDF>")
        .utf8
    )
  }

  private static func xmp(_ namespace: String, _ name: String = "A") -> [UInt8]? {
    SegmentBytes.xmp(packet(namespace, name))
  }

  private static func application(_ number: UInt8, _ text: String) -> [UInt8]? {
    SegmentBytes.application(number, Array(text.utf8))
  }

  /// An image resource of Photoshop.
  private static func resource(_ number: UInt16, _ data: [UInt8], stated: Int? = nil) -> [UInt8] {
    Array("8BIM".utf8) + number.bytes(.big) + [0, 0] + UInt32(stated ?? data.count).bytes(.big)
      + data
  }

  private static func photoshop(_ resources: [UInt8]) -> [UInt8]? {
    SegmentBytes.application(13, Array("Photoshop 3.0\0".utf8) + resources)
  }

  /// A little-endian TIFF block of one directory.
  private static func block(_ entries: [(tag: UInt16, count: Int, value: Int)]) -> [UInt8] {
    let list = entries.flatMap { tag, count, value in
      tag.bytes(.little) + UInt16(7).bytes(.little) + UInt32(count).bytes(.little)
        + UInt32(value).bytes(.little)
    }
    return Array("II*\0".utf8) + UInt32(8).bytes(.little) + UInt16(entries.count).bytes(.little)
      + list + [0, 0, 0, 0]
  }

  // MARK: Not looked at

  private static let unknown:
    [(kind: Verdict.Unread.Kind, name: String, bytes: @Sendable () throws -> [UInt8])] =
      [
        (.segment, "APP7 “XYZ maker”", { try photo([application(7, "XYZ maker\0data")]) }),
        (.segment, "APP5", { try photo([SegmentBytes.application(5, [1, 0, 2, 0, 3, 0])]) }),
        (.trailer, "“PRIVATE”", { try photo(after: [0, 0] + Array("PRIVATE\0data".utf8)) }),
        (.trailer, "bytes", { try photo(after: [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5]) }),
        (
          .trailer, "a JPEG image that no index lists",
          { try photo(after: try Fixture.bytes("orientation/aligned-1.jpg")) }
        ),
        (
          .namespace, "http://example.org/positions/",
          { try photo([xmp("http://example.org/positions/")]) }
        ),
        (
          .namespace, "http://www.dji.com/drone-dji/1.0/",
          { try photo([xmp("http://www.dji.com/drone-dji/1.0/", "SubjectPoint")]) }
        ),
        (.imageResource, "4001", { try photo([photoshop(resource(4001, [1, 2]))]) }),
        (.tag, "0xF123", { try photo([SegmentBytes.exif(block([(0xF123, 4, 7)]))]) }),
      ]

  @Test(arguments: unknown.indices)
  func `Data that nobody knows is listed by its name, and is no reason against a proof`(
    index: Int
  ) throws {
    let (kind, name, bytes) = Self.unknown[index]
    let original = try bytes()
    let verdict = try Self.verdict(original)
    let entry = try #require(verdict.unread.first { $0.kind == kind })
    #expect(entry.name == name)
    #expect(original.indices.contains(entry.offset))
    #expect(entry.text.contains(name))
    #expect(verdict.isProven)
  }

  @Test func `Occurrences of a kind are one entry, and very many names are cut`() throws {
    let same = try Self.verdict(
      try Self.photo([Self.application(7, "XYZ\0A"), Self.application(7, "XYZ\0B")])
    )
    let entries = same.unread.filter { $0.kind == .segment }
    #expect(entries.map(\.count) == [2])
    #expect(entries.first?.offset == 2)
    let many = try Self.verdict(try Self.photo((0..<200).map { Self.application(8, "NAME\($0)") }))
    let names = many.unread.filter { $0.kind == .segment }
    #expect(names.count == 51)
    #expect(names.map(\.count).reduce(0, +) == 200)
  }

  @Test func `What every photo has is not listed`() throws {
    for path in ["sample/portrait.jpg", "multi-picture/apple.jpg", "orientation/aligned-6.jpg"] {
      let verdict = try Self.verdict(try Fixture.bytes(path))
      #expect(verdict.unread.filter { $0.kind != .makerNote } == [], "\(path)")
    }
    let dublinCore = try Self.verdict(
      try Self.photo([Self.xmp("http://purl.org/dc/elements/1.1/")])
    )
    #expect(dublinCore.unread.map(\.kind) == [.makerNote])
  }

  @Test func `Nothing is listed for identical files`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-1.jpg")
    let photo = bytes.prefix(2) + (Self.application(7, "XYZ\0") ?? []) + bytes.dropFirst(2)
    let verdict = try Verifier().verify(original: Array(photo), result: Array(photo))
    #expect(verdict.unread == [])
    #expect(verdict.detail == .alreadyUpright)
  }

  // MARK: Not read to the end

  private static func extended(_ length: Int) -> [UInt8]? {
    let digest = String(repeating: "0123456789ABCDEF", count: 2)
    let text = packet("http://purl.org/dc/elements/1.1/")
    return SegmentBytes.application(
      1,
      Array("http://ns.adobe.com/xmp/extension/\0\(digest)".utf8)
        + UInt32(text.count + length).bytes(.big) + [0, 0, 0, 0] + text
    )
  }

  private static func profile(_ number: UInt8, of count: UInt8) -> [UInt8]? {
    let data = UInt32(128).bytes(.big) + [UInt8](repeating: 0, count: 124)
    return SegmentBytes.application(2, Array("ICC_PROFILE\0".utf8) + [number, count] + data)
  }

  private static let cut: [(text: String, bytes: @Sendable () throws -> [UInt8])] = [
    (
      "the Exif block",
      { try photo([SegmentBytes.exif(block([(0x9286, 4000, 100)]))]) }
    ),
    (
      "the XMP packet", { try photo([SegmentBytes.xmp(packet("http://purl.org/dc/", end: "<a>"))]) }
    ),
    ("extended XMP", { try photo([extended(10)]) }),
    ("the ICC profile", { try photo([profile(1, of: 2)]) }),
    ("the MPF index", { try photo([application(2, "MPF\0II*\0")]) }),
    ("Photoshop's resources", { try photo([photoshop(resource(1000, [1, 2], stated: 900))]) }),
    (
      "a JUMBF box",
      {
        try photo([
          SegmentBytes.application(11, Array("JP\0\u{1}\0\0\0\u{1}\0\0\u{1}\0jumbAB".utf8))
        ])
      }
    ),
    ("the video after the image", { try photo(after: [0, 0, 9, 0] + Array("ftypmp42".utf8)) }),
    (
      "Samsung's trailer",
      { try photo(after: Array("SEFHxxxxxxxx".utf8) + [99, 0, 0, 0] + Array("SEFT".utf8)) }
    ),
    (
      "the AFCP trailer",
      {
        try photo(after: Array("AXS!\0\u{1}\0\0data".utf8) + Array("AXS!\u{7F}\0\0\0\0\0\0\0".utf8))
      }
    ),
    (
      "the trailer CanonVRD",
      { try photo(after: Array("CANON OPTIONAL DATA\0".utf8) + [UInt8](repeating: 9, count: 44)) }
    ),
  ]

  @Test(arguments: cut.indices)
  func `A container that cannot be read to its end withholds the proof`(index: Int) throws {
    let (text, bytes) = Self.cut[index]
    let original = try bytes()
    let verdict = try Self.verdict(original)
    let note = try #require(verdict.notes.first { $0.code.rawValue == "container-unread" })
    #expect(note.text.hasPrefix(text + " cannot be read"))
    #expect(verdict.findings == [])
    #expect(verdict.detail == .incomplete)
    #expect(verdict.conclusion == .partlyProven)
  }

  @Test func `Whole containers do not withhold it`() throws {
    let segments = [
      Self.extended(0), Self.profile(1, of: 1), Self.photoshop(Self.resource(1000, [1, 2])),
      SegmentBytes.exif(Self.block([(0x9286, 4, 7)])),
    ]
    for segment in segments {
      let verdict = try Self.verdict(try Self.photo([segment]))
      #expect(verdict.notes.filter { $0.code.rawValue == "container-unread" } == [])
      #expect(verdict.isProven)
    }
  }

  @Test func `A directory that no reader reads does not withhold it, and one that is cut does`()
    throws
  {
    let values = (0..<64).map { UInt8($0) &* 37 | 0x80 }
    func verdict(_ pointer: Int, _ tail: [UInt8]) throws -> Verdict {
      var block = Self.block([(0xA005, 4, pointer)])
      block[12] = 4
      block[14] = 1
      return try Self.verdict(try Self.photo([SegmentBytes.exif(block + tail)]))
    }
    // Beyond the block, and with entries of types that do not exist.
    for pointer in [26, 30, 60, 70_000] {
      let verdict = try verdict(pointer, values)
      #expect(verdict.notes.filter { $0.code.rawValue == "container-unread" } == [])
      #expect(verdict.isProven)
    }
    let entry: [UInt8] = [1, 0, 2, 0, 4, 0, 0, 0] + Array("R98\0".utf8)
    let cut = try verdict(26, [9, 0] + entry + entry)
    #expect(cut.notes.contains { $0.code.rawValue == "container-unread" })
  }

  private static let thumbnails: [@Sendable () throws -> [UInt8]?] = [
    { SegmentBytes.application(0, Array("JFXX\0\u{10}".utf8) + stream) },
    { SegmentBytes.application(0, Array("JFIF\0\u{1}\u{1}\0\0\u{1}\0\u{1}\u{1}\u{1}123".utf8)) },
    { photoshop(resource(1036, stream)) }, { photoshop(resource(1033, stream)) },
    {
      let resources = resource(1036, stream)
      return SegmentBytes.exif(block([(0x8649, resources.count, 26)]) + resources)
    },
  ]

  private static let stream: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  @Test(arguments: thumbnails.indices)
  func `A thumbnail outside of Exif's, which is kept, is named and withholds the proof`(
    index: Int
  ) throws {
    let original = try Self.photo([try Self.thumbnails[index]()])
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.plan.notes.contains { $0.code == .thumbnailKept })
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.notes.contains { $0.code.rawValue == "thumbnail-kept" })
    #expect(verdict.detail == .misregistered)
  }

  @Test func `Containers that share their bytes are not read without end`() throws {
    let packet =
      Self.packet("http://purl.org/dc/elements/1.1/") + [UInt8](repeating: 0x20, count: 20_000)
    let count = 2500
    let entries = (0..<count).map { _ in (UInt16(0x02BC), packet.count, 14 + 12 * count) }
    let block = Self.block(entries) + packet
    let segment = try #require(SegmentBytes.exif(block))
    let original = try Self.photo()
    var result = try Rewriter().rewrite(original).rewritten().bytes
    result.insert(contentsOf: segment, at: 2)
    let verdict = try Verifier().verify(original: try Self.photo([segment]), result: result)
    #expect(verdict.notes.contains { $0.code.rawValue == "container-unread" })
    #expect(!verdict.isProven)
  }
}

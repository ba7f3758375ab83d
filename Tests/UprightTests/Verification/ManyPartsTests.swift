import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Files of so many parts that comparing each with each would take minutes.
struct ManyPartsTests {
  private static let count = 20_000

  /// An upright photo with segments after SOI.
  private func photo(_ segments: [[UInt8]]) throws -> [UInt8] {
    let photo = try Fixture.bytes("orientation/aligned-1.jpg")
    return photo[..<2] + segments.flatMap(\.self) + photo[2...]
  }

  /// Returns the identifiers of the findings, within the time that a comparison may take.
  private func findings(_ original: [UInt8], _ result: [UInt8]) throws -> [String] {
    let start = ContinuousClock.now
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(ContinuousClock.now - start < .seconds(20))
    return verdict.findings.map(\.code.rawValue)
  }

  @Test func `Segments are matched with those of the result`() throws {
    let segments = try (0..<Self.count).map {
      try #require(SegmentBytes.application(11, Array("part \($0)".utf8)))
    }
    let original = try photo(segments)
    #expect(try findings(original, photo(segments.reversed())) == ["segment-order"])
    #expect(try findings(original, photo(segments.dropLast())) == ["segment-lost"])
    #expect(try findings(original, photo(segments + [segments[0]])) == ["segment-added"])
    // Of the same name, the first that is left is compared.
    let changed = segments.map { Array($0.dropLast()) + [UInt8(ascii: "x")] }
    let all = try findings(original, photo(changed.dropLast()))
    let (lost, added) = ("segment-lost", "segment-added")
    #expect(all == [lost, added].flatMap { Array(repeating: $0, count: 20) })
  }

  @Test func `Packets are compared with those of the same segment`() throws {
    func packet(_ value: String) throws -> [UInt8] {
      let text =
        #"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description "#
        + #"xmlns:t="http://ns.adobe.com/tiff/1.0/" t:ImageWidth="\#(value)"/></r:RDF>"#
      return try #require(SegmentBytes.xmp(Array(text.utf8)))
    }
    let same = try Array(repeating: packet("7"), count: 5_000)
    let original = try photo(same)
    let changed = try Array(same.dropLast()) + [packet("8")]
    #expect(try findings(original, photo(changed)) == ["xmp-dimensions-stale"])
  }

  @Test func `Regions of one kind agree with those of another, up to a million of pairs`() throws {
    func packet(_ declaration: String, _ item: String, _ count: Int) throws -> [UInt8] {
      let text =
        #"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description \#(declaration) "#
        + #"xmlns:x="http://example.com/"><x:Regions><r:Bag>"#
        + String(repeating: "<r:li \(item)/>", count: count)
        + "</r:Bag></x:Regions></r:Description></r:RDF>"
      return try #require(SegmentBytes.xmp(Array(text.utf8)))
    }
    let photo = try Fixture.bytes("orientation/aligned-6.jpg")
    for (count, evidence) in [(3, RegionDecision.Evidence.agreement), (1_500, .none)] {
      let area = #"a:x=".1" a:y=".2" a:w=".1" a:h=".1""#
      let areas = try packet(#"xmlns:a="http://ns.adobe.com/xmp/sType/Area#""#, area, count)
      let rectangles = try packet(
        #"xmlns:m="http://ns.microsoft.com/photo/1.2/t/Region#""#,
        #"m:Rectangle=".05,.15,.1,.1""#,
        count
      )
      let plan = try Rewriter().plan(photo[..<2] + areas + rectangles + photo[2...])
      #expect(plan.regions.map(\.evidence) == [.specification, evidence])
    }
  }

  @Test func `Chunks of metadata are compared with those of the same content`() throws {
    let png = try Fixture.bytes("formats/plain.png")
    let exif = TIFFBlock.exifSegment(.right).dropFirst(10)
    let chunks = (0..<Self.count).map { PNGChunk.bytes("eXIf", exif + UInt32($0).bytes(.big)) }
    let original = png[..<33] + chunks.flatMap(\.self) + png[33...]
    var result = Array(original)
    result[33 + 2 * chunks[0].count - 1] ^= 1
    #expect(try findings(Array(original), Array(original)) == [])
    let found = try findings(Array(original), result)
    #expect(found == ["checksum-wrong"])
  }
}

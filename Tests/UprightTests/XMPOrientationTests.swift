import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// What XMP says of the orientation, found by reading no more of it than that takes, is what reading all of it
/// finds.
@Suite struct XMPOrientationTests {
  private static let values = ["1", "6", "16", "0", "", "top"]

  /// Spellings of `tiff:Orientation`, with `?` for its value.
  private static let spellings = [
    #"<rdf:Description tiff:Orientation="?"/>"#,
    #"<rdf:Description tiff:Orientation='?'/>"#,
    #"<rdf:Description tiff:Orientation = "?"/>"#,
    #"<rdf:Description tiff:Orientation="&#x3?;"/>"#,
    "<rdf:Description><tiff:Orientation>?</tiff:Orientation></rdf:Description>",
    "<rdf:Description><tiff:Orientation> ?\n</tiff:Orientation></rdf:Description>",
    "<rdf:Description><tiff:Orientation rdf:datatype=\"i\">?</tiff:Orientation></rdf:Description>",
    #"<rdf:Description xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="?"/>"#,
    #"<rdf:Description exif:Orientation="?"/>"#,
    #"<rdf:Description tiff:Orientation="1"/><rdf:Description tiff:Orientation="?"/>"#,
    #"<rdf:Description tiff:Make="?"/>"#,
    #"<rdf:Description dc:title="tiff:Orientation=?"/>"#,
  ]

  /// Those of which only a reader of XML knows that they are not about the image.
  private static let others = [
    #"<rdf:Description xmlns:tiff="urn:other" tiff:Orientation="?"/>"#,
    #"<rdf:Description><xmpMM:DerivedFrom tiff:Orientation="?"/></rdf:Description>"#,
    #"<rdf:Description tiff:Orientation="?">"#,
    #"<!-- tiff:Orientation="?" --><rdf:Description tiff:Make="A"/>"#,
  ]

  @Test(arguments: spellings + others, [nil, 1, 6])
  func `Reading a part of XMP gives the same orientation as reading all of it`(
    spelling: String,
    exif: Int?
  ) throws {
    for value in Self.values {
      let file = try Self.file(spelling.replacing("?", with: value), exif)
      let container = try Container(file.span)
      let part = try Header(container, file.span, xmp: .orientation)
      let whole = try Header(container, file.span)
      if Self.others.contains(spelling), exif == nil, value == "1" {
        // That nothing is to be done is as true, and all that matters.
        #expect(part.orientation == .value(.up) && whole.orientation == .absent)
      } else {
        #expect(part.orientation == whole.orientation, "\(spelling) \(value)")
      }
      #expect(part.withAllXMP(file.span).xmp.count == whole.xmp.count)
    }
  }

  @Test func `A packet in UTF-16 is reported`() throws {
    let packet = Self.packet(#"<rdf:Description tiff:Orientation="6"/>"#)
    let file = try Self.file(bytes: [0xFE, 0xFF] + packet.utf16.flatMap { $0.bytes(.big) }, nil)
    let header = try Header(try Container(file.span), file.span, xmp: .orientation)
    #expect(header.orientation == .absent)
    #expect(header.xmpProblem?.contains("UTF-16") == true)
  }

  @Test(arguments: spellings + others)
  func `Both details of an audit have the same plan`(spelling: String) throws {
    for value in Self.values {
      let file = try Self.file(spelling.replacing("?", with: value), 1)
      func audit(_ detail: Audit.Detail) throws -> Audit {
        try Rewriter().audit(size: file.count, detail: detail) { offset, count in
          Array(file.dropFirst(offset).prefix(count))
        }
      }
      let (totals, everything) = (try audit(.totals), try audit(.everything))
      #expect(totals.plan.action == everything.plan.action)
      #expect(totals.plan.notes == everything.plan.notes)
      #expect(totals.facts.hasRegions == everything.facts.hasRegions)
      let (own, exif) = (everything.facts.xmpOrientation, everything.facts.exifOrientation)
      if own != nil, own != exif { #expect(totals.facts.xmpOrientation == own) }
    }
  }

  private static func packet(_ description: String) -> String {
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \
    xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:dc="http://purl.org/dc/elements/1.1/">\
    \(description)</rdf:RDF></x:xmpmeta>
    """
  }

  private static func file(_ description: String, _ exif: Int?) throws -> [UInt8] {
    try file(bytes: Array(packet(description).utf8), exif)
  }

  /// An image with a packet of XMP, and with Exif where it says something.
  private static func file(bytes packet: [UInt8], _ exif: Int?) throws -> [UInt8] {
    let image = try Fixture.bytes("coding/1x1-upright.jpg")
    let tables = try Container(image.span).segments.dropFirst().first {
      !$0.marker.carriesMetadata
    }
    let start = try #require(tables).range.lowerBound
    let payload = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet
    let block = exif.flatMap { Orientation(rawValue: $0) }.map(TIFFBlock.exifSegment) ?? []
    return [0xFF, 0xD8] + block + [0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
      + image[start...]
  }
}

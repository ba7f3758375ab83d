import Fixtures
import Foundation
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Regions of the Metadata Working Group by the frame that the file gives evidence for, read with exiftool.
@Suite(.requiresExifTool)
struct RegionFrameTests {
  /// The area (0.25, 0.75) of 0.125 by 0.5 in the stored raster of 96 by 64 pixels.
  private static let area = [0.25, 0.75, 0.125, 0.5]
  private static let rotations = [
    "0", "0", "0", "3.14159", "3.14159", "1.57080", "-1.57080", "-1.57080", "1.57080",
  ]

  private static func packet(
    _ area: [Double],
    _ dimensions: [String],
    rotation: String? = nil
  ) -> String {
    let angle = rotation.map { #" m:Rotation="\#($0)""# } ?? ""
    return
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:a="http://ns.adobe.com/xmp/sType/Area#" xmlns:d="http://ns.adobe.com/xap/1.0/sType/Dimensions#">"#
      + #"<m:Regions rdf:parseType="Resource"><m:AppliedToDimensions d:w="\#(dimensions[0])" d:h="\#(dimensions[1])" d:unit="pixel"/>"#
      + #"<m:RegionList><rdf:Bag><rdf:li><rdf:Description\#(angle) m:Type="Face"><m:Area a:x="\#(area[0])" a:y="\#(area[1])" a:w="\#(area[2])" a:h="\#(area[3])"/>"#
      + "</rdf:Description></rdf:li></rdf:Bag></m:RegionList></m:Regions></rdf:Description></rdf:RDF></x:xmpmeta>"
      + String(repeating: " ", count: 60)
  }

  private static func photo(_ packet: String, tag: Int) throws -> [UInt8] {
    var bytes = try Fixture.bytes("orientation/aligned-\(tag).jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.insert(
      contentsOf: try #require(SegmentBytes.xmp(Array(packet.utf8))),
      at: exif.range.upperBound
    )
    return bytes
  }

  private func values(_ bytes: [UInt8]) throws -> (area: [Double], size: [Int?], rotation: Double?)
  {
    let found = try ExifTool(bytes)
    func number(_ name: String) -> Double? {
      found.values["XMP-mwg-rs:Region\(name)"]?.first.flatMap { Double($0) }
    }
    return (
      ["AreaX", "AreaY", "AreaW", "AreaH"].compactMap(number),
      ["W", "H"].map { number("AppliedToDimensions\($0)").map { Int($0) } }, number("Rotation")
    )
  }

  @Test(arguments: TransformedRegion.all)
  func `Regions of Lightroom follow the stored image, and no rotation is left`(
    expected: TransformedRegion
  ) throws {
    let tag = Int(expected.tag)
    let size = expected.transposes ? ["64", "96"] : ["96", "64"]
    let packet = Self.packet(Self.area, size, rotation: Self.rotations[tag])
    let original = try Self.photo(packet, tag: tag)
    for policy in [Options.RegionPolicy.auto, .follow] {
      var rewriter = Rewriter()
      rewriter.options.regions = policy
      let rewrite = try rewriter.rewrite(original).rewritten()
      let found = try values(rewrite.bytes)
      #expect(found.area == expected.area && found.rotation == 0)
      #expect(found.size == size.map { Int($0) })
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
      #expect(try Verifier().verify(original: original, result: rewrite.bytes).isProven)
    }
    let plan = try Rewriter().rewrite(Fixture.bytes("orientation/aligned-\(tag).jpg")).plan
    let sidecar = try Sidecar(Array(packet.utf8))
    let update = try #require(sidecar.normalized(for: plan, options: Options()))
    #expect(String(decoding: update.bytes, as: UTF8.self).contains(#"a:x="\#(expected.area[0])""#))
  }

  @Test func `Regions that were not moved with their rotation are not proven`() throws {
    let packet = Self.packet(Self.area, ["64", "96"], rotation: "-1.57080")
    let original = try Self.photo(packet, tag: 6)
    var rewriter = Rewriter()
    rewriter.options.regions = .keep
    let result = try rewriter.rewrite(original).rewritten().bytes
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.conclusion == .partlyProven)
    #expect(verdict.notes.contains { $0.code.rawValue == "region-kept" })
  }

  @Test func `Dimensions of neither frame leave it unknown`() throws {
    let original = try Self.photo(Self.packet(Self.area, ["100", "100"]), tag: 6)
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.plan.regions.map(\.frame) == [nil])
    #expect(rewrite.plan.notes.contains { $0.code == .regionKept })
    #expect(try values(rewrite.bytes).area == Self.area)
    #expect(try !Verifier().verify(original: original, result: rewrite.bytes).isProven)
  }

  @Test func `Dimensions with an error of rounding are swapped like whole numbers`() throws {
    let packet = Self.packet(Self.area, ["95.99999999999999", "64"])
    let original = try Self.photo(packet, tag: 6)
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(try values(rewrite.bytes).size == [64, 96])
    #expect(try Verifier().verify(original: original, result: rewrite.bytes).isProven)
  }

  // MARK: Changes of what is displayed

  @Test(arguments: [5, 6, 7, 8])
  func `Regions of the displayed image follow a change of the tag, and a rewrite after it`(
    tag: Int
  ) throws {
    let expected = try #require(TransformedRegion.all.first { $0.tag == tag })
    let original = try Self.photo(Self.packet(expected.area, ["64", "96"]), tag: tag)
    let first = try Rewriter(.transform(.rotate90, tagOnly: true)).rewrite(original).rewritten()
    var rewriter = Rewriter()
    rewriter.options.onConflict = .trustTag
    // A tag of 8 is 1 after it.
    let both = tag == 8 ? first : try rewriter.rewrite(first.bytes).rewritten()
    let direct = try Rewriter(.transform(.rotate90, tagOnly: false)).rewrite(original).rewritten()
    let (x, y) = (expected.area[0], expected.area[1])
    for result in [both.bytes, direct.bytes] {
      let found = try values(result)
      #expect(found.area == [1 - y, x, expected.area[3], expected.area[2]])
      #expect(found.size == [96, 64])
    }
    let verdict = try Verifier(then: .rotate90).verify(original: original, result: both.bytes)
    #expect(verdict.isProven, "\(verdict.findings) \(verdict.notes)")
  }

  @Test func `Regions of the stored image stay if the tag changes`() throws {
    let original = try Self.photo(Self.packet(Self.area, ["96", "64"]), tag: 6)
    let result = try Rewriter(.tag(.set(.left))).rewrite(original).rewritten()
    #expect(try values(result.bytes).area == Self.area)
    #expect(!result.plan.notes.contains { $0.code == .regionKept })
  }

  @Test func `Regions of a HEIF image follow what is displayed`() throws {
    let photo = try Fixture.bytes("formats/agree.heic")
    let size = try Rewriter().rewrite(photo).plan.image.uprightSize
    let region = "Area={X=0.25,Y=0.125,W=0.1,H=0.2,Unit=normalized},Type=Face,Name=F"
    let info =
      "-RegionInfo={AppliedToDimensions={W=\(size.width),H=\(size.height),Unit=pixel},RegionList=[{\(region)}]}"
    let scratch = try Scratch()
    let path = try scratch.write(photo, to: "photo.heic")
    _ = try Tool.run("exiftool", ["-q", "-q", "-overwrite_original", info, path])
    let original = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let result = try Rewriter(.transform(.rotate90, tagOnly: false)).rewrite(original).rewritten()
    let found = try values(result.bytes)
    #expect(found.area == [0.875, 0.25, 0.2, 0.1] && found.size == [size.height, size.width])
    #expect(
      try Verifier(then: .rotate90).verify(original: original, result: result.bytes).isProven
    )
  }
}

import FileBytes
import Fixtures
import JPEGCore
import Testing
import Upright
import Verification

/// Positions in extended XMP, in Exif and in Photoshop's resources, and edits and positions of several programs.
struct FurtherXMPTests {
  private static let names =
    #"xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/" xmlns:s="http://ns.adobe.com/camera-raw-saved-settings/1.0/" xmlns:g="http://ns.google.com/photos/1.0/focus/" xmlns:d="http://www.dji.com/drone-dji/1.0/" xmlns:p="http://ns.apple.com/adjustment-settings/1.0/" xmlns:i="http://ns.xiaomi.com/photos/1.0/camera/" xmlns:y="http://ns.sony.example/1.0/" xmlns:n="http://ns.adobe.com/xmp/note/""#

  private static func packet(_ attributes: String, _ elements: String = "") -> [UInt8] {
    Array(
      (#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
        + #"<rdf:Description rdf:about="" \#(names) \#(attributes)>\#(elements)</rdf:Description></rdf:RDF></x:xmpmeta>"#)
        .utf8
    )
  }

  private static func segment(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, 0xE0 | number] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  private static func main(_ packet: [UInt8]) -> [UInt8] {
    segment(1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
  }

  private static func extended(_ packet: [UInt8]) -> [UInt8] {
    let digest = ExtendedXMP.digest(of: packet)
    let name = String(decoding: digest, as: UTF8.self)
    let head = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + digest
    return main(Self.packet(#"n:HasExtendedXMP="\#(name)""#))
      + segment(1, head + UInt32(packet.count).bytes(.big) + [0, 0, 0, 0] + packet)
  }

  private static func photoshop(_ packet: [UInt8]) -> [UInt8] {
    let even = packet + (packet.count % 2 == 1 ? [0x20] : [])
    let resource =
      Array("8BIM".utf8) + UInt16(1060).bytes(.big) + [0, 0] + UInt32(even.count).bytes(.big) + even
    return segment(13, Array("Photoshop 3.0\0".utf8) + resource)
  }

  private static func photo(_ segments: [UInt8]) throws -> [UInt8] {
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.insert(contentsOf: segments, at: exif.range.upperBound)
    return bytes
  }

  private static let focus = #"g:FocalPointX="0.25" g:FocalPointY="0.125""#

  @Test(arguments: [true, false])
  func `Positions in other places than the packet follow the image in their room`(
    isExtended: Bool
  ) throws {
    let packet = Self.packet(Self.focus)
    let original = try Self.photo(isExtended ? Self.extended(packet) : Self.photoshop(packet))
    let rewrite = try Rewriter().rewrite(original).rewritten()
    let text = Array(#"g:FocalPointX="0.875" g:FocalPointY="0.25""#.utf8)
    #expect(rewrite.bytes.firstRange(of: text) != nil)
    if isExtended {
      let digest = ExtendedXMP.digest(
        of: Self.packet(#"g:FocalPointX="0.875" g:FocalPointY="0.25""#)
      )
      let first = try #require(rewrite.bytes.firstRange(of: digest))
      #expect(rewrite.bytes[first.upperBound...].firstRange(of: digest) != nil)
    }
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.isProven, "\(verdict.findings) \(verdict.notes)")
    // A value of another program.
    var wrong = rewrite.bytes
    wrong[try #require(wrong.firstRange(of: text)).lowerBound + 19] = UInt8(ascii: "1")
    #expect(try Verifier().verify(original: original, result: wrong).conclusion == .notProven)
  }

  @Test func `A position without room for its decimals is kept with a note, and not proven`() throws
  {
    let packet = Self.packet(#"g:FocalPointX="0.25" g:FocalPointY="2e-3""#)
    let original = try Self.photo(Self.extended(packet))
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.bytes.firstRange(of: packet) != nil)
    #expect(rewrite.plan.notes.map(\.code).contains(.regionKept))
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.conclusion == .partlyProven, "\(verdict.findings)")
  }

  @Test func `Numbers get the decimals for which there is room`() throws {
    let packet = Self.packet(#"g:FocalPointX="0.5" g:FocalPointY="0.33333""#)
    let original = try Self.photo(Self.extended(packet))
    let result = try Rewriter().rewrite(original).rewritten().bytes
    #expect(result.firstRange(of: Array(#"X="0.66667" g:FocalPointY="0.5""#.utf8)) != nil)
    #expect(try Verifier().verify(original: original, result: result).isProven)
  }

  private static let crop =
    #"c:HasCrop="true" c:CropTop="0.1" c:CropLeft="0.2" c:CropBottom="0.9" c:CropRight="0.8" c:CropAngle="0""#

  private static func snapshot(_ settings: String) -> String {
    "<s:SavedSettings><rdf:Bag><rdf:li><rdf:Description s:Name=\"a\"><s:Parameters>"
      + "<rdf:Description \(settings)/></s:Parameters></rdf:Description></rdf:li></rdf:Bag></s:SavedSettings>"
  }

  @Test func `Crops of snapshots, and with another spelling of True, follow the image`() throws {
    for packet in [Self.packet(Self.crop), Self.packet("", Self.snapshot(Self.crop))] {
      let original = try Self.photo(Self.main(packet))
      let rewrite = try Rewriter().rewrite(original).rewritten()
      let text = String(decoding: rewrite.bytes, as: UTF8.self)
      #expect(text.contains(#"c:CropTop="0.2" c:CropLeft="0.1""#))
      let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
      #expect(verdict.isProven, "\(verdict.findings)")
      let old = Array(#"CropTop="0.2" c:CropLeft="0.1""#.utf8)
      let new = Array(#"CropTop="0.1" c:CropLeft="0.2""#.utf8)
      var wrong = rewrite.bytes
      wrong.replaceSubrange(try #require(wrong.firstRange(of: old)), with: new)
      #expect(try !Verifier().verify(original: original, result: wrong).isProven)
    }
  }

  @Test(arguments: [
    (main(packet("", snapshot(#"c:HasCrop="True" c:CropTop="0.1""#))), "camera-raw"),
    (main(packet("", snapshot(#"c:PerspectiveUpright="1""#))), "camera-raw-perspective"),
    (extended(packet(crop)), "camera-raw"), (photoshop(packet(crop)), "camera-raw"),
    (
      main(
        packet("", #"<c:LensBlur><rdf:Description c:SampledArea="0.1 0.2 0.3 0.4"/></c:LensBlur>"#)
      ), "camera-raw"
    ),
    (main(packet(#"p:CropX="10" p:CropW="50""#)), "apple-crop"),
    (main(packet(#"d:DewarpHMatrix="1,0,0,0,1,0,0,0,1""#)), "dji-homography"),
  ])
  func `A photo with edits that cannot follow is skipped`(
    segments: [UInt8],
    kind: String
  ) throws {
    let plan = try Rewriter().rewrite(Self.photo(segments)).plan
    #expect(!plan.action.rewrites)
    #expect(plan.registeredData.map(\.kind) == [kind])
  }

  @Test(arguments: [
    (
      #"i:XMPMeta="&lt;lenswatermark offset=&quot;9&quot; paddingx=&quot;1&quot;/&gt;""#,
      "xiaomi-watermark"
    ), (#"y:ObjectPosX="10" y:ObjectPosY="20""#, "object-position"),
  ])
  func `Patches and positions of phones are named, and not proven`(
    attributes: String,
    kind: String
  ) throws {
    let original = try Self.photo(Self.main(Self.packet(attributes)))
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.plan.registeredData.map(\.kind) == [kind])
    #expect(rewrite.plan.notes.contains { $0.code == .registeredData })
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.conclusion == .partlyProven)
  }

  @Test func `An offset between two cameras is rotated`() throws {
    let packet = Self.packet(
      #"d:RelativeOpticalCenterX="3.5" d:RelativeOpticalCenterY="-2.25""#
    )
    let original = try Self.photo(Self.main(packet))
    let result = try Rewriter().rewrite(original).rewritten().bytes
    let text = #"RelativeOpticalCenterX="2.25" d:RelativeOpticalCenterY="3.5""#
    #expect(result.firstRange(of: Array(text.utf8)) != nil)
    #expect(try Verifier().verify(original: original, result: result).isProven)
  }
}

import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// Crops and local corrections of Camera Raw, which refer to the stored image.
struct CameraRawTests {
  private func photo(_ attributes: String, _ elements: String = "") throws -> [UInt8] {
    let text =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/" \#(attributes)>"#
      + "\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>"
    let segment = try #require(SegmentBytes.xmp(Array(text.utf8)))
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.insert(contentsOf: segment, at: exif.range.upperBound)
    return bytes
  }

  private static let crop =
    #"c:CropTop="0.1" c:CropLeft="0" c:CropBottom="0.6" c:CropRight="0.5" c:CropAngle="0""#
  private static let retouching =
    "<c:RetouchInfo><rdf:Seq><rdf:li>centerX = 0.5</rdf:li></rdf:Seq></c:RetouchInfo>"

  @Test func `A photo whose crop or corrections are still to be applied is skipped`() throws {
    let cases: [(String, String, Bool)] = [
      (#"c:HasCrop="True" "# + Self.crop, "", true),
      (#"c:HasCrop="False" "# + Self.crop, "", false),
      (
        #"c:HasCrop="True" c:CropTop="0" c:CropLeft="0" c:CropBottom="1" c:CropRight="1""#, "",
        false
      ),
      (#"c:HasCrop="True" c:AlreadyApplied="True" "# + Self.crop, "", false),
      (#"c:HasSettings="True" c:Exposure2012="+0.50""#, "", false),
      ("", Self.retouching, true), (#"c:AlreadyApplied="True""#, Self.retouching, false),
      ("", "<c:MaskGroupBasedCorrections><rdf:Seq/></c:MaskGroupBasedCorrections>", false),
    ]
    for (attributes, elements, isSkipped) in cases {
      let file = try photo(attributes, elements)
      let plan = try Rewriter().rewrite(file).plan
      #expect(plan.action.rewrites != isSkipped, "\(attributes)\(elements)")
      #expect(plan.registeredData.map(\.kind) == (isSkipped ? ["camera-raw"] : []))
    }
  }

  @Test func `Such a photo is rewritten on request, and verify names what no longer fits`() throws {
    var rewriter = Rewriter()
    rewriter.options.registeredData = .keep
    let original = try photo(#"c:HasCrop="True" "# + Self.crop)
    let result = try rewriter.rewrite(original).rewritten().bytes
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.identifier) == ["registered-data"])
  }
}

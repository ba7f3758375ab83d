import Fixtures
import JPEGCore
import Testing
import Upright
import Verification

/// Dimensions that programs write as decimals in XMP.
@Suite(.requiresExifTool)
struct DecimalDimensionTests {
  @Test(arguments: [("96.0", "64.00"), ("95.9999999999995", "64.0000000000001"), ("96", "64")])
  func `Decimal dimensions are those of the whole numbers that they mean`(
    width: String,
    height: String
  ) throws {
    let packet =
      "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      + "xmlns:tiff='http://ns.adobe.com/tiff/1.0/' xmlns:exif='http://ns.adobe.com/exif/1.0/' "
      + "tiff:ImageWidth='\(width)' tiff:ImageLength='\(height)' "
      + "exif:PixelXDimension='\(width)' exif:PixelYDimension='\(height)'/></rdf:RDF>"
    var original = try Fixture.bytes("orientation/aligned-6.jpg")
    original.insert(contentsOf: try #require(SegmentBytes.xmp(Array(packet.utf8))), at: 2)
    let rewrite = try Rewriter().rewrite(original).rewritten()
    let found = try ExifTool(rewrite.bytes)
    for group in ["XMP-tiff:ImageWidth", "XMP-exif:ExifImageWidth"] {
      #expect(found.number(group) == 64)
    }
    for group in ["XMP-tiff:ImageHeight", "XMP-exif:ExifImageHeight"] {
      #expect(found.number(group) == 96)
    }
    #expect(try Verifier().verify(original: original, result: rewrite.bytes).isProven)
    // Left as they were, they are those of the original.
    let stale = try Verifier().verify(
      original: original,
      result: Self.restored(packet, in: rewrite, original)
    )
    #expect(stale.findings.contains { $0.code.rawValue == "xmp-dimensions-stale" })
  }

  /// The result with the XMP segment of the original.
  private static func restored(
    _ packet: String,
    in rewrite: Rewrite,
    _ original: [UInt8]
  ) throws -> [UInt8] {
    let segment = try #require(SegmentBytes.xmp(Array(packet.utf8)))
    let length = Int(rewrite.bytes[4]) << 8 | Int(rewrite.bytes[5])
    return Array(rewrite.bytes[..<2]) + segment + rewrite.bytes[(4 + length)...]
  }
}

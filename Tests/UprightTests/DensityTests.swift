import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// The size at which browsers show an image by its resolution (HTML, density-corrected natural width and height).
@Suite(.requiresExifTool)
struct DensityTests {
  /// The fixture of 96×64 pixels with other resolutions and dimensions in Exif.
  private func file(_ x: UInt32, _ y: UInt32, _ width: UInt8, _ height: UInt8) throws -> [UInt8] {
    var bytes = try Fixture.bytes("exif/resolution-differs.jpg")
    for (tag, resolution) in [(UInt8(0x1A), x), (0x1B, y)] {
      let entry = try #require(bytes.firstRange(of: [tag, 1, 5, 0, 1, 0, 0, 0])).upperBound
      let start = try #require(bytes.firstRange(of: Array("Exif\0\0II".utf8))).upperBound - 2
      let place = start + bytes[entry..<entry + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
      let value = resolution.bytes(.little) + UInt32(1).bytes(.little)
      bytes.replaceSubrange(place..<place + 8, with: value)
    }
    for (tag, value) in [(UInt8(2), width), (3, height)] {
      let entry = try #require(bytes.firstRange(of: [tag, 0xA0])).lowerBound
      bytes[entry + 8] = value
    }
    return bytes
  }

  /// The size in a browser, as HTML computes it from what exiftool reads; nil if it is that of the frame.
  private func shown(_ bytes: [UInt8]) throws -> [Int]? {
    let tags = try ExifTool(bytes)
    let frame = try ImageFile(bytes).frame
    guard let x = tags.number("IFD0:XResolution"), let y = tags.number("IFD0:YResolution"),
      let width = tags.number("ExifIFD:ExifImageWidth"),
      let height = tags.number("ExifIFD:ExifImageHeight"),
      tags.number("IFD0:ResolutionUnit") == 2, frame.width * 72 == width * x,
      frame.height * 72 == height * y
    else { return nil }
    return [width, height]
  }

  @Test(arguments: [(36, 36, 192, 128), (36, 144, 192, 32)])
  func `Browsers show the result at the size of the original`(
    x: UInt32,
    y: UInt32,
    width: UInt8,
    height: UInt8
  ) throws {
    let original = try file(x, y, width, height)
    #expect(try shown(original) == [Int(width), Int(height)])
    let rewrite = try TransformedFile(original) { $0.onConflict = .trustTag }
    #expect(try shown(rewrite.bytes) == [Int(height), Int(width)])
    #expect(try rewrite.rewrite.undo?.restoreOriginal(from: rewrite.bytes) == original)
    #expect(try Verifier().verify(original: original, result: rewrite.bytes).isProven)
    // What a rewriter leaves that sets the dimensions to those of the frame.
    var wrong = rewrite.bytes
    for (tag, value) in [(UInt8(2), UInt8(64)), (3, 96)] {
      let entry = try #require(wrong.firstRange(of: [tag, 0xA0])).lowerBound
      wrong[entry + 8] = value
    }
    let verdict = try Verifier().verify(original: original, result: wrong)
    #expect(verdict.findings.contains { $0.code.rawValue == "exif-dimensions-stale" })
  }

  @Test func `Dimensions that do not follow from the resolution become those of the frame`() throws
  {
    let original = try file(50, 50, 192, 128)
    let rewrite = try TransformedFile(original) { $0.onConflict = .trustTag }
    let tags = try ExifTool(rewrite.bytes)
    #expect(tags.number("ExifIFD:ExifImageWidth") == 64)
    #expect(tags.number("ExifIFD:ExifImageHeight") == 96)
  }
}

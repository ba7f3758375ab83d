import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// The comparison of tags that libexif reads.
struct TagComparisonTests {
  /// A TIFF file whose Exif directory ends after the first of two entries; that one's value has six bytes at an offset.
  private func block(orientation: UInt8, valueAt offset: UInt8) -> [UInt8] {
    var block: [UInt8] = Array("II*\0".utf8) + [8, 0, 0, 0, 2, 0]
    block += [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]
    block += [0x69, 0x87, 4, 0, 1, 0, 0, 0, 44, 0, 0, 0]
    // The next directory, a name, the directory.
    block += [0, 0, 0, 0] + Array("Lens 1".utf8) + [2, 0]
    return block + [0x33, 0xA4, 2, 0, 6, 0, 0, 0, offset, 0, 0, 0]
  }

  /// The findings on a TIFF file, or a PNG file with that Exif, whose Orientation becomes 1.
  private func findings(valueAt offset: UInt8, inPNG: Bool) throws -> [Verdict.Finding] {
    var files = [6, 1].map { block(orientation: $0, valueAt: offset) }
    if inPNG {
      let png = try Fixture.bytes("formats/plain.png")
      files = files.map { png[..<33] + PNGChunk.bytes("eXIf", $0) + png[33...] }
    }
    let verifier = Verifier(then: .rotate270)
    return try verifier.verify(original: files[0], result: files[1]).findings
  }

  @Test(arguments: [false, true])
  func `A tag that shares bytes with Orientation is found, even in a directory that is cut off`(
    inPNG: Bool
  ) throws {
    #expect(try findings(valueAt: 38, inPNG: inPNG) == [])
    let found = try findings(valueAt: 16, inPNG: inPNG)
    #expect(found.map { $0.code.rawValue } == ["libexif-tags"])
    #expect(found.first?.text.contains("Exif") == true)
  }

  @Test func `A changed tag of a JPEG file is found by the second reader`() throws {
    let original = try Fixture.bytes("sample/portrait.jpg")
    var result = try Rewriter().rewrite(original).rewritten().bytes
    #expect(try Verifier().verify(original: original, result: result).findings == [])
    let block = try #require(try Header(Container(result.span), result.span).exif.first)
    let time = try #require(
      block.entries(.ifd0, 0x0132).first?.value ?? block.entries(.exif, 0x9003).first?.value
    )
    result[time.lowerBound] ^= 1
    let found = try Verifier().verify(original: original, result: result).findings
    #expect(found.map { $0.code.rawValue } == ["exif-bytes-changed", "libexif-tags"])
  }
}

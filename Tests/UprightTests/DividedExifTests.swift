import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Exif blocks that go on in further segments, because one has no room for them, or are divided between several.
@Suite(.requiresExifTool)
struct DividedExifTests {
  /// A fixture with the block of its Exif segment divided after so many bytes each time.
  private func divided(
    _ path: String,
    every length: Int,
    between: [UInt8] = []
  ) throws -> [UInt8] {
    var bytes = try Fixture.bytes(path)
    let exif = try #require(Container(bytes.span).segments(.exif, in: bytes.span).first)
    let block = Array(bytes[exif.payload].dropFirst(6))
    let parts = stride(from: 0, to: block.count, by: length).compactMap {
      SegmentBytes.exif(Array(block[$0..<min($0 + length, block.count)]))
    }
    bytes.replaceSubrange(exif.range, with: Array(parts.joined(separator: between)))
    return bytes
  }

  @Test(arguments: [700, 900, 1100])
  func `A block in several segments is changed like one in a single segment`(length: Int) throws {
    let original = try divided("exif/thumbnail-aligned.jpg", every: length)
    let whole = try TransformedFile("exif/thumbnail-aligned.jpg")
    let file = try TransformedFile(original) { _ in }
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.transformed])
    let thumbnail = try ExifTool.data("ThumbnailImage", file.bytes)
    #expect(try thumbnail == ExifTool.data("ThumbnailImage", whole.bytes))
    let (own, other) = (try ExifTool(file.bytes), try ExifTool(whole.bytes))
    for name in ["ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight", "IFD0:Orientation"] {
      #expect(own.values[name] == other.values[name])
    }
    #expect(try file.rewrite.undo?.restoreOriginal(from: file.bytes) == original)
    #expect(try Verifier().verify(original: original, result: file.bytes).isProven)
    // The last byte of the thumbnail's scan is in the last segment.
    let exif = try Container(file.bytes.span).segments(.exif, in: file.bytes.span)
    let end = try #require(exif.last).range.upperBound
    var damaged = file.bytes
    damaged[end - 12] ^= 0x11
    #expect(try Verifier().verify(original: original, result: damaged).conclusion == .notProven)
  }

  @Test func `A crop makes a thumbnail that is in several segments anew`() throws {
    let original = try divided("exif/thumbnail-aligned.jpg", every: 900)
    let rewriter = Rewriter(.crop(PixelRectangle(x: 0, y: 0, width: 48, height: 32)))
    let outcome = try rewriter.rewrite(original).rewritten()
    let thumbnail = try ExifTool.data("ThumbnailImage", outcome.bytes)
    #expect(throws: Never.self) { try Tool.djpeg(thumbnail) }
    #expect(outcome.plan.embeddedImages.map(\.disposition) == [.regenerated])
  }

  @Test func `A file whose directory is divided between segments is skipped`() throws {
    let original = try divided("exif/thumbnail-aligned.jpg", every: 30)
    #expect(try Rewriter().rewrite(original).skipReason == "exif-unreadable")
  }

  @Test func `A part that is not next to its block is named and prevents a proof`() throws {
    let comment: [UInt8] = [0xFF, 0xFE, 0, 5, 1, 2, 3]
    let original = try divided("exif/thumbnail-aligned.jpg", every: 900, between: comment)
    let file = try TransformedFile(original) { _ in }
    #expect(file.rewrite.plan.notes.contains { $0.code == .metadataNotRead })
    #expect(try !Verifier().verify(original: original, result: file.bytes).isProven)
  }
}

import Fixtures
import ImageFormats
import Testing
import Upright

/// When and where a photo was taken, of files whose directories are no Exif block.
struct CaptureFactsTests {
  @Test(
    .requiresExifTool,
    arguments: ["big-endian.tif", "digital-negative.dng", "sony.arw", "canon.cr3"]
  )
  func `The facts of TIFF and camera raw files have what exiftool wrote`(name: String) throws {
    let tags = [
      "-DateTimeOriginal=2024:05:06 07:08:09", "-OffsetTimeOriginal=+02:00", "-GPSLatitude=48.5",
      "-GPSLatitudeRef=N", "-GPSLongitude=11.25", "-GPSLongitudeRef=W", "-GPSAltitude=520",
      "-GPSAltitudeRef#=0",
    ]
    let fixture = try Fixture.bytes("formats/\(name)")
    let file = try Tool.run("exiftool", tags + ["-o", "-", "-"], input: fixture).output
    let facts = try Rewriter().audit(file).facts
    #expect(facts.captured == "2024-05-06T07:08:09+02:00")
    #expect(facts.hasPosition)
    #expect(facts.position == Facts.Position(latitude: 48.5, longitude: -11.25, altitude: 520))
    #expect(try Rewriter().audit(fixture).facts.captured == nil)
  }

  @Test func `Fields that are there many times do no harm`() throws {
    func block(_ entries: [[UInt8]]) -> [UInt8] {
      let count = [UInt8(entries.count & 0xFF), UInt8(entries.count >> 8)]
      return Array("II*\0".utf8) + [8, 0, 0, 0] + count + entries.joined() + [0, 0, 0, 0]
    }
    let date: [UInt8] = [0x03, 0x90, 2, 0, 4, 0, 0, 0]
    let first = block([date + Array("old\0".utf8)])
    let others = block(Array(repeating: date + Array("new\0".utf8), count: 30_000))
    let main = block([[0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]])
    let canon: [UInt8] = [
      0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A,
      0x48,
    ]
    let parts =
      [HEIFSample.box("CMT1", main), HEIFSample.box("CMT2", first)]
      + Array(repeating: HEIFSample.box("CMT2", others), count: 3)
    let file =
      HEIFSample.box("ftyp", Array("crx \0\0\0\u{1}crx isom".utf8))
      + HEIFSample.box("moov", HEIFSample.box("uuid", canon + parts.joined()))
    #expect(try Rewriter().audit(file).plan.image.format == .cr3)
  }
}

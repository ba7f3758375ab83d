import Fixtures
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
}

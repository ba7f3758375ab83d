import Fixtures
import Testing
import Upright

/// Facts of files of other formats than TIFF, and of listed images.
struct FormatFactTests {
  private func movie(_ handler: String) -> [UInt8] {
    let hdlr = HEIFSample.fullBox(
      "hdlr",
      [0, 0, 0, 0],
      Array(handler.utf8),
      Array(repeating: 0, count: 13)
    )
    return HEIFSample.box("moov", HEIFSample.box("trak", HEIFSample.box("mdia", hdlr)))
  }

  @Test func `A sequence of images is no motion photo, a video track is`() throws {
    for (handler, isMotion) in [("pict", false), ("auxv", false), ("vide", true), ("soun", false)] {
      var sample = try HEIFSample(HEIFSample.image())
      sample.trailer = movie(handler)
      #expect(try Rewriter().audit(sample.bytes).facts.isMotionPhoto == isMotion)
    }
  }

  @Test func `A sequence of images without a primary item is not called malformed`() throws {
    let meta = HEIFSample.fullBox(
      "meta",
      HEIFSample.fullBox("hdlr", Array("\0\0\0\0pict".utf8), Array(repeating: 0, count: 13))
    )
    for (movie, code) in [(movie("pict"), UprightError.Code.unsupported), ([], .malformed)] {
      let file = HEIFSample.box("ftyp", Array("avis\0\0\0\0avifavis".utf8)) + meta + movie
      let error = #expect(throws: UprightError.self) { try Rewriter().audit(file) }
      #expect(error?.code == code)
    }
  }

  @Test func `Only JUMBF of C2PA is content credentials in JPEG XL`() throws {
    let file = try Fixture.bytes("formats/agree.jxl")
    for (type, isC2PA) in [("c2pa", true), ("json", false)] {
      let identifier: [UInt8] =
        Array(type.utf8) + [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
      let box = HEIFSample.box(
        "jumb",
        HEIFSample.box("jumd", identifier, [3], Array("label\0".utf8))
      )
      #expect(try Rewriter().audit(file + box).facts.hasContentCredentials == isC2PA)
    }
  }

  @Test func `The fact of a thumbnail is that of Exif, also in HEIC`() throws {
    let jpeg = try Fixture.bytes("sample/portrait.jpg")
    #expect(try Rewriter().audit(jpeg).facts.hasThumbnail)
    let start = try #require(jpeg.firstRange(of: Array("Exif\0\0".utf8))).upperBound
    let length = Int(jpeg[start - 8]) << 8 | Int(jpeg[start - 7])
    let block = Array(jpeg[start..<start - 8 + length])
    var sample = try HEIFSample(HEIFSample.image(), HEIFSample.image().referring("thmb", 1))
    #expect(try !Rewriter().audit(sample.bytes).facts.hasThumbnail)
    sample.items.append(HEIFSample.Item("Exif", [0, 0, 0, 0] + block).referring("cdsc", 1))
    #expect(try Rewriter().audit(sample.bytes).facts.hasThumbnail)
  }
}

import ImageFormats
import Testing

@Suite struct FileContentTests {
  private func name(_ bytes: [UInt8]) -> String? { FileContent.name(of: bytes.span) }

  @Test(arguments: [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "a PNG image"),
    (Array("RIFF....WEBPVP8 ".utf8), "a WebP image"),
    (Array("II*\0....".utf8), "a TIFF image or a raw photo"),
    (Array("\0\0\0\u{18}ftypheic".utf8), "a HEIC image"),
    (Array("\0\0\0\u{18}ftypqt  ".utf8), "a video"),
    (Array("%PDF-1.7".utf8), "a PDF document"),
    (Array("a list of files\r\n".utf8), "text"),
  ])
  func `A format is recognized by its first bytes`(bytes: [UInt8], expected: String) {
    #expect(name(bytes) == expected)
  }

  @Test(arguments: ImageFormat.allCases)
  func `A format has a media type`(format: ImageFormat) {
    let isVideo = ImageFormat.all(of: .video).contains(format)
    #expect(format.mediaType.hasPrefix(isVideo ? "video/" : "image/"))
  }

  @Test func `Bytes without a signature have no name`() {
    #expect(name([]) == nil)
    #expect(name([0, 0, 0, 0, 0, 0, 0, 0]) == nil)
    #expect(name([0x89, 0x50]) == nil)
  }
}

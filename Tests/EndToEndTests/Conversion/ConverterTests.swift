import Conversion
import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import TurboTransform
import Upright

struct ConverterTests {
  @Test(
    arguments: [(1, 1), (7, 5), (16, 16), (17, 33), (64, 48)],
    PixelImage.Sampling.allCases
  )
  func `The pixels are preserved`(size: (Int, Int), sampling: PixelImage.Sampling) throws {
    let pixels = Sample.pixels(width: size.0, height: size.1, sampling)
    let result = try Converter().file(of: Sample.photo(pixels))
    let image = try ImageInfo(result.bytes)
    #expect(result.sampling == sampling)
    #expect((image.width, image.height) == size)
    let errors = (0..<size.0 * size.1).map { place in
      let color = image.color(x: place % size.0, y: place / size.0)
      let luminance =
        color.count == 1 ? color[0] : (299 * color[0] + 587 * color[1] + 114 * color[2]) / 1000
      return abs(luminance - Int(pixels.planes[0][place]))
    }
    #expect(errors.allSatisfy { $0 <= 4 })
  }

  @Test func `A higher quality is closer to the original and larger`() throws {
    let sizes = try [20, 60, 92, 100].map { quality in
      var converter = Converter()
      converter.quality = quality
      return try converter.file(of: Sample.photo()).bytes.count
    }
    #expect(sizes == sizes.sorted() && Set(sizes).count == sizes.count)
  }

  @Test func `The Huffman tables are optimal for the image`() throws {
    let pixels = Sample.pixels(width: 320, height: 240)
    let plain = try PixelEncoder.encode(pixels, quality: 92)
    let result = try Converter().file(of: Sample.photo(pixels)).bytes
    #expect(result.count < plain.count)
    #expect(try Tool.djpeg(result) == Tool.djpeg(plain))
    #expect(try Tool.jpegtran(result, ["-optimize"]).count >= result.count - 20)
  }

  @Test(arguments: [OrientationTransform.none, .rotate90, .rotate180, .transpose])
  func `Exif is copied except for fields that the transform makes wrong`(
    transform: OrientationTransform
  ) throws {
    var source = Sample.photo(
      Sample.pixels(
        width: transform.transposes ? 320 : 480,
        height: transform.transposes ? 480 : 320
      )
    )
    source.transform = transform
    source.stored = PixelSize(width: 480, height: 320)
    let exif = try Sample.exif("sample/portrait.jpg")
    source.exif = exif
    let result = try Converter().file(of: source)
    let read = try exiftool(
      result.bytes,
      "-n",
      "-s3",
      "-Orientation",
      "-ExifImageWidth",
      "-ExifImageHeight",
      "-Make"
    )
    let before = try exiftool(try Fixture.bytes("sample/portrait.jpg"), "-s3", "-Make")
    #expect(
      read.text == "1\n\(source.pixels.size.width)\n\(source.pixels.size.height)\n" + before.text
    )
    let fields = Set(result.changes.map(\.field.rawValue).filter { !$0.hasPrefix("thumbnail.") })
    #expect(
      fields.isSubset(of: [
        "exif.ifd0.orientation", "exif.exif.pixel-x-dimension", "exif.exif.pixel-y-dimension",
        "exif.ifd1.orientation", "exif.ifd1.thumbnail-length", "exif.segment-length",
        "exif.interoperability.related-image-width", "exif.interoperability.related-image-height",
      ])
    )
    // Undone, the changes give the source's block again.
    let container = try Container(result.bytes.span)
    let segment = try #require(container.segments(.exif, in: result.bytes.span).first)
    var block = Array(result.bytes[segment.payload].dropFirst(6))
    for change in result.changes.reversed() where change.field.rawValue.hasPrefix("exif.ifd0") {
      block.replaceSubrange(change.range, with: exif[change.range])
    }
    #expect(block.prefix(200) == exif.prefix(200))
  }

  @Test func `The thumbnail is transformed with the image`() throws {
    var source = Sample.photo(Sample.pixels(width: 320, height: 480))
    source.transform = .rotate90
    source.stored = PixelSize(width: 480, height: 320)
    source.exif = try Sample.exif("sample/portrait.jpg")
    let result = try Converter().file(of: source)
    let before = try ImageInfo(
      try exiftool(try Fixture.bytes("sample/portrait.jpg"), "-b", "-ThumbnailImage").output
    )
    let after = try ImageInfo(try exiftool(result.bytes, "-b", "-ThumbnailImage").output)
    #expect((after.width, after.height) == (before.height, before.width))
    let corner = zip(
      after.color(x: after.width - 4, y: 3),
      before.color(x: 3, y: 3)
    ).map { abs($0 - $1) }
    #expect(corner.allSatisfy { $0 < 12 })
  }

  @Test func `An Orientation that HEIF overrides is set to 1 with a note`() throws {
    var source = Sample.photo()
    source.exif = try Sample.exif("sample/portrait.jpg")
    let result = try Converter().file(of: source)
    #expect(result.notes.contains { $0.text.hasPrefix("Exif's Orientation 6 was ignored") })
    #expect(try exiftool(result.bytes, "-n", "-s3", "-Orientation").text == "1\n")
  }

  @Test func `Exif that does not fit into JPEG is a reason to skip a file`() throws {
    var source = Sample.photo()
    source.exif = try Sample.exif("sample/portrait.jpg") + [UInt8](repeating: 0, count: 65_000)
    #expect(try Converter().reason(toSkip: source) == "exif-unreadable")
    source.exif = Array("no TIFF".utf8)
    #expect(try Converter().reason(toSkip: source) == "exif-unreadable")
  }

  @Test(arguments: [100, 65_000, 70_000, 200_000])
  func `XMP of any length is read again`(padding: Int) throws {
    var source = Sample.photo()
    source.transform = .rotate180
    let text = String(repeating: "photo ", count: padding / 6)
    source.xmp = Array(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="3"
      xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:History="\(text)"/></rdf:RDF>
      </x:xmpmeta><?xpacket end="w"?>
      """.utf8
    )
    let result = try Converter().file(of: source)
    let read = try exiftool(
      result.bytes,
      "-n",
      "-s3",
      "-XMP-tiff:Orientation",
      "-XMP-photoshop:History"
    )
    #expect(
      read.text.split(separator: "\n").map { $0.trimmingSuffix(while: { $0 == " " }) }
        == ["1", text.trimmingSuffix(while: { $0 == " " })]
    )
    #expect(try exiftool(result.bytes, "-warning", "-s3", "-a").text.isEmpty)
  }

  @Test func `Extended XMP is named by its MD5`() {
    for (text, digest) in [
      ("", "D41D8CD98F00B204E9800998ECF8427E"), ("abc", "900150983CD24FB0D6963F7D28E17F72"),
    ] {
      #expect(MD5.digest(of: Array(text.utf8)).hexadecimal(uppercase: true) == digest)
    }
  }

  @Test(arguments: [132, 65_519, 65_520, 400_000])
  func `An ICC profile is kept byte for byte`(size: Int) throws {
    var generator = SeededGenerator(seed: 7)
    var profile = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    profile.replaceSubrange(0..<4, with: UInt32(size).bytes(.big))
    profile.replaceSubrange(36..<40, with: Array("acsp".utf8))
    var source = Sample.photo()
    source.color = .profile(profile)
    let result = try Converter().file(of: source)
    #expect(try exiftool(result.bytes, "-b", "-ICC_Profile").output == profile)
  }

  @Test func `An image that is too large for JPEG is an error`() throws {
    let pixels = Sample.pixels(width: 65_501, height: 1, .grayscale)
    #expect {
      try Converter().convert(Sample.photo(pixels))
    } throws: { ($0 as? UprightError)?.code == .limit }
  }
}

extension String {
  /// The text without the characters at its end that match.
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    Substring(self).trimmingSuffix(while: condition)
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, condition(last) { text.removeLast() }
    return String(text)
  }
}

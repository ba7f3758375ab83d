import Conversion
import Fixtures
import HEIFDecoder
import ImageOrientation
import Testing
import TurboTransform
import Upright

struct HEIFDecoderTests {
  /// The colors of an image's corners: red, green, blue or yellow.
  private func corners(_ image: ImageInfo) -> [Character] {
    let (right, bottom) = (image.width - 5, image.height - 5)
    return [(4, 4), (right, 4), (4, bottom), (right, bottom)].map { x, y in
      let known: [(Character, [Int])] = [
        ("R", [200, 60, 50]), ("G", [60, 170, 80]), ("B", [50, 70, 190]), ("Y", [220, 200, 90]),
      ]
      let color = image.color(x: x, y: y)
      return known.first { zip($0.1, color).allSatisfy { abs($0 - $1) < 16 } }?.0 ?? "?"
    }
  }

  /// The file `transformed` with other transformations and another Orientation in Exif; nil is none.
  private func file(rotation: Int, mirror: Int?, orientation: Int) throws -> [UInt8] {
    var file = try Fixture.bytes("heif/transformed.heic")
    func place(_ text: String) throws -> Int {
      try #require(file.firstRange(of: Array(text.utf8))).upperBound
    }
    file[try place("irot")] = UInt8(rotation)
    if let mirror {
      file[try place("imir")] = UInt8(mirror)
    } else {
      let start = try place("imir")
      file.replaceSubrange(start - 4..<start, with: Array("free".utf8))
    }
    let tag: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1]
    let value = try #require(file.firstRange(of: tag)).upperBound
    file[value + 1] = UInt8(orientation)
    return file
  }

  /// What HEIF says of the four corners: transformed counter-clockwise, then mirrored.
  private func expected(rotation: Int, mirror: Int?) -> [Character] {
    var corners: [Character] = ["R", "G", "B", "Y"]
    for _ in 0..<rotation { corners = [corners[1], corners[3], corners[0], corners[2]] }
    switch mirror {
    case 0: return [corners[2], corners[3], corners[0], corners[1]]
    case 1: return [corners[1], corners[0], corners[3], corners[2]]
    default: return corners
    }
  }

  @Test(arguments: 0..<4, [nil, 0, 1] as [Int?])
  func `An image is transformed once, whatever Exif says`(rotation: Int, mirror: Int?) throws {
    for orientation in Effort.part(Array(1...8), of: rotation + (mirror ?? 2)) {
      let source = try HEIFDecoder().decode(
        try file(rotation: rotation, mirror: mirror, orientation: orientation)
      )
      let result = try Converter().file(of: source)
      let shown = expected(rotation: rotation, mirror: mirror)
      #expect(corners(try ImageInfo(result.bytes)) == shown)
      // What is said of the transform is what was done.
      for (place, color) in zip([(0, 0), (1, 0), (0, 1), (1, 1)], "RGBY") {
        let end = source.transform.destination(column: place.0, row: place.1, columns: 2, rows: 2)
        #expect(shown[end.row * 2 + end.column] == color)
      }
      let read = try exiftool(
        result.bytes,
        "-n",
        "-s3",
        "-Orientation",
        "-ExifImageWidth",
        "-ExifImageHeight",
        "-XMP-tiff:Orientation"
      )
      let size = result.size
      #expect(read.text == "1\n\(size.width)\n\(size.height)\n1\n")
      #expect(size.width == (rotation % 2 == 0 ? 96 : 64))
    }
  }

  @Test func `The converter for programs does what the command does`() throws {
    let file = try Fixture.bytes("heif/gain-map.heic")
    guard case .converted(let result) = try HEIFConverter().convert(file) else {
      throw Tool.Failure("the fixture is not converted")
    }
    let expected = try Converter().file(of: HEIFDecoder().decode(file))
    #expect(expected.bytes == result.bytes && expected.changes == result.changes)
    #expect(result.losses.map(\.identifier) == ["gain-map", "matte", "auxiliary-image"])
    var options = Options()
    options.maxPixels = 100
    let error = #expect(throws: UprightError.self) {
      try HEIFConverter(options: options).convert(file)
    }
    #expect(error?.code == .limit)
  }

  @Test func `Maker note, position and profile are the source's`() throws {
    let file = try Fixture.bytes("heif/transformed.heic")
    let result = try Converter().file(of: try HEIFDecoder().decode(file))
    let scratch = try Scratch()
    let profile = try Tool.run(
      "exiftool",
      ["-b", "-ICC_Profile", try scratch.write(file, to: "a.heic")]
    ).output
    #expect(try exiftool(result.bytes, "-b", "-ICC_Profile").output == profile)
    #expect(profile.count == 132)
    let note = Array("Maker\0".utf8) + [1, 2, 3, 4] + Array(" keeps its bytes ".utf8)
    #expect(result.bytes.firstRange(of: note + [0xFF, 0xD8, 0xFF]) != nil)
    #expect(
      result.changes.map(\.field.rawValue) == [
        "exif.ifd0.orientation", "exif.exif.pixel-x-dimension", "exif.exif.pixel-y-dimension",
        "xmp.tiff.Orientation",
      ]
    )
    #expect(
      try exiftool(result.bytes, "-s3", "-GPS:GPSLatitude").text == "48 deg 8' 14.00\"\n"
    )
  }

  @Test(arguments: [
    ("plain", 96, 64), ("cropped", 40, 60), ("grid", 120, 180), ("odd", 67, 97), ("4-2-2", 64, 96),
    ("4-4-4", 96, 64), ("ten-bits", 96, 64), ("gain-map", 96, 64),
  ])
  func `The image is of the size and the colors that the file shows`(
    name: String,
    width: Int,
    height: Int
  ) throws {
    let source = try HEIFDecoder().decode(try Fixture.bytes("heif/\(name).heic"))
    let image = try ImageInfo(try Converter().file(of: source).bytes)
    #expect((image.width, image.height) == (width, height))
    let shown: [Character] =
      switch name {
      case "cropped", "4-2-2", "odd": ["B", "R", "Y", "G"]
      case "grid": ["G", "Y", "R", "B"]
      default: ["R", "G", "B", "Y"]
      }
    #expect(corners(image) == shown)
  }

  @Test func `A gray image stays gray`() throws {
    let source = try HEIFDecoder().decode(try Fixture.bytes("heif/grayscale.heic"))
    #expect(source.pixels.sampling == .grayscale)
    #expect(try ImageInfo(try Converter().file(of: source).bytes).depth == 1)
  }

  @Test(
    arguments: [
      ("plain", []), ("gain-map", [.gainMap, .matte, .auxiliaryImage]), ("depth", [.depthMap]),
      ("alpha", [.alpha]), ("two-images", [.otherImages]), ("ten-bits", [.precision]),
      ("after", [.video, .contentCredentials]),
    ] as [(String, [Loss.Kind])]
  )
  func `Contents that JPEG cannot hold are reported`(name: String, losses: [Loss.Kind]) throws {
    let source = try HEIFDecoder().decode(try Fixture.bytes("heif/\(name).heic"))
    #expect(Set(source.losses.map(\.kind)) == Set(losses))
  }

  @Test func `A gain map of a tone-mapped image is reported as lost`() throws {
    let image = try HEIFSample.image()
    let map = HEIFSample.Item("tmap", [0], [HEIFSample.ispe(96, 64)]).referring("dimg", 1, 2)
    let source = try HEIFDecoder().decode(HEIFSample(image, image, map).bytes)
    #expect(source.losses.first?.text == "the gain map for high dynamic range (tmap)")
  }

  @Test func `The colors are those of the file's code points`() throws {
    let source = try HEIFDecoder().decode(try Fixture.bytes("heif/display-p3.heic"))
    #expect(source.color == .codePoints(ColorCodePoints(primaries: 12, transfer: 13)))
    let wide = try HEIFDecoder().decode(try Fixture.bytes("heif/high-dynamic-range.heic"))
    #expect(try Converter().reason(toSkip: wide) == "high-dynamic-range")
  }

  @Test func `An image of too many pixels is refused before decoding`() throws {
    #expect {
      try HEIFDecoder().decode(try Fixture.bytes("heif/huge.heic"))
    } throws: { ($0 as? UprightError)?.code == .limit }
    var decoder = HEIFDecoder()
    decoder.maxPixels = 96 * 64 - 1
    #expect(throws: UprightError.self) {
      try decoder.decode(try Fixture.bytes("heif/plain.heic"))
    }
  }

  @Test(arguments: [("bad/text.jpg", "not-heif"), ("sample/portrait.jpg", "not-heif")])
  func `Other formats are refused with an error code`(fixture: String, code: String) throws {
    #expect {
      try HEIFDecoder().decode(try Fixture.bytes(fixture))
    } throws: { ($0 as? UprightError)?.code.rawValue == code }
    #expect { try HEIFDecoder().decode([]) } throws: { ($0 as? UprightError)?.code == .empty }
  }

  @Test func `A truncated file is an error`() throws {
    let file = try Fixture.bytes("heif/transformed.heic")
    for count in stride(from: 0, to: file.count - 24, by: 7) {
      #expect(throws: UprightError.self) { try HEIFDecoder().decode(Array(file.prefix(count))) }
    }
  }

  @Test func `Damaged files are errors or images`() throws {
    var generator = SeededGenerator(seed: 3)
    let files = try ["transformed", "grid", "gain-map"].map { try Fixture.bytes("heif/\($0).heic") }
    for _ in 0..<300 {
      for file in files {
        guard let source = try? HEIFDecoder().decode(file.damaged(using: &generator)),
          source.pixels.size.width * source.pixels.size.height < 1 << 20
        else { continue }
        _ = try? Converter().convert(source)
      }
    }
  }
}

import Fixtures
import ISOBMFF
import ImageOrientation
import Testing

struct DecodingCheckTests {
  private func tiles(_ count: Int) throws -> [HEIFSample.Item] {
    let tile = try HEIFSample.image()
    return [HEIFSample.Item](repeating: tile, count: count)
  }

  /// Checks that a file is refused with a message.
  private func expect(
    _ sample: HEIFSample,
    _ kind: FormatError.Kind,
    _ message: String,
    maxPixels: Int = 1 << 29,
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: FormatError.self, sourceLocation: location) {
      try form(sample.bytes, maxPixels: maxPixels)
    }
    #expect(error?.kind == kind, sourceLocation: location)
    #expect(error?.message.contains(message) == true, "\(error as Any)", sourceLocation: location)
  }

  @Test(
    arguments: [
      ("plain", 96, 64, .none, .halved), ("transformed", 64, 96, .transpose, .halved),
      ("cropped", 40, 60, .rotate90, .halved), ("grid", 120, 180, .rotate270, .halved),
      ("odd", 67, 97, .rotate90, .halved), ("4-2-2", 64, 96, .rotate90, .halvedWidth),
      ("4-4-4", 96, 64, .none, .full), ("grayscale", 96, 64, .none, .monochrome),
      ("ten-bits", 96, 64, .none, .halved), ("alpha", 96, 64, .none, .halved),
    ] as [(String, Int, Int, OrientationTransform, CodedItem.ChromaFormat)]
  )
  func `Size, transform and sampling are those of the file`(
    name: String,
    width: Int,
    height: Int,
    transform: OrientationTransform,
    chroma: CodedItem.ChromaFormat
  ) throws {
    let form = try form(try heif(name))
    #expect((form.transforms.width, form.transforms.height) == (width, height))
    #expect(form.transforms.orientation == transform && form.chroma == chroma)
    #expect(form.bitDepth == (name == "ten-bits" ? 10 : 8))
    #expect(form.transforms.isCropped == ["cropped", "odd"].contains(name))
  }

  @Test func `The parts of an image are chosen until their contents have too many bytes`() throws {
    let tile = try HEIFSample.image()
    let grid = HEIFSample.grid(2, 2, 180, 120, [2, 3, 4, 5])
    let file = HEIFSample(items: [grid] + Array(repeating: tile, count: 4)).bytes
    let directory = try MediaFile(file.span).directory
    #expect(directory.imageParts.count == 5)
    let whole = grid.data.count + 4 * tile.data.count
    #expect(directory.imageParts(maxBytes: whole).count == 5)
    #expect(directory.imageParts(maxBytes: whole - 1).count == 4)
    #expect(directory.imageParts(maxBytes: whole) { $0.isDerived }.map(\.type) == ["grid"])
  }

  @Test func `A grid must be covered by its tiles`() throws {
    let tiles = try tiles(4)
    func grid(_ width: Int, _ height: Int, _ list: [Int] = [2, 3, 4, 5]) -> HEIFSample {
      HEIFSample(items: [HEIFSample.grid(2, 2, width, height, list)] + tiles)
    }
    let whole = try form(grid(192, 128).bytes)
    #expect((whole.storedWidth, whole.storedHeight) == (192, 128))
    #expect(whole.codedPixels == 4 * 96 * 64)
    expect(grid(194, 128), .malformed, "2×2 tiles of 96×64 pixels do not cover 194×128")
    expect(grid(192, 130), .malformed, "do not cover")
    expect(grid(96, 128), .malformed, "tiles outside the image")
    expect(grid(192, 128, [2, 3, 4]), .malformed, "it has 3 tiles instead of 2×2")
    expect(grid(192, 128, [2, 3, 4, 9]), .malformed, "item 9 is missing")
    var other = grid(192, 128)
    other.items[0].properties = [HEIFSample.ispe(400, 400)]
    expect(other, .malformed, "ispe gives 400×400 pixels instead of 192×128")
  }

  @Test func `Tiles must have the size that their coding gives, and the same coding`() throws {
    var sample = HEIFSample(
      items: [HEIFSample.grid(2, 2, 192, 128, [2, 3, 4, 5])] + (try tiles(4))
    )
    sample.items[3].properties[1] = HEIFSample.ispe(192, 128)
    expect(sample, .malformed, "item 4 is coded with 96×64 pixels, but ispe gives 192×128")
    sample.items[3].properties.remove(at: 1)
    expect(sample, .malformed, "item 4, of type hvc1, has 0 properties ispe instead of one")
    let coded = try HEIFSample.coded("4-4-4")
    sample.items[3] = HEIFSample.Item(
      "hvc1",
      coded.data,
      [coded.configuration, HEIFSample.ispe(96, 64)]
    )
    expect(sample, .malformed, "its tiles differ in size or coding")
    sample.items[3] = try HEIFSample.image().with(HEIFSample.irot(1))
    expect(sample, .malformed, "its tiles differ in size or coding")
    sample.items[3] = try HEIFSample.image().with(HEIFSample.clap(96, 64))
    expect(sample, .unsupported, "images with a crop")
  }

  @Test func `An overlay has its images inside`() throws {
    func overlay(_ x: Int, _ y: Int) throws -> HEIFSample {
      HEIFSample(HEIFSample.overlay(200, 100, [(2, x, y)]), try HEIFSample.image())
    }
    #expect(try form(overlay(104, 36).bytes).storedWidth == 200)
    for (x, y) in [(105, 0), (0, 37), (-50, 0), (0, -1), (-32_768, 0)] {
      expect(try overlay(x, y), .malformed, "an image is not within the canvas")
    }
    var sample = try overlay(0, 0)
    sample.items[0].data.removeLast()
    expect(sample, .malformed, "a box ends within its fields")
  }

  @Test func `No item consists of itself`() throws {
    let size = HEIFSample.ispe(96, 64)
    let identity = HEIFSample.Item("iden", [], [size])
    expect(HEIFSample(identity.referring("dimg", 1)), .malformed, "refers to itself")
    expect(
      HEIFSample(identity.referring("dimg", 2), identity.referring("dimg", 1)),
      .malformed,
      "refers to itself"
    )
    expect(HEIFSample(HEIFSample.grid(1, 1, 96, 64, [1])), .malformed, "refers to itself")
    expect(HEIFSample(HEIFSample.overlay(96, 64, [(1, 0, 0)])), .malformed, "refers to itself")
    // A decoder may follow the references of an item that is not displayed, too.
    expect(
      HEIFSample(try HEIFSample.image(), identity.referring("dimg", 2)),
      .malformed,
      "refers to itself"
    )
    let alpha = HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:1")
    expect(
      HEIFSample(
        try HEIFSample.image(),
        identity.with(alpha).referring("auxl", 1).referring("dimg", 1)
      ),
      .malformed,
      "item 1 consists of itself"
    )
    let chain = (1...20).map { identity.referring("dimg", $0 + 1) }
    expect(
      HEIFSample(items: chain + [try HEIFSample.image()]),
      .limit,
      "more than 8 items refer to each other"
    )
  }

  @Test func `The transparency has the size of its image`() throws {
    let name = HEIFSample.auxiliary("urn:mpeg:hevc:2015:auxid:1")
    let alpha = try HEIFSample.image().with(name).referring("auxl", 1)
    #expect(throws: Never.self) { try form(HEIFSample(HEIFSample.image(), alpha).bytes) }
    expect(
      HEIFSample(try HEIFSample.image().with(HEIFSample.irot(1)), alpha),
      .malformed,
      "item 2, the transparency of item 1, has another size"
    )
    expect(HEIFSample(try HEIFSample.image(), alpha, alpha), .malformed, "more than one")
  }

  @Test func `The limit of pixels is held against the coded images`() throws {
    let pixels = 96 * 64
    let image = HEIFSample(try HEIFSample.image())
    #expect(throws: Never.self) { try form(image.bytes, maxPixels: pixels) }
    expect(image, .limit, "6144 pixels, more than the limit of 6143", maxPixels: pixels - 1)
    expect(
      HEIFSample(try HEIFSample.image(16, 16)),
      .malformed,
      "item 1 is coded with 96×64 pixels, but ispe gives 16×16"
    )
    // The same tile 4 times.
    let grid = HEIFSample(HEIFSample.grid(2, 2, 192, 128, [2, 2, 2, 2]), try HEIFSample.image())
    #expect(try form(grid.bytes, maxPixels: 4 * pixels).codedPixels == 4 * pixels)
    expect(grid, .limit, "24576 pixels", maxPixels: 4 * pixels - 1)
    let large = HEIFSample.grid(
      65,
      65,
      65 * 96,
      65 * 64,
      [Int](repeating: 2, count: 65 * 65)
    )
    expect(HEIFSample(large, try HEIFSample.image()), .limit, "more than 4096 coded images")
  }

  @Test func `A crop is within the image, and transforms are few`() throws {
    func cropped(_ width: Int, _ height: Int, offset: Int = 0) throws -> HEIFSample {
      HEIFSample(try HEIFSample.image().with(HEIFSample.clap(width, height, offset: offset)))
    }
    #expect(try form(cropped(40, 30).bytes).transforms.width == 40)
    for (width, height, offset) in [(98, 64, 0), (96, 66, 0), (40, 30, 40), (0, 30, 0), (-4, 4, 0)]
    {
      expect(try cropped(width, height, offset: offset), .malformed, "is not within its image")
    }
    var sample = HEIFSample(try HEIFSample.image())
    for _ in 0..<9 { sample.items[0] = sample.items[0].with(HEIFSample.irot(1)) }
    expect(sample, .limit, "more than 8 transforms")
  }

  @Test func `An item has one coded image, and headers that agree`() throws {
    var sample = HEIFSample(try HEIFSample.image())
    sample.items[0].data += sample.items[0].data
    expect(sample, .malformed, "an HEVC item has 2 coded images instead of one")
    sample.items[0].data = Array(sample.items[0].data.dropLast(1))
    expect(sample, .malformed, "a unit of an HEVC image ends after the image")
    // The parameter set of an image with another size, in the coded data.
    let other = try HEIFSample.coded("4-2-2").configuration
    let start = try #require(
      other.firstRange(of: [0x21, 0, 1] as [UInt8])?.upperBound
        ?? other.firstRange(of: [0xA1, 0, 1] as [UInt8])?.upperBound
    )
    let length = Int(other[start]) << 8 | Int(other[start + 1])
    let unit = Array(other[start + 2..<start + 2 + length])
    sample = HEIFSample(try HEIFSample.image())
    sample.items[0].data = HEIFSample.number(length, 4) + unit + sample.items[0].data
    // Decoders use one or the other.
    expect(sample, .unsupported, "has headers of different sizes")
  }

  @Test func `An image of an unknown kind is not supported`() throws {
    let item = HEIFSample.Item("unci", [0], [HEIFSample.ispe(8, 8)])
    expect(HEIFSample(item), .unsupported, "item 1 is an image of type unci")
  }
}

import Fixtures
import ISOBMFF
import ImageOrientation
import Testing

/// The bytes of a HEIF fixture.
func heif(_ name: String) throws -> [UInt8] { try Fixture.bytes("heif/\(name).heic") }

/// What is shown of a file's primary image.
func form(_ file: [UInt8], maxPixels: Int = 1 << 29) throws(FormatError) -> ImageForm {
  try DecodingCheck(maxPixels: maxPixels).primaryImage(of: MediaFile(file.span), file.span)
}

private func media(_ file: [UInt8]) throws(FormatError) -> MediaFile { try MediaFile(file.span) }

private func hasCredentials(_ file: [UInt8]) throws -> Bool {
  try media(file).hasContentCredentials(file.span)
}

private func isHEIF(_ file: [UInt8]) -> Bool { MediaFile.isHEIF(file.span) }

private func content(of item: Int, _ file: [UInt8]) throws -> [UInt8] {
  let directory = try media(file).directory
  return try directory.content(of: try directory.item(item), file.span)
}

struct MediaFileTests {
  @Test func `The items are listed with types, properties and references`() throws {
    let directory = try media(try heif("transformed")).directory
    #expect(directory.primary == 1 && directory.order == [1, 2, 3])
    let items = try directory.order.map { try directory.item($0) }
    #expect(items.map(\.type.description) == ["hvc1", "Exif", "mime"])
    #expect(items.map(\.isHidden) == [false, true, true])
    #expect(items.map(\.contentType) == ["", "", "application/rdf+xml"])
    #expect(
      items[0].properties.map(\.type.description) == ["hvcC", "ispe", "irot", "imir", "colr"]
    )
    #expect(items[1].targets("cdsc") == [1] && items[1].targets("dimg") == [])
    let grid = try media(try heif("grid")).directory
    #expect(try grid.item(1).targets("dimg") == [2, 3, 4, 5])
  }

  @Test func `The content of an item is found`() throws {
    let packet = try content(of: 3, try heif("transformed"))
    #expect(String(decoding: packet, as: UTF8.self).hasSuffix("<?xpacket end=\"w\"?>"))
  }

  @Test func `Extents without fields are at most one for each item`() throws {
    func file(_ items: Int, extents: Int) -> [UInt8] {
      let number = HEIFSample.number
      var places = number(items, 2)
      for item in 1...items { places += number(item, 2) + number(0, 2) + number(extents, 2) }
      let item = number(1, 2) + [0, 0] + Array("hvc1\0".utf8)
      return HEIFSample.box("ftyp", Array("heic\0\0\0\0mif1heic".utf8))
        + HEIFSample.fullBox(
          "meta",
          HEIFSample.fullBox("pitm", number(1, 2)),
          HEIFSample.fullBox("iloc", [0, 0], places),
          HEIFSample.fullBox("iinf", number(1, 2), HEIFSample.fullBox("infe", version: 2, item)),
          HEIFSample.box("iprp", HEIFSample.box("ipco"))
        )
    }
    #expect(try media(file(2, extents: 1)).directory.order == [1])
    let error = #expect(throws: FormatError.self) { try media(file(200, extents: 0xFFFF)) }
    #expect(error?.kind == .malformed)
  }

  @Test func `An item may have many empty lists of images, and one that is not empty`() throws {
    func file(_ lists: [[Int]]) throws -> [UInt8] {
      var image = try HEIFSample.image()
      for list in lists { image.references.append(("dimg", list)) }
      return HEIFSample(image).bytes
    }
    let many = try file(Array(repeating: [], count: 40_000))
    let start = ContinuousClock.now
    #expect(try media(many).directory.item(1).references.count == 40_000)
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(try media(file([[], [1]])).directory.item(1).targets("dimg") == [1])
    for lists in [[[1], []], [[1], [], [1]]] as [[[Int]]] {
      let twice = try file(lists)
      #expect(throws: FormatError.self) { try media(twice) }
    }
  }

  @Test func `Contents after the images are found`() throws {
    let found = try media(try heif("after"))
    #expect(found.hasMotionPhoto && !found.hasMovie)
    #expect(try hasCredentials(try heif("after")))
    let none = try media(try heif("plain"))
    #expect(!none.hasMotionPhoto)
    #expect(try !hasCredentials(try heif("plain")))
  }

  @Test func `HEIF files are recognized by their brands`() throws {
    #expect(isHEIF(try heif("plain")))
    #expect(isHEIF(Array(try heif("plain").prefix(24))))
    #expect(!isHEIF(try Fixture.bytes("sample/portrait.jpg")))
    #expect(!isHEIF(Array("\0\0\0\u{18}ftypisom\0\0\u{2}\0isommp42moov".utf8)))
    #expect(!isHEIF([]))
  }

  @Test(arguments: ["grid", "after"])
  func `Every truncation is an error, in the boxes after the images, too`(name: String) throws {
    let file = try heif(name)
    // A file that ends between two boxes is whole.
    let ends = try media(file).boxes.map(\.range.upperBound)
    for count in file.indices.dropFirst() where !ends.contains(count) {
      let error = #expect(throws: FormatError.self) {
        try media(Array(file.prefix(count)))
      }
      #expect(error?.kind == .truncated)
    }
  }

  @Test func `Damaged files can be read`() throws {
    var generator = SeededGenerator(seed: 11)
    let files = try ["grid", "transformed", "gain-map"].map(heif)
    for _ in 0..<3_000 {
      for file in files { _ = try? form(file.damaged(using: &generator)) }
    }
  }

  @Test(arguments: ["pitm", "iloc", "iinf", "iref"])
  func `A second box of the same kind is refused`(type: String) throws {
    var file = try heif("grid")
    // The handler, which is before the other boxes, becomes a second one.
    let place = try #require(file.firstRange(of: Array("hdlr".utf8)))
    file.replaceSubrange(place, with: Array(type.utf8))
    let error = #expect(throws: FormatError.self) { try media(file) }
    #expect(error?.message == "there is more than one box \(type)")
  }
}

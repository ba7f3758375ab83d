import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

private let fixtures = Fixture.all.filter {
  $0.path.hasPrefix("thumbnail/") && $0.expect == .lossless
}

/// The thumbnail of IFD1, as exiftool extracts it.
private func thumbnail(_ bytes: [UInt8]) throws -> [UInt8] {
  try ExifTool.data("IFD1:ThumbnailImage", bytes)
}

@Suite(.requiresExifTool)
struct ThumbnailFixtureTests {
  @Test(arguments: fixtures)
  func `Whatever the thumbnail is, the image is transformed and the rest is kept`(
    fixture: Fixture
  ) throws {
    let file = try TransformedFile(fixture.path)
    #expect(file.changesOnlyWhatItLists)
    #expect(try isTransformed(file.original, file.bytes, fixture.transform))
    #expect(try ExifTool.warnings(file.bytes) == ExifTool.warnings(file.original))
  }

  @Test(arguments: [
    "aligned", "progressive", "own-orientation", "in-the-middle", "longer", "longer-in-the-middle",
  ])
  func `A thumbnail is transformed as jpegtran transforms it`(name: String) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    #expect(try isTransformed(thumbnail(file.original), thumbnail(file.bytes), "rotate-90"))
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.transformed])
    let orientation = try ExifTool(file.bytes).values["IFD1:Orientation"]
    #expect(orientation == (name == "own-orientation" ? ["1"] : nil))
  }

  @Test(arguments: ["unaligned", "too-small"])
  func `A thumbnail with a partial edge is re-encoded, and reported`(name: String) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    let (old, new) = (try thumbnail(file.original), try thumbnail(file.bytes))
    #expect(try Pixels.psnr(of: new, to: old, .rotate90) > 28)
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.reencoded])
  }

  @Test(arguments: ["aligned", "unaligned", "progressive", "own-orientation", "in-the-middle"])
  func `A thumbnail that does not become longer stays in place`(name: String) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    #expect(file.growth { $0.field.rawValue.hasPrefix("thumbnail.") } == 0)
    #expect(try thumbnail(file.bytes).count == thumbnail(file.original).count)
  }

  @Test(arguments: ["in-the-middle", "longer-in-the-middle"])
  func `Data after the thumbnail does not move`(name: String) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    let data = Array("what a private field of IFD0 points to".utf8)
    let place = try #require(file.original.firstRange(of: data))
    #expect(file.bytes.firstRange(of: data) == place)
  }

  @Test func `A thumbnail that no longer fits moves to the end of the Exif block`() throws {
    let file = try TransformedFile("thumbnail/longer-in-the-middle.jpg")
    let (before, after) = (try ExifTool(file.original), try ExifTool(file.bytes))
    let offset = try #require(after.number("IFD1:ThumbnailOffset"))
    let length = try #require(after.number("IFD1:ThumbnailLength"))
    let oldLength = try #require(before.number("IFD1:ThumbnailLength"))
    #expect(length > oldLength)
    #expect(file.growth { $0.field.rawValue.hasPrefix("thumbnail.") } == length)
    // The thumbnail ends where the next segment, DQT, begins.
    #expect(file.bytes[(offset + length)...].starts(with: [0xFF, 0xDB]))
  }

  @Test(arguments: ["broken", "without-eoi", "ycbcr", "longer-no-room"])
  func `A thumbnail that cannot be transformed is kept and reported`(name: String) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    #expect(try thumbnail(file.bytes) == thumbnail(file.original))
    #expect(!file.fields.contains { $0.hasPrefix("thumbnail.") || $0.contains("ifd1") })
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.stale])
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("thumbnail") })
  }

  @Test func `A thumbnail whose length ends after the Exif block is transformed`() throws {
    let file = try TransformedFile("thumbnail/ends-after-block.jpg")
    func stream(_ bytes: [UInt8]) throws -> [UInt8] {
      let exif = try #require(ImageFile(bytes).exif.first)
      return Array(exif[try #require(exif.firstRange(of: [0xFF, 0xD8])).lowerBound...])
    }
    #expect(try isTransformed(stream(file.original), stream(file.bytes), "rotate-90"))
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.transformed])
    #expect(file.changesOnlyWhatItLists)
  }

  @Test(arguments: [
    ("outside", "IFD1 gives a thumbnail of 920 bytes at offset 60000")
  ])
  func `A thumbnail that cannot be transformed is always reported`(
    name: String,
    note: String
  ) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    #expect(file.rewrite.plan.notes.contains { $0.text.hasPrefix(note) })
    #expect(!file.rewrite.changes.contains { $0.field.rawValue.hasPrefix("thumbnail") })
  }

  @Test func `A thumbnail of which the last byte is missing is transformed as readers show it`()
    throws
  {
    let file = try TransformedFile("thumbnail/cut-by-a-byte.jpg")
    let offset = try #require(ExifTool(file.original).number("IFD1:ThumbnailOffset"))
    let segments = try Container(file.original.span).segments(.exif, in: file.original.span)
    let end = try #require(segments.first).payload.upperBound
    let stream = Array(file.original[offset..<end]) + [0xD9]
    #expect(try isTransformed(stream, thumbnail(file.bytes), "rotate-90"))
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.transformed])
    #expect(file.changesOnlyWhatItLists)
  }

  @Test(arguments: ["jfxx", "photoshop"])
  func `A thumbnail outside of Exif is kept and reported`(name: String) throws {
    let file = try TransformedFile("thumbnail/\(name).jpg")
    #expect(file.rewrite.plan.notes.contains { $0.text.lowercased().contains(name) })
    let marker: [UInt8] = [0xFF, name == "jfxx" ? 0xE0 : 0xED]
    let start = try #require(file.original.firstRange(of: marker)).lowerBound
    let length = Int(file.original[start + 2]) << 8 | Int(file.original[start + 3])
    #expect(length > 500)
    #expect(file.bytes[start...].prefix(length + 2) == file.original[start...].prefix(length + 2))
  }

  @Test func `A thumbnail that is already upright stays so if the tag is trusted`() throws {
    let file = try TransformedFile("thumbnail/upright.jpg") { $0.onConflict = .trustTag }
    #expect(try isTransformed(file.original, file.bytes, "rotate-90"))
    #expect(try thumbnail(file.bytes) == thumbnail(file.original))
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.kept])
  }

  @Test
  func `A thumbnail is assumed to be stored like its image, whatever its own Orientation`()
    throws
  {
    let file = try TransformedFile("thumbnail/own-orientation-differs.jpg")
    #expect(try ExifTool(file.original).values["IFD1:Orientation"] == ["1"])
    #expect(try isTransformed(thumbnail(file.original), thumbnail(file.bytes), "rotate-180"))
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == [.transformed])
    #expect(try ExifTool(file.bytes).values["IFD1:Orientation"] == ["1"])
  }

  @Test func `The pixels of an uncompressed thumbnail are transformed`() throws {
    let file = try TransformedFile("thumbnail/rgb.jpg")
    let (before, after) = (try ExifTool(file.original), try ExifTool(file.bytes))
    #expect(after.number("IFD1:ImageWidth") == 16)
    #expect(after.number("IFD1:ImageHeight") == 24)
    #expect(after.number("IFD1:RowsPerStrip") == 24)
    let start = try #require(before.number("IFD1:StripOffsets"))
    #expect(after.number("IFD1:StripOffsets") == start)
    #expect(after.number("IFD1:StripByteCounts") == 24 * 16 * 3)
    // Clockwise: the new column x is the old row 15 - x, and the new row y the old column y.
    for y in 0..<24 {
      for x in 0..<16 {
        let (new, old) = (start + (y * 16 + x) * 3, start + ((15 - x) * 24 + y) * 3)
        #expect(file.bytes[new..<new + 3] == file.original[old..<old + 3])
      }
    }
  }
}

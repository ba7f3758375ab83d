import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// What belongs to an image follows a crop.
///
/// The fixtures are 96 by 64 with Orientation 6: upright 64 by 96.
@Suite(.requiresExifTool)
struct CropContentTests {
  /// In the middle of the upright image, at MCUs, and at MCUs of a gain map of half the size.
  private static let middle = PixelRectangle(x: 16, y: 16, width: 32, height: 48)
  /// Ends within a pixel of a gain map of half the size.
  private static let odd = PixelRectangle(x: 16, y: 16, width: 33, height: 48)

  private func crop(_ path: String, _ rectangle: PixelRectangle) throws -> CroppedFile {
    let file = try #require(try CroppedFile(try Fixture.bytes(path), rectangle))
    #expect(try file.complaints() == [])
    return file
  }

  @Test(arguments: [
    "aligned", "unaligned", "progressive", "in-the-middle", "longer", "longer-in-the-middle",
    "longer-no-room", "own-orientation", "own-orientation-differs", "without-eoi", "upright",
  ])
  func `The thumbnail is regenerated in its place, and shows nothing else`(name: String) throws {
    let rectangle =
      name == "own-orientation-differs"
      ? PixelRectangle(x: 16, y: 16, width: 48, height: 32) : Self.middle
    let file = try crop("thumbnail/\(name).jpg", rectangle)
    let image = try #require(file.rewrite.plan.embeddedImages.first { $0.role == .thumbnail })
    #expect(image.disposition == .regenerated)
    #expect(
      image.range.count
        == file.rewrite.changes.first { $0.field.rawValue == "thumbnail" }?
        .replacement.count
    )
    let small = try Pixels(try ExifTool.data("ThumbnailImage", file.result.bytes))
    #expect((small.width, small.height) == (file.crop.result.width, file.crop.result.height))
    let psnr = try #require(small.psnr(to: try Pixels(file.result.bytes)))
    #expect(psnr > 20)
    #expect(leavesNothing(of: image.range, file))
    #expect(try ExifTool.warnings(file.result.bytes) == ExifTool.warnings(file.original.bytes))
  }

  /// Whether none of the longer pieces of some bytes, such as those of a thumbnail's scan, are in the new file.
  private func leavesNothing(of range: Range<Int>, _ file: CroppedFile) -> Bool {
    let old = file.original.bytes[range]
    // The tables at the beginning are the same in many files.
    return stride(from: old.startIndex + old.count * 3 / 4, to: old.endIndex - 24, by: 12)
      .allSatisfy { file.result.bytes.firstRange(of: old[$0..<$0 + 24]) == nil }
  }

  @Test func `A thumbnail in the JFIF segment is removed by a crop, and otherwise noted`() throws {
    let pixels = Array(100..<148 as Range<UInt8>)
    let payload = Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 4, 4] + pixels
    let bytes = try inserting(.app(0), payload, into: "orientation/aligned-6.jpg")
    let file = try #require(try CroppedFile(bytes, Self.middle))
    #expect(try file.complaints() == [])
    #expect(file.result.bytes.firstRange(of: pixels) == nil)
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("outside of Exif is removed") })
    let rotated = try Rewriter().rewrite(bytes).rewritten()
    #expect(rotated.bytes.firstRange(of: pixels) != nil)
    #expect(rotated.plan.notes.contains { $0.text.contains("in the JFIF segment is kept") })
  }

  @Test func `A thumbnail of a large image is small, and has its shape`() throws {
    let rectangle = PixelRectangle(x: 32, y: 64, width: 256, height: 192)
    let file = try crop("sample/portrait.jpg", rectangle)
    let small = try Pixels(try ExifTool.data("ThumbnailImage", file.result.bytes))
    #expect((small.width, small.height) == (160, 120))
  }

  @Test func `An uncompressed thumbnail is regenerated, too`() throws {
    let file = try crop("thumbnail/rgb.jpg", Self.middle)
    let tags = try ExifTool(file.result.bytes)
    let size = ["ImageWidth", "ImageHeight", "RowsPerStrip", "StripByteCounts"].map {
      tags.number("IFD1:\($0)")
    }
    #expect(size == [16, 24, 24, 16 * 24 * 3])
    let range = try #require(file.rewrite.plan.embeddedImages.first).range
    let full = try Pixels(file.result.bytes)
    let small = Array(file.result.bytes[range])
    // Each pixel is the mean of four.
    for (x, y) in [(0, 0), (15, 23), (7, 11)] {
      for sample in 0..<3 {
        let mean =
          [(0, 0), (0, 1), (1, 0), (1, 1)].reduce(0) { sum, place in
            sum + Int(full.samples[((2 * y + place.0) * 32 + 2 * x + place.1) * 3 + sample])
          } / 4
        #expect(abs(Int(small[(y * 16 + x) * 3 + sample]) - mean) <= 2)
      }
    }
  }

  @Test(arguments: ["too-small", "broken", "ycbcr"])
  func `A thumbnail that cannot be regenerated is removed`(name: String) throws {
    let file = try crop("thumbnail/\(name).jpg", Self.middle)
    let image = try #require(file.rewrite.plan.embeddedImages.first)
    #expect(image.disposition == .removed)
    #expect(file.result.bytes[image.range].allSatisfy { $0 == 0 })
    #expect(try ExifTool(file.result.bytes).values.keys.allSatisfy { !$0.hasPrefix("IFD1:") })
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("thumbnail") })
  }

  @Test(arguments: [("jfxx", "JFIF:ThumbnailTIFF"), ("photoshop", "Photoshop:PhotoshopThumbnail")])
  func `Thumbnails outside of Exif are removed`(name: String, tag: String) throws {
    let file = try crop("thumbnail/\(name).jpg", Self.middle)
    #expect(try ExifTool.data("PhotoshopThumbnail", file.result.bytes).isEmpty)
    #expect(file.result.container.segments(.jfifExtension, in: file.result.bytes.span).isEmpty)
    #expect(try ExifTool.warnings(file.result.bytes) == ExifTool.warnings(file.original.bytes))
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("thumbnail outside of Exif") })
  }

  @Test(arguments: ["gain-map-ii", "gain-map-mm", "gain-map-own-exif", "iso-21496", "depth"])
  func `A gain map is cropped with its image`(name: String) throws {
    let file = try crop("multi-picture/\(name).jpg", Self.middle)
    let tied: [EmbeddedImage.Role] = [.gainMap, .depthMap]
    let map = try #require(file.rewrite.plan.embeddedImages.first { tied.contains($0.role) })
    #expect(map.disposition == .transformed)
    let rest = Array(file.result.bytes[file.result.container.end...])
    let start = try #require(rest.firstRange(of: [0xFF, 0xD8, 0xFF])).lowerBound
    let end = try Container(rest.span, at: start).end
    let transformed = try Tool.jpegtran(
      Array(file.original.bytes[map.range]),
      ["-perfect", "-rotate", "90"]
    )
    let expected = try Tool.jpegtran(transformed, ["-crop", "16x24+8+8"])
    #expect(try Tool.djpeg(Array(rest[start..<end])) == Tool.djpeg(expected))
    let (old, new) = (try ExifTool(file.original.bytes), try ExifTool(file.result.bytes))
    #expect(new.multiPictureRanges.count == old.multiPictureRanges.count)
    for range in new.multiPictureRanges {
      #expect(file.result.bytes[range].prefix(2) == [0xFF, 0xD8])
      #expect(file.result.bytes[range].suffix(2) == [0xFF, 0xD9])
    }
    #expect(try ExifTool.warnings(file.result.bytes) == ExifTool.warnings(file.original.bytes))
  }

  @Test(arguments: ["gain-map-ii", "gain-map-mm", "iso-21496", "gain-map-and-video"])
  func `A gain map that cannot be cropped is removed, with all references to it`(
    name: String
  ) throws {
    let file = try crop("multi-picture/\(name).jpg", Self.odd)
    #expect(file.rewrite.plan.embeddedImages.first { $0.role == .gainMap }?.disposition == .removed)
    #expect(file.rewrite.plan.notes.contains { $0.text.hasPrefix("the gain-map is removed") })
    let tags = try ExifTool(file.result.bytes)
    #expect(tags.multiPictureRanges.isEmpty)
    #expect(tags.values["XMP-Container:DirectoryItemSemantic"]?.contains("GainMap") != true)
    #expect(tags.values["XMP-hdrgm:Version"] == nil)
    #expect(file.result.container.segments(.isoGainMap, in: file.result.bytes.span).isEmpty)
    let warnings = Set(try ExifTool.warnings(file.original.bytes) + ["OK"])
    #expect(try warnings.isSuperset(of: ExifTool.warnings(file.result.bytes)))
    let isVideo = name == "gain-map-and-video"
    #expect(file.result.trailer.isEmpty != isVideo)
    if isVideo {
      #expect(tags.values["XMP-Container:DirectoryItemSemantic"] == ["Primary", "MotionPhoto"])
      let video = try #require(file.rewrite.plan.embeddedImages.last).range
      #expect(file.result.trailer.elementsEqual(file.original.bytes[video]))
    }
  }

  @Test func `Some of several images are removed and the others are still listed`() throws {
    let views = try Fixture.bytes("multi-picture/several.jpg")
    #expect(
      try Rewriter(.crop(Self.odd)).rewrite(views).skipReason == "embedded-image"
    )
    // The same images without the type of views that are shown together.
    var bytes = views
    let index = try #require(Container(views.span).segments(.multiPicture, in: views.span).first)
    let type = try #require(bytes[index.payload].firstRange(of: [3, 0, 2])).lowerBound
    bytes.replaceSubrange(type..<type + 3, with: [0, 0, 0])
    let file = try #require(try CroppedFile(bytes, Self.odd))
    #expect(try file.complaints() == [])
    #expect(
      file.rewrite.plan.embeddedImages.map(\.disposition) == [.removed, .removed, .kept, .kept]
    )
    let (old, new) = (try ExifTool(file.original.bytes), try ExifTool(file.result.bytes))
    let (before, after) = (old.multiPictureRanges, new.multiPictureRanges)
    #expect(after.count == 2)
    #expect(file.result.bytes[after[1]].elementsEqual(file.original.bytes[before[3]]))
    #expect(after[0] == 0..<file.result.container.end)
    #expect(new.values["MPImage2:MPImageType"] == old.values["MPImage4:MPImageType"])
    #expect(try ExifTool.warnings(file.result.bytes) == ExifTool.warnings(file.original.bytes))
  }

  @Test func `Data after the image moves, unless offsets are known to point to it`()
    throws
  {
    let file = try crop("multi-picture/samsung-trailer.jpg", Self.middle)
    #expect(file.result.bytes.count < file.original.bytes.count)
    #expect(file.result.trailer.elementsEqual(file.original.trailer))
    let bytes = file.original.bytes + Array("QDIOBS".utf8)
    let other = try #require(try CroppedFile(bytes, Self.middle))
    #expect(other.result.bytes.count == bytes.count)
    #expect(other.result.trailer == other.original.trailer)
  }

  @Test func `Dimensions are those of the cropped image`() throws {
    let tags = try ExifTool(try crop("sample/portrait.jpg", Self.middle).result.bytes)
    for name in ["ExifIFD:ExifImage", "XMP-exif:ExifImage", "XMP-tiff:Image"] {
      #expect(tags.number(name + "Width") == 32)
      #expect(tags.number(name + "Height") == 48)
    }
  }

  @Test func `Regions are transformed and clipped to the image`() throws {
    // Upright, the region is 32 by 12 around (16, 24); its left half is cut away.
    let tags = try ExifTool(try crop("regions/mwg.jpg", Self.middle).result.bytes)
    let area = ["X", "Y", "W", "H"].map {
      tags.values["XMP-mwg-rs:RegionArea\($0)"]?.first.flatMap(Double.init) ?? .nan
    }
    for (found, expected) in zip(area, [0.25, 8 / 48.0, 0.5, 12 / 48.0]) {
      #expect(abs(found - expected) < 0.00001)
    }
    #expect(tags.number("XMP-mwg-rs:RegionAppliedToDimensionsW") == 32)
    #expect(tags.number("XMP-mwg-rs:RegionAppliedToDimensionsH") == 48)
    // The point (30, 20) is (44, 30) when upright.
    let subject = try ExifTool(try crop("regions/subject-area-2.jpg", Self.middle).result.bytes)
    #expect(subject.values["ExifIFD:SubjectArea"] == ["28 14"])
    let place = try ExifTool(try crop("regions/subject-location.jpg", Self.middle).result.bytes)
    #expect(place.values["ExifIFD:SubjectLocation"] == ["28 14"])
    // 8 by 12 around the same point, of which x from 40 to 44 is kept.
    let rectangle = PixelRectangle(x: 0, y: 0, width: 44, height: 96)
    let clipped = try ExifTool(try crop("regions/subject-area-4.jpg", rectangle).result.bytes)
    #expect(clipped.values["ExifIFD:SubjectArea"] == ["42 30 4 12"])
  }
}

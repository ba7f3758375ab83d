import Fixtures
import ImageOrientation
import Testing
import Upright

/// What ought to become of the images after the primary one, in file order.
private let expectations:
  [(name: String, images: [(EmbeddedImage.Role, EmbeddedImage.Disposition)])] = [
    ("gain-map-ii", [(.gainMap, .transformed)]), ("gain-map-mm", [(.gainMap, .transformed)]),
    ("gain-map-own-exif", [(.gainMap, .transformed)]),
    ("gain-map-longer", [(.gainMap, .transformed), (.video, .kept)]),
    ("apple", [(.gainMap, .transformed)]), ("iso-21496", [(.gainMap, .transformed)]),
    ("depth", [(.depthMap, .transformed)]),
    ("preview", [(.preview, .transformed)]),
    ("preview-own-orientation", [(.preview, .transformed)]),
    ("preview-upright", [(.preview, .kept)]), ("preview-unaligned", [(.preview, .reencoded)]),
    ("preview-tiny", [(.preview, .reencoded)]),
    ("preview-dot", [(.preview, .reencoded)]), ("gain-map-unaligned", [(.gainMap, .reencoded)]),
    ("preview-holds-soi", [(.preview, .transformed)]),
    ("stereo", [(.view, .transformed)]), ("unknown", [(.unknown, .stale)]),
    (
      "several",
      [(.gainMap, .transformed), (.preview, .transformed), (.view, .transformed), (.video, .kept)]
    ),
    ("index-after-tables", [(.gainMap, .transformed)]),
    ("index-after-dqt", [(.gainMap, .transformed)]),
    ("offset-past-the-end", [(.gainMap, .transformed)]),
    ("offset-nowhere", [(.gainMap, .transformed)]),
    ("gain-map-and-video", [(.gainMap, .transformed), (.video, .kept)]),
    ("video", [(.video, .kept)]),
    ("samsung-trailer", []),
  ]

private let names = expectations.map(\.name)
/// Where the primary or a gain map becomes longer, so that what follows has to move.
private let moving = ["gain-map-longer", "index-after-tables"]
/// Files of which exiftool reads a true index, of all images.
private let indexed = names.filter {
  ![
    "depth", "video", "samsung-trailer", "offset-past-the-end", "offset-nowhere",
    "preview-holds-soi", "apple",
  ].contains($0)
}

private func path(_ name: String) -> String { "multi-picture/\(name).jpg" }

@Suite(.requiresExifTool)
struct MultiPictureFixtureTests {
  @Test(arguments: names)
  func `What belongs to the image is transformed with it, and everything else is kept`(
    name: String
  ) throws {
    let file = try TransformedFile(path(name))
    let expected = try #require(expectations.first { $0.name == name }).images
    #expect(file.rewrite.plan.embeddedImages.map(\.role) == expected.map(\.0))
    #expect(file.rewrite.plan.embeddedImages.map(\.disposition) == expected.map(\.1))
    #expect(file.changesOnlyWhatItLists)
    #expect(try isTransformed(file.original, file.bytes, "rotate-90"))
    #expect(try ExifTool.warnings(file.bytes) == ExifTool.warnings(file.original))
    #expect(try !Rewriter().rewrite(file.bytes).plan.action.rewrites)
  }

  @Test(arguments: names)
  func `Data after the image moves only if that is unavoidable`(name: String) throws {
    let file = try TransformedFile(path(name))
    #expect((file.bytes.count != file.original.count) == moving.contains(name))
  }

  @Test(arguments: indexed)
  func `The index names every image, from its first byte to its last`(name: String) throws {
    let file = try TransformedFile(path(name))
    let (old, new) = (try ExifTool(file.original), try ExifTool(file.bytes))
    let (before, after) = (old.multiPictureRanges, new.multiPictureRanges)
    #expect(after.count == before.count && after.count >= 2)
    for (range, next) in zip(after, after.dropFirst()) {
      #expect(range.upperBound == next.lowerBound)
    }
    for (number, (a, b)) in zip(before, after).enumerated() {
      let (original, image) = (Array(file.original[a]), Array(file.bytes[b]))
      #expect(image.starts(with: [0xFF, 0xD8]) && image.suffix(2) == [0xFF, 0xD9])
      let disposition =
        number == 0 ? .transformed : file.rewrite.plan.embeddedImages[number - 1].disposition
      switch disposition {
      case .transformed: #expect(try isTransformed(original, image, "rotate-90"))
      case .reencoded: #expect(try Pixels.psnr(of: image, to: original, .rotate90) > 28)
      case .kept, .stale: #expect(image == original)
      case .regenerated, .removed: Issue.record("nothing is cropped")
      }
    }
    let ends = (try #require(before.last).upperBound, try #require(after.last).upperBound)
    #expect(file.original[ends.0...] == file.bytes[ends.1...])
    for index in 1...after.count {
      let type = "MPImage\(index):MPImageType"
      #expect(new.values[type] == old.values[type])
    }
  }

  @Test(arguments: [
    "gain-map-ii", "gain-map-mm", "gain-map-longer", "gain-map-and-video", "depth", "video",
  ])
  func `The container directory names every file, packed tightly to the end`(name: String) throws {
    let file = try TransformedFile(path(name))
    let values = try ExifTool(file.bytes).values
    let lengths = try #require(values["XMP-Container:DirectoryItemLength"]).compactMap { Int($0) }
    let kinds = try #require(values["XMP-Container:DirectoryItemMime"])
    #expect(lengths.count == kinds.count && lengths.first == 0)
    var start = file.bytes.count - lengths.reduce(0, +)
    #expect(file.bytes[..<start].suffix(2) == [0xFF, 0xD9])
    for (length, kind) in zip(lengths, kinds).dropFirst() {
      let part = Array(file.bytes[start..<start + length])
      if kind == "image/jpeg" {
        #expect(part.starts(with: [0xFF, 0xD8]) && part.suffix(2) == [0xFF, 0xD9])
      } else {
        #expect(part[4...].starts(with: Array("ftypmp42".utf8)))
        #expect(part == file.original.suffix(length))
      }
      start += length
    }
  }

  @Test func `An index with a wrong size of the primary image is correct for the others`() throws {
    let file = try TransformedFile(path("apple"))
    let before = try ExifTool(file.original).multiPictureRanges
    let after = try ExifTool(file.bytes).multiPictureRanges
    #expect(after == before)
    #expect(after[0].upperBound == after[1].lowerBound - 1234)
    #expect(after[1].upperBound == file.bytes.count)
    #expect(
      try isTransformed(Array(file.original[before[1]]), Array(file.bytes[after[1]]), "rotate-90")
    )
  }

  @Test(arguments: ["offset-past-the-end", "offset-nowhere"])
  func `A gain map is transformed even if the index points elsewhere`(
    name: String
  ) throws {
    let file = try TransformedFile(path(name))
    #expect(!file.fields.contains { $0.hasPrefix("mpf.") })
    let old = try #require(file.original.lastRange(of: [0xFF, 0xD8])).lowerBound
    let new = try #require(file.bytes.lastRange(of: [0xFF, 0xD8])).lowerBound
    #expect(old == new)
    #expect(try isTransformed(Array(file.original[old...]), Array(file.bytes[new...]), "rotate-90"))
  }

  @Test(arguments: ["samsung-trailer", "video", "gain-map-and-video", "several", "gain-map-longer"])
  func `Videos and trailers stay at the end of the file`(name: String) throws {
    let file = try TransformedFile(path(name))
    // What precedes these words: the head of a block, the length of a box.
    let (word, head) = name == "samsung-trailer" ? ("Image_UTC_Data", 8) : ("ftyp", 4)
    let start = try #require(file.original.firstRange(of: Array(word.utf8))).lowerBound - head
    let tail = Array(file.original[start...])
    #expect(tail.count > 40 && file.bytes.suffix(tail.count) == tail[...])
  }

  @Test func `A file whose gain map cannot be transformed is skipped`() throws {
    var bytes = try Fixture.bytes(path("gain-map-ii"))
    // The gain map says that it is arithmetic-coded, SOF9.
    let frame = try #require(bytes.lastRange(of: [0xFF, 0xC0])).lowerBound
    bytes[frame + 1] = 0xC9
    guard case .skipped(let reason, let plan) = try Rewriter().rewrite(bytes) else {
      Issue.record("the file is rewritten")
      return
    }
    #expect(reason.code == .embeddedImage)
    #expect(plan.embeddedImages.map(\.role) == [.gainMap])
  }
}

extension [UInt8] {
  fileprivate func lastRange(of other: [UInt8]) -> Range<Int>? { ranges(of: other).last }
}

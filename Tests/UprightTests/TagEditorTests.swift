import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

private func orientation(_ bytes: [UInt8]) throws -> Orientation? {
  try Rewriter().plan(bytes).image.orientation
}

struct TagEditorTests {
  @Test(arguments: 1...8, 1...8)
  func `Setting the tag changes one byte and nothing else`(old: Int, new: Int) throws {
    let bytes = try Fixture.bytes("orientation/aligned-\(old).jpg")
    let outcome = try Rewriter(.tag(.set(try #require(Orientation(rawValue: new))))).rewrite(bytes)
    guard old != new else {
      guard case .unchanged(let reason) = outcome.plan.action else {
        Issue.record("\(outcome.plan.action)")
        return
      }
      #expect(reason.code == .tagAlready)
      return
    }
    let rewrite = try outcome.rewritten()
    let places = differences(bytes, rewrite.bytes)
    #expect(places.count == 1)
    #expect(rewrite.changes.map(\.field.rawValue) == ["exif.ifd0.orientation"])
    #expect(rewrite.changes[0].range.count == 2)
    #expect(places.allSatisfy { rewrite.changes[0].range.contains($0) })
    #expect(try orientation(rewrite.bytes)?.rawValue == new)
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == bytes)
  }

  @Test func `An Orientation of 0 is transformed as 1, or refused if the options are strict`()
    throws
  {
    let bytes = try Fixture.bytes("exif/orientation-0.jpg")
    var rewriter = Rewriter(.tag(.transform(.rotate90)))
    #expect(try orientation(rewriter.rewrite(bytes).rewritten().bytes) == .right)
    rewriter.options.strictOrientation = true
    guard case .skip(let reason) = try rewriter.rewrite(bytes).plan.action else {
      Issue.record("not refused")
      return
    }
    #expect(reason.code == .reservedOrientation)
  }

  @Test(.requiresExifTool)
  func `A tag after a second identifier of Exif is read, set and made visible`() throws {
    let bytes = try Fixture.bytes("exif/identifier-twice.jpg")
    let plan = try Rewriter().plan(bytes)
    #expect(plan.action.reason?.evidence.map(\.kind) == [.repeatedIdentifier])
    // Programs that do not find the tag display the stored image.
    for (request, visible) in [
      (TagOperation.set(.up), ""), (.remove, ""), (.set(.down), "3\n"),
    ] {
      let rewrite = try Rewriter(.tag(request)).rewrite(bytes).rewritten()
      let tag = try Tool.run(
        "exiftool",
        ["-n", "-s3", "-q", "-q", "-Orientation", "-"],
        input: rewrite.bytes
      )
      #expect(String(decoding: tag.output, as: UTF8.self) == visible)
      #expect(try Rewriter().rewrite(rewrite.bytes).plan.action.rewrites == (visible != ""))
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == bytes)
    }
    var options = Options()
    options.onConflict = .trustTag
    let rotated = try Rewriter(options: options).rewrite(bytes).rewritten()
    #expect(try orientation(rotated.bytes) == .up)
    #expect(try #require(rotated.undo).restoreOriginal(from: rotated.bytes) == bytes)
  }

  @Test(arguments: [
    ("credentials/c2pa.jpg", Orientation.up), ("exif/identifier-twice.jpg", .right),
  ])
  func `Fill bytes keep the place of what follows the image`(
    path: String,
    tag: Orientation
  ) throws {
    let trailer: [UInt8] = [1, 2, 3, 4, 5]
    let bytes = try Fixture.bytes(path) + trailer
    var rewriter = Rewriter(.tag(.set(tag)))
    rewriter.options.contentCredentials = .strip
    let result = try rewriter.rewrite(bytes).rewritten().bytes
    #expect(result.count == bytes.count)
    #expect(result.suffix(5) == trailer[...])
    #expect(try Container(result.span).end == bytes.count - 5)
    #expect(try orientation(result) == tag)
  }

  @Test(arguments: Orientation.allCases, OrientationTransform.allCases)
  func `A transform of the tag sets the tag of the transformed display`(
    old: Orientation,
    transform: OrientationTransform
  ) throws {
    let bytes = try Fixture.bytes("orientation/unaligned-\(old.rawValue).jpg")
    let outcome = try Rewriter(.tag(.transform(transform))).rewrite(bytes)
    guard transform != .none else {
      #expect(!outcome.plan.action.rewrites)
      return
    }
    let result = try outcome.rewritten().bytes
    #expect(try orientation(result) == old.transformed(by: transform))
    #expect(differences(bytes, result).count == 1)
  }

  @Test(arguments: Fixture.all)
  func `Only the bytes of the tag change in any file, and the original is restored`(
    fixture: Fixture
  ) throws {
    let bytes = try fixture.bytes()
    for operation in [TagOperation.set(.left), .transform(.rotate180), .remove] {
      guard case .rewritten(let rewrite)? = try? Rewriter(.tag(operation)).rewrite(bytes) else {
        continue
      }
      let isTag = rewrite.changes.allSatisfy {
        [
          "exif.ifd0.orientation", "exif.ifd0.count", "xmp.tiff.Orientation", "exif.segment",
          "xmp.padding", "xmp.extended.Orientation", "xmp.extended.digest",
          "exif.repeated-identifier", "exif.segment-length",
          // The other views of the image have it, too, and regions follow what is displayed.
          "view.exif.ifd0.orientation", "view.exif.ifd0.count",
        ].contains($0.field.rawValue) || $0.field.rawValue.hasPrefix("xmp.region.")
      }
      #expect(isTag, "\(rewrite.changes.map(\.field.rawValue))")
      let resizing = ["exif.segment", "exif.repeated-identifier"]
      if !rewrite.changes.contains(where: { resizing.contains($0.field.rawValue) }) {
        #expect(rewrite.bytes.count == bytes.count)
      }
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == bytes)
      #expect(try ImageFile(rewrite.bytes).scansAgree(with: ImageFile(bytes)))
    }
  }

  @Test(arguments: ["xmp/attributes.jpg", "exif/xmp-disagrees.jpg"])
  func `XMP and Exif give the same orientation afterwards`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let rewrite = try Rewriter(.tag(.set(.downMirrored))).rewrite(bytes).rewritten()
    #expect(
      rewrite.changes.map(\.field.rawValue).sorted() == [
        "exif.ifd0.orientation", "xmp.tiff.Orientation",
      ]
    )
    #expect(rewrite.bytes.count == bytes.count)
    let plan = try Rewriter().plan(rewrite.bytes)
    #expect(plan.notes.allSatisfy { !$0.text.contains("in XMP and") })
  }

  @Test func `A reserved or contradictory tag can be set, but not transformed`() throws {
    for path in [
      "exif/orientation-9.jpg", "exif/orientation-twice-differing.jpg",
    ] {
      let bytes = try Fixture.bytes(path)
      let result = try Rewriter(.tag(.set(.right))).rewrite(bytes).rewritten().bytes
      #expect(try orientation(result) == .right)
      #expect(try Rewriter(.tag(.transform(.rotate90))).rewrite(bytes).skipReason != nil)
    }
  }

  @Test func `Exif without an entry is refused with advice`() throws {
    let bytes = try Fixture.bytes("exif/no-orientation.jpg")
    let outcome = try Rewriter(.tag(.set(.right))).rewrite(bytes)
    #expect(outcome.skipReason == "no-orientation-entry")
    #expect(try !Rewriter(.tag(.set(.up))).rewrite(bytes).plan.action.rewrites)
  }

  @Test(arguments: ["xmp/alone.jpg", "xmp/full-without-exif.jpg"])
  func `Where XMP alone gives an orientation, Exif gives the same afterwards`(
    path: String
  ) throws {
    let bytes = try Fixture.bytes(path)
    let outcome = try Rewriter(.tag(.set(.down))).rewrite(bytes)
    let rewrite = try outcome.rewritten()
    #expect(
      Set(rewrite.changes.map(\.field.rawValue)).isSubset(of: [
        "exif.segment", "xmp.tiff.Orientation",
      ])
    )
    #expect(rewrite.changes.contains { $0.field.rawValue == "exif.segment" })
    let plan = try Rewriter().plan(rewrite.bytes)
    #expect(plan.image.orientation == .down)
    #expect(plan.notes.isEmpty)
  }

  @Test func `A tag is not removed from a directory whose bytes a thumbnail has, too`() throws {
    func entry(_ tag: UInt16, _ type: UInt16, _ value: UInt32) -> [UInt8] {
      let number = type == 3 ? UInt16(value).bytes(.big) + [0, 0] : value.bytes(.big)
      return tag.bytes(.big) + type.bytes(.big) + [0, 0, 0, 1] + number
    }
    for (offset, isShared) in [(UInt32(20), true), (76, false)] {
      let first = [0, 2] + entry(0x112, 3, 6) + entry(0x128, 3, 2) + [0, 0, 0, 38]
      let second =
        [0, 3] + entry(0x103, 3, 6) + entry(0x201, 4, offset) + entry(0x202, 4, 8)
        + [0, 0, 0, 0]
      let block =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8] + first + second + Array(repeating: 7, count: 8)
      let payload = Array("Exif\0\0".utf8) + block
      let segment = [0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
      var bytes = try Fixture.bytes("exif/no-exif.jpg")
      bytes.insert(contentsOf: segment, at: 2)
      let outcome = try Rewriter(.tag(.remove)).rewrite(bytes)
      #expect(outcome.skipReason == (isShared ? "shared-bytes" : nil))
      #expect(outcome.plan.action.rewrites != isShared)
    }
  }

  @Test func `A file without Exif gets a minimal Exif block, and loses it again`() throws {
    let bytes = try Fixture.bytes("exif/no-exif.jpg")
    let rewrite = try Rewriter(.tag(.transform(.rotate90))).rewrite(bytes).rewritten()
    #expect(rewrite.bytes.count == bytes.count + 36)
    #expect(try orientation(rewrite.bytes) == .right)
    let image = try ImageFile(rewrite.bytes)
    #expect(image.container.segments(.jfif, in: rewrite.bytes.span).first?.range.lowerBound == 2)
    #expect(try Rewriter(.tag(.remove)).rewrite(rewrite.bytes).rewritten().bytes == bytes)
  }

  @Test(.requiresExifTool) func `exiftool reads the minimal Exif block`() throws {
    let bytes = try Fixture.bytes("exif/no-exif.jpg")
    let rewrite = try Rewriter(.tag(.transform(.rotate90))).rewrite(bytes).rewritten()
    #expect(try ExifTool(rewrite.bytes).number("IFD0:Orientation") == 6)
  }

  @Test func `Nothing is inserted if data after the image would move`() throws {
    let bytes = try Fixture.bytes("exif/no-exif.jpg") + Array("trailer".utf8)
    #expect(try Rewriter(.tag(.set(.right))).rewrite(bytes).skipReason == "no-room-for-exif")
  }

  @Test func `Nothing is removed if an index lists images by their offsets`() throws {
    let tagged = try Rewriter(.tag(.set(.right))).rewrite(Fixture.bytes("exif/no-exif.jpg"))
      .rewritten().bytes
    let minimal = try #require(try Container(tagged.span).segments(.exif, in: tagged.span).first)
    var bytes = try Fixture.bytes("multi-picture/gain-map-mm.jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.replaceSubrange(exif.range, with: tagged[minimal.range])
    let container = try Container(bytes.span)
    let index = try #require(container.segments(.multiPicture, in: bytes.span).first)
    let rewrite = try Rewriter(.tag(.remove)).rewrite(bytes).rewritten()
    #expect(try orientation(rewrite.bytes) == nil)
    #expect(rewrite.bytes[index.range.lowerBound...] == bytes[index.range.lowerBound...])
  }

  private static let tagged = [
    "orientation/aligned-6.jpg", "thumbnail/aligned.jpg", "exif/orientation-twice.jpg",
    "exif/two-segments.jpg", "exif/orientation-byte-little.jpg",
  ]

  @Test(arguments: tagged)
  func `Removing the tag leaves every other field where it was`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let rewrite = try Rewriter(.tag(.remove)).rewrite(bytes).rewritten()
    #expect(rewrite.bytes.count == bytes.count)
    #expect(try orientation(rewrite.bytes) == nil)
    let (old, new) = (try ImageFile(bytes), try ImageFile(rewrite.bytes))
    for (a, b) in zip(try old.blocks(), try new.blocks()) {
      #expect(b.problems == a.problems)
      let kept = a.entries.filter { !($0.directory == .ifd0 && $0.tag == ExifTag.orientation) }
      #expect(kept.map(\.tag) == b.entries.map(\.tag))
      for (before, after) in zip(kept, b.entries) {
        #expect(
          before.value.map { Array(bytes[$0]) } == after.value.map { Array(rewrite.bytes[$0]) }
        )
        if !before.isInline { #expect(before.value == after.value) }
      }
    }
  }

  @Test(.requiresExifTool, arguments: tagged)
  func `Removing the tag leaves all that exiftool reads, without a new warning`(
    path: String
  ) throws {
    let bytes = try Fixture.bytes(path)
    let rewrite = try Rewriter(.tag(.remove)).rewrite(bytes).rewritten()
    var (before, after) = (try ExifTool(bytes).values, try ExifTool(rewrite.bytes).values)
    before["IFD0:Orientation"] = nil
    for name in ["System:FileModifyDate", "System:FileAccessDate", "System:FileInodeChangeDate"] {
      (before[name], after[name]) = (nil, nil)
    }
    #expect(before == after)
    let complaints = Set(try ExifTool.warnings(rewrite.bytes)).subtracting(["OK"])
    #expect(try complaints.subtracting(ExifTool.warnings(bytes)) == [])
  }

  @Test func `Content credentials decide as they do for a transform`() throws {
    let bytes = try Fixture.bytes("credentials/c2pa.jpg")
    #expect(try Rewriter(.tag(.set(.left))).rewrite(bytes).skipReason == "content-credentials")
    var options = Options()
    options.contentCredentials = .keep
    let rewrite = try Rewriter(.tag(.set(.left)), options: options).rewrite(bytes).rewritten()
    #expect(differences(bytes, rewrite.bytes).count == 1)
  }

  @Test func `A truncated file is an error`() throws {
    let bytes = try Fixture.bytes("bad/no-eoi.jpg")
    #expect(throws: UprightError.self) { try Rewriter(.tag(.set(.left))).rewrite(bytes) }
  }
}

extension ImageFile {
  fileprivate func scansAgree(with other: ImageFile) throws -> Bool {
    // What is not decoded was not changed either: its bytes are compared.
    zip(container.scans, other.container.scans).allSatisfy {
      bytes[$0.data] == other.bytes[$1.data]
    }
  }

  fileprivate func blocks() throws -> [TIFFBlock] {
    container.segments(.exif, in: bytes.span).compactMap {
      TIFFBlock(bytes.span, in: $0.payload.lowerBound + 6..<$0.payload.upperBound)
    }
  }
}

import Fixtures
import ImageOrientation
import Testing
import Upright
import Verification

/// A region of the 96 by 64 raster after the transform that each Orientation asks for, worked out on paper.
struct TransformedRegion: Sendable, CustomTestStringConvertible {
  var tag: UInt8
  /// The point (30, 20).
  var point: [Int]
  /// The centre (0.25, 0.75) of an area of 0.125 by 0.5.
  var area: [Double]
  /// The rectangle at (0.125, 0.25) of 0.25 by 0.625.
  var rectangle: [Double]

  var transposes: Bool { tag > 4 }
  var testDescription: String { "Orientation \(tag)" }

  static let all = [
    TransformedRegion(
      tag: 2,
      point: [66, 20],
      area: [0.75, 0.75, 0.125, 0.5],
      rectangle: [0.625, 0.25, 0.25, 0.625]
    ),
    TransformedRegion(
      tag: 3,
      point: [66, 44],
      area: [0.75, 0.25, 0.125, 0.5],
      rectangle: [0.625, 0.125, 0.25, 0.625]
    ),
    TransformedRegion(
      tag: 4,
      point: [30, 44],
      area: [0.25, 0.25, 0.125, 0.5],
      rectangle: [0.125, 0.125, 0.25, 0.625]
    ),
    TransformedRegion(
      tag: 5,
      point: [20, 30],
      area: [0.75, 0.25, 0.5, 0.125],
      rectangle: [0.25, 0.125, 0.625, 0.25]
    ),
    TransformedRegion(
      tag: 6,
      point: [44, 30],
      area: [0.25, 0.25, 0.5, 0.125],
      rectangle: [0.125, 0.125, 0.625, 0.25]
    ),
    TransformedRegion(
      tag: 7,
      point: [44, 66],
      area: [0.25, 0.75, 0.5, 0.125],
      rectangle: [0.125, 0.625, 0.625, 0.25]
    ),
    TransformedRegion(
      tag: 8,
      point: [20, 66],
      area: [0.75, 0.75, 0.5, 0.125],
      rectangle: [0.25, 0.625, 0.625, 0.25]
    ),
  ]
}

private let exifFixtures = [
  "subject-area-2", "subject-area-3", "subject-area-4", "subject-location",
]
private let xmpFixtures = ["mwg", "mwg-of-another-size", "microsoft", "small"]

@Suite(.requiresExifTool)
struct RegionTests {
  private func values(_ name: String, _ tag: UInt8? = nil) throws -> ExifTool {
    let file = try TransformedFile("regions/\(name).jpg", tag: tag) { $0.regions = .follow }
    #expect(file.changesOnlyWhatItLists)
    return try ExifTool(file.bytes)
  }

  @Test(arguments: TransformedRegion.all)
  func `Subject areas are transformed with the image`(expected: TransformedRegion) throws {
    let extent = expected.transposes ? [8, 12] : [12, 8]
    for (name, tag, rest) in [
      ("subject-area-2", "SubjectArea", []), ("subject-area-3", "SubjectArea", [10]),
      ("subject-area-4", "SubjectArea", extent), ("subject-location", "SubjectLocation", []),
    ] {
      let text = (expected.point + rest).map(String.init).joined(separator: " ")
      #expect(try values(name, expected.tag).values["ExifIFD:\(tag)"] == [text])
    }
  }

  @Test(arguments: TransformedRegion.all)
  func `Regions of the Metadata Working Group are transformed with the image`(
    expected: TransformedRegion
  ) throws {
    let found = try values("mwg", expected.tag)
    let area = ["X", "Y", "W", "H"].map { found.values["XMP-mwg-rs:RegionArea\($0)"]?.first }
    #expect(area.map { $0.flatMap(Double.init) } == expected.area)
    let size = expected.transposes ? [64, 96] : [96, 64]
    let applied = ["W", "H"].map { found.number("XMP-mwg-rs:RegionAppliedToDimensions\($0)") }
    #expect(applied == size)
    #expect(found.values["XMP-mwg-rs:RegionName"] == ["F"])
  }

  @Test(arguments: TransformedRegion.all)
  func `Regions of Microsoft are transformed with the image`(expected: TransformedRegion) throws {
    let found = try values("microsoft", expected.tag).values["XMP-MP:RegionRectangle"]?.first
    let numbers = found?.split(separator: ",").map { Double($0.drop { $0 == " " }) }
    #expect(numbers == expected.rectangle)
  }

  @Test func `The dimensions that a region applies to are transformed, whatever they are`() throws {
    let found = try values("mwg-of-another-size")
    #expect(found.number("XMP-mwg-rs:RegionAppliedToDimensionsW") == 1280)
    #expect(found.number("XMP-mwg-rs:RegionAppliedToDimensionsH") == 1920)
  }

  @Test func `Small numbers are written without an exponent, as XMP requires`() throws {
    let file = try TransformedFile("regions/small.jpg") { $0.regions = .follow }
    let written = file.rewrite.changes.filter { $0.field.rawValue.hasPrefix("xmp.region.") }.map(
      \.new
    )
    #expect(written.count >= 3)
    #expect(!written.contains { $0.contains("e") })
  }

  @Test func `Regions that agree in both frames are in that of the main ones`() throws {
    let middle = "Area={X=0.5,Y=0.5,W=0.5,H=0.5,Unit=normalized},Type=Face,Name=F"
    let regions = [
      "-RegionInfo={AppliedToDimensions={W=96,H=64,Unit=pixel},RegionList=[{\(middle)}]}",
      "-RegionInfoMP={Regions=[{Rectangle=0.25|, 0.25|, 0.5|, 0.5}]}",
    ]
    let photo = try Fixture.bytes("regions/mwg.jpg")
    let file = try Tool.run("exiftool", regions + ["-o", "-", "-"], input: photo)
    let plan = try Rewriter().plan(file.output)
    #expect(plan.regions.map(\.kind) == [.mwg, .microsoft])
    #expect(plan.regions.allSatisfy { $0.frame == .stored && $0.disposition == .transformed })
  }

  @Test(arguments: exifFixtures + xmpFixtures)
  func `Regions are kept with a note if the options say so`(name: String) throws {
    let file = try TransformedFile("regions/\(name).jpg") { $0.regions = .keep }
    #expect(file.changesOnlyWhatItLists)
    #expect(file.rewrite.plan.notes.contains { $0.text.hasPrefix("kept, ") })
    let names = ["Region", "Subject"]
    func regions(_ bytes: [UInt8]) throws -> [String: [String]] {
      try ExifTool(bytes).values.filter { entry in names.contains { entry.key.contains($0) } }
    }
    #expect(try !regions(file.original).isEmpty)
    #expect(try regions(file.bytes) == regions(file.original))
  }

  @Test func `A crop takes regions along even if the options say that they are kept`() throws {
    let rectangle = PixelRectangle(x: 16, y: 16, width: 32, height: 48)
    let bytes = try Fixture.bytes("regions/mwg.jpg")
    func regions(_ policy: Options.RegionPolicy) throws -> [String: [String]] {
      var options = Options()
      options.regions = policy
      let file = try #require(try CroppedFile(bytes, rectangle, options: options))
      #expect(file.rewrite.plan.regions.map(\.disposition) == [.transformed])
      return try ExifTool(file.result.bytes).values.filter { $0.key.contains("Region") }
    }
    #expect(try regions(.keep) == regions(.auto))
  }

  @Test(arguments: exifFixtures)
  func `Subject areas are kept with a note by default`(name: String) throws {
    let file = try TransformedFile("regions/\(name).jpg")
    #expect(!file.fields.contains { $0.contains("subject") })
    #expect(file.rewrite.plan.regions.map(\.disposition) == [.kept])
    #expect(file.rewrite.plan.notes.contains { $0.text.hasPrefix("kept, ") })
  }

  @Test(arguments: [
    // Signed numbers, and a point so far below the image that it would be left of the rotated one.
    (2, [8, 0]), (10, [0xFF, 0xFF]),
  ])
  func `Subject areas of another form, or without room for new numbers, are kept with a note`(
    offset: Int,
    bytes: [UInt8]
  ) throws {
    var original = try Fixture.bytes("regions/subject-area-2.jpg")
    let entry = try #require(original.firstRange(of: [0x14, 0x92, 3, 0, 2, 0, 0, 0])).lowerBound
    original.replaceSubrange(entry + offset..<entry + offset + 2, with: bytes)
    let file = try TransformedFile(original) { $0.regions = .follow }
    #expect(file.changesOnlyWhatItLists)
    #expect(!file.fields.contains { $0.contains("subject") })
    #expect(file.rewrite.plan.regions.map(\.disposition) == [.kept])
    #expect(
      file.rewrite.plan.notes.contains { $0.text.hasSuffix("SubjectArea or SubjectLocation") }
    )
  }

  @Test func `Subjects in XMP are reported where they are kept, as those in Exif`() throws {
    let file = try TransformedFile("regions/in-xmp-exif.jpg")
    #expect(file.rewrite.plan.notes.contains { $0.text.contains("SubjectArea") })
    let verdict = try Verifier().verify(original: file.original, result: file.bytes)
    #expect(verdict.notes.map(\.code.rawValue) == ["region-kept"])
  }

  @Test(arguments: TransformedRegion.all)
  func `Subject areas in XMP are transformed with the image`(expected: TransformedRegion) throws {
    let file = try TransformedFile("regions/in-xmp-exif.jpg", tag: expected.tag) {
      $0.regions = .follow
    }
    #expect(file.changesOnlyWhatItLists)
    let found = try ExifTool(file.bytes).values["XMP-exif:SubjectArea"] ?? []
    let numbers = found.joined(separator: " ").split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers == expected.point + (expected.transposes ? [8, 12] : [12, 8]))
    #expect(try #require(file.rewrite.undo).restoreOriginal(from: file.bytes) == file.original)
    let verdict = try Verifier().verify(original: file.original, result: file.bytes)
    #expect(verdict.findings == [] && verdict.notes == [])
    // A number that is neither the old one nor the right one.
    let change = try #require(
      file.rewrite.changes.first {
        $0.field.rawValue == "xmp.exif.SubjectArea"
      }
    )
    var wrong = file.bytes
    let shift = file.rewrite.changes.prefix { $0.range.lowerBound < change.range.lowerBound }
      .reduce(0) { $0 + $1.replacement.count - $1.range.count }
    wrong[change.range.lowerBound + shift] = UInt8(ascii: "9")
    let other = try Verifier().verify(original: file.original, result: wrong)
    #expect(Set(other.findings.map(\.code.rawValue)) == ["xmp-property-changed"])
  }
}

import Fixtures
import ImageOrientation
import Testing
import Upright

struct ConflictTests {
  @Test(arguments: [
    ("dimensions-tag-6", [TagEvidence.Kind.dimensionsSwapped]),
    ("thumbnail-tag-8", [.thumbnailSwapped]),
    ("dimensions-and-thumbnail-tag-5", [.dimensionsSwapped, .thumbnailSwapped]),
    ("resized-thumbnail", [.storedPortrait, .dimensionsShape, .thumbnailShape]),
    ("cropped-thumbnail", [.storedPortrait, .dimensionsShape, .thumbnailShape]),
    ("cropped-software", [.storedPortrait, .dimensionsShape, .software]),
    ("thumbnail-landscape", [.storedPortrait, .thumbnailShape]),
    ("thumbnail-software", [.thumbnailShape, .software]),
    ("panorama", [.panorama]), ("panorama-thumbnail", [.panorama]),
    ("portrait-thumbnail", [.storedPortrait, .dimensionsSwapped, .thumbnailPortrait]),
    ("portrait-jfif", [.storedPortrait, .jfifFirst, .dimensionsShape]),
    ("portrait-sampling", [.storedPortrait, .sampling]),
    ("portrait-software", [.storedPortrait, .software]),
    ("portrait-interoperability", [.storedPortrait, .dimensionsShape]),
    ("portrait-canon", [.storedPortrait, .dimensionsShape]),
    ("portrait-canon-moved", [.storedPortrait, .dimensionsShape]),
    ("portrait-olympus", [.storedPortrait, .dimensionsShape]),
  ])
  func `Each kind of evidence of a stale tag is named`(
    name: String,
    kinds: [TagEvidence.Kind]
  ) throws {
    let bytes = try Fixture.bytes("conflict/\(name).jpg")
    let plan = try Rewriter().plan(bytes)
    guard case .skip(let reason) = plan.action else {
      Issue.record("\(plan.action)")
      return
    }
    #expect(reason.code == .conflict)
    #expect(reason.evidence.map(\.kind) == kinds)
    for evidence in reason.evidence { #expect(reason.explanation.contains(evidence.text)) }
  }

  @Test(arguments: [
    ("believed-thumbnail", "Exif gives 64×96 pixels, the image is 96×64"),
    ("believed-resized", "Exif gives 2240×3360 pixels, the image is 96×64"),
    ("believed-resized-alone", "Exif gives 2240×3360 pixels, the image is 96×64"),
    ("believed-panorama", "Exif gives 64×128 pixels, the image is 128×64"),
    ("believed-cropped", "Exif gives 2240×3360 pixels, the image is 80×64"),
    ("believed-canon", "the MakerNote gives 2240×3360 pixels, the image is 80×64"),
    ("believed-thumbnail-shape", "the thumbnail is 30×40, the image 96×64"),
    ("believed-portrait", "the image is stored in portrait format"),
    ("believed-jfif", "the image is stored in portrait format"),
    ("believed-software", nil), ("believed-content-3", nil), ("believed-content-6", nil),
  ])
  func `A tag with more evidence for it is trusted, and the evidence against it is reported`(
    name: String,
    evidence: String?
  ) throws {
    let bytes = try Fixture.bytes("conflict/\(name).jpg")
    let plan = try Rewriter().plan(bytes)
    #expect(plan.action.rewrites)
    let note = plan.notes.first { $0.text.contains("the tag is trusted") }
    #expect((note != nil) == (evidence != nil))
    #expect(plan.contradictions.isEmpty == (evidence == nil))
    if let evidence, let note { #expect(note.text.hasPrefix(evidence)) }
    let outcome = try Rewriter().rewrite(bytes)
    #expect(outcome.plan.action == plan.action)
    #expect(outcome.plan.contradictions == plan.contradictions)
  }

  @Test(.requiresExifTool)
  func `A tag with as much evidence for it as against it is trusted`() throws {
    let photo = try Fixture.bytes("conflict/believed-thumbnail.jpg")
    let file = try Tool.run("exiftool", ["-Software=GIMP 2.10.34", "-o", "-", "-"], input: photo)
    let plan = try Rewriter().plan(file.output)
    #expect(plan.action.rewrites, "\(plan.action)")
    #expect(plan.contradictions.map(\.kind) == [.dimensionsSwapped, .software])
  }

  @Test func `Make without Model is not that of a camera`() throws {
    var bytes = try Fixture.bytes("conflict/portrait-jfif.jpg")
    // The tag Model, with the type ASCII, becomes another one.
    let entries: [[UInt8]] = [[0x01, 0x10, 0x00, 0x02], [0x10, 0x01, 0x02, 0x00]]
    let place = try #require(
      bytes.indices.first { index in entries.contains { bytes[index...].starts(with: $0) } }
    )
    let isBig = bytes[place] == 1
    bytes[place + (isBig ? 1 : 0)] = 0x11
    let plan = try Rewriter().plan(bytes)
    #expect(plan.action.rewrites, "\(plan.action)")
  }

  @Test(arguments: ["dimensions-tag-6", "thumbnail-tag-8"])
  func `A stale tag is reset although the image cannot be decoded`(name: String) throws {
    let bytes = try Fixture.bytes("conflict/\(name).jpg")
    let file = try Tool.run("jpegtran", ["-copy", "all", "-arithmetic"], input: bytes).output
    var options = Options()
    guard case .skip(let reason) = try Rewriter(options: options).rewrite(file).plan.action
    else {
      Issue.record("not skipped")
      return
    }
    #expect(reason.code == .arithmeticCoding)
    options.onConflict = .resetTag
    let rewrite = try Rewriter(options: options).rewrite(file).rewritten()
    #expect(rewrite.plan.action.rewrites && rewrite.changes.map(\.field) == [.orientation])
    let tag = try Tool.run("exiftool", ["-n", "-s3", "-Orientation", "-"], input: rewrite.bytes)
    #expect(String(decoding: tag.output, as: UTF8.self) == "1\n")
    #expect(try Tool.djpeg(rewrite.bytes) == Tool.djpeg(file))
    #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == file)
  }

  /// Of values 2 to 4, the header shows nothing.
  @Test(arguments: 2...8)
  func `A thumbnail that shows the image in another orientation makes the tag suspect`(
    tag: Int
  ) throws {
    let bytes = try Fixture.bytes("conflict/content-\(tag).jpg")
    if tag <= 4 { #expect(try Rewriter().plan(bytes).action.rewrites) }
    let plan = try Rewriter().rewrite(bytes).plan
    guard case .skip(let reason) = plan.action else {
      Issue.record("\(plan.action)")
      return
    }
    #expect(reason.code == .conflict)
    // Where the header shows enough, the image is not decoded.
    #expect(reason.evidence.contains { $0.kind == .thumbnailContent } == (tag <= 4))
    var trusting = Rewriter()
    trusting.options.onConflict = .trustTag
    let trusted = try trusting.rewrite(bytes).plan
    #expect(!trusted.contradictions.isEmpty)
    // A thumbnail of the other shape is not transformed, and its content not compared.
    #expect(trusted.contradictions.contains { $0.kind == .thumbnailContent } == (tag <= 4))
    #expect(trusted.action.rewrites)
    // Who requests a transform has seen the image.
    #expect(try Rewriter(.normalize(then: .rotate90)).rewrite(bytes).plan.contradictions.isEmpty)
  }

  /// Values of Software as programs write them, one for each name in the list of programs.
  @Test(
    .requiresExifTool,
    arguments: [
      "ACD Systems Digital Imaging", "ACDSee Pro 5", "Corel PhotoImpact X3", "GIMP 2.10.34",
      "ImageMagick 6.9.7", "IrfanView 4.44", "Jasc Paint Shop Pro 9", "Paint.NET v3.36",
      "PhotoScape", "Adobe Photoshop CS6 (Windows)", "Picasa 3.0",
      "Microsoft Office Picture Manager", "Ulead PhotoImpact 12",
      "Microsoft Windows Photo Gallery 6.0.6001.18000", "XnView 1.99",
    ]
  )
  func `Programs that rewrite images are recognized in Software`(program: String) throws {
    #expect(try evidence(software: program).contains(.software))
  }

  @Test(
    .requiresExifTool,
    arguments: [
      "Ver.1.01", "HDR+ 1.0.199571065z", "Digital Camera FinePix S5000 Ver1.00", "15.5",
      "G950FXXU1AQJ5", "Adobe Photo",
    ]
  )
  func `Firmware of cameras in Software is no evidence`(firmware: String) throws {
    #expect(try !evidence(software: firmware).contains(.software))
  }

  @Test(arguments: [3, 6])
  func `A thumbnail is reported as kept where only the tag is reset`(tag: Int) throws {
    var options = Options()
    options.onConflict = .resetTag
    let outcome = try Rewriter(options: options).rewrite(
      Fixture.bytes("conflict/content-\(tag).jpg")
    )
    #expect(try outcome.rewritten().changes.count == 1)
    #expect(outcome.plan.embeddedImages.map(\.disposition) == [.kept])
  }

  /// The evidence against the tag of a photo whose thumbnail has another shape, with a value of Software that exiftool
  /// writes.
  private func evidence(software: String) throws -> [TagEvidence.Kind] {
    let photo = try Fixture.bytes("conflict/thumbnail-landscape.jpg")
    let file = try Tool.run("exiftool", ["-Software=" + software, "-o", "-", "-"], input: photo)
    try #require(file.status == 0, "\(file.errorText)")
    let plan = try Rewriter().plan(file.output)
    guard case .skip(let reason) = plan.action else { return [] }
    return reason.evidence.map(\.kind)
  }
}

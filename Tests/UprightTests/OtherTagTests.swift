import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// The tag of TIFF and PNG files.
struct OtherTagTests {
  private static let withTag = [
    "little-endian.tif", "big-endian.tif", "big.tif", "digital-negative.dng", "exif.png",
    "exif-after.png",
  ]

  private func edit(_ file: [UInt8], _ operation: TagEditor.Operation) throws -> Outcome {
    var options = Options()
    options.makesUndo = true
    return try OrientationEditor(TagEditor(operation, options: options)).edit(file)
  }

  private func file(_ name: String) throws -> [UInt8] { try Fixture.bytes("formats/\(name)") }

  /// What exiftool reads of the tag; nil if there is none.
  private func orientation(_ file: [UInt8]) throws -> Int? {
    let tool = try Tool.run(
      "exiftool",
      ["-n", "-s3", "-IFD0:Orientation", "-"],
      input: file
    )
    guard tool.status == 0 else { throw Tool.Failure(tool.errorText) }
    return Int(tool.text.prefix { $0 != "\n" })
  }

  private func reason(_ outcome: Outcome) -> Reason.Code? {
    switch outcome.plan.action {
    case .skip(let reason), .unchanged(let reason): reason.code
    default: nil
    }
  }

  @Test(arguments: withTag)
  func `Setting the tag changes it in place and nothing else`(name: String) throws {
    let file = try file(name)
    let old = try #require(try orientation(file))
    for new in Orientation.allCases {
      let outcome = try edit(file, .set(new))
      guard new.rawValue != old else {
        #expect(reason(outcome) == .tagAlready)
        continue
      }
      let rewrite = try outcome.rewritten()
      // A chunk of a PNG file has a checksum.
      let limit = name.hasSuffix("png") ? 5 : 1
      #expect(rewrite.bytes.count == file.count)
      #expect((1...limit).contains(zip(file, rewrite.bytes).count(where: { $0 != $1 })))
      #expect(rewrite.image.orientation == new)
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
    }
    let rotated = try edit(file, .transform(.rotate90)).rewritten()
    let expected = try #require(Orientation(rawValue: old)).transformed(by: .rotate90)
    #expect(try orientation(rotated.bytes) == expected.rawValue)
  }

  @Test(arguments: withTag)
  func `Removing the tag keeps every other entry`(name: String) throws {
    let file = try file(name)
    let rewrite = try edit(file, .remove).rewritten()
    #expect(rewrite.bytes.count == file.count)
    #expect(try orientation(rewrite.bytes) == nil)
    let hidden = ["-s", "-G1", "--System:all", "--Orientation", "--ExifTool:all", "-"]
    let before = try Tool.run("exiftool", hidden, input: file)
    let after = try Tool.run("exiftool", hidden, input: rewrite.bytes)
    #expect(after.status == 0 && after.text == before.text)
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
    #expect(try reason(edit(rewrite.bytes, .remove)) == .noOrientation)
  }

  @Test func `A PNG file without Exif gets a chunk, and loses it again`() throws {
    let file = try file("plain.png")
    let rewrite = try edit(file, .set(.left)).rewritten()
    #expect(rewrite.bytes.count == file.count + 38)
    #expect(try orientation(rewrite.bytes) == 8)
    // The checksums of all chunks are correct.
    let check = try Tool.run(
      "exiftool",
      ["-validate", "-s3", "-Validate", "-"],
      input: rewrite.bytes
    )
    #expect(!check.text.contains("CRC"))
    let undone = try edit(rewrite.bytes, .remove).rewritten()
    #expect(undone.bytes == file)
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
  }

  @Test func `XMP follows the tag`() throws {
    for name in ["xmp.png", "xmp.tif"] {
      let file = try file(name)
      let rewrite = try edit(file, .set(.up)).rewritten()
      let xmp = try Tool.run(
        "exiftool",
        ["-n", "-s3", "-XMP:Orientation", "-"],
        input: rewrite.bytes
      )
      #expect(xmp.text == "1\n")
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == file)
    }
  }

  @Test func `What has no place for the tag is skipped`() throws {
    #expect(try reason(edit(file("no-orientation.tif"), .set(.left))) == .noOrientationEntry)
    #expect(try reason(edit(file("no-orientation.tif"), .set(.up))) == .noOrientation)
    // Compressed, as ImageMagick writes it.
    #expect(try reason(edit(file("profile.png"), .set(.left))) == .otherFormat)
    #expect(try reason(edit(file("two.png"), .transform(.rotate90))) == .unclearOrientation)
    for name in ["agree.heic", "exif.webp", "agree.jxl"] {
      #expect(try reason(edit(file(name), .set(.left))) == .otherFormat)
    }
  }

  @Test func `A rotation without a tag, by nothing and of an unknown tag`() throws {
    let rotated = try edit(file("plain.png"), .transform(.rotate90)).rewritten()
    #expect(try orientation(rotated.bytes) == 6)
    #expect(try reason(edit(file("exif.png"), .transform(.none))) == .tagAlready)
    var bytes = try file("little-endian.tif")
    let entry = try #require(bytes.firstRange(of: [0x12, 1, 3, 0, 1, 0, 0, 0]))
    bytes[entry.upperBound] = 9
    #expect(try reason(edit(bytes, .transform(.rotate90))) == .reservedOrientation)
  }

  @Test func `Content credentials of other formats are kept or skipped, not removed`() throws {
    var bytes = try file("plain.png")
    // An empty chunk after the header, whose checksum nobody reads.
    bytes.insert(contentsOf: [0, 0, 0, 0] + Array("caBX".utf8) + [0, 0, 0, 0], at: 33)
    var editor = TagEditor(.set(.left))
    #expect(try reason(OrientationEditor(editor).edit(bytes)) == .contentCredentials)
    editor.options.contentCredentials = .strip
    #expect(try reason(OrientationEditor(editor).edit(bytes)) == .contentCredentials)
    editor.options.contentCredentials = .keep
    #expect(try orientation(OrientationEditor(editor).edit(bytes).rewritten().bytes) == 8)
  }

  @Test func `A file without room in memory is skipped, one of no format an error`() throws {
    var editor = TagEditor(.set(.left))
    editor.options.maxMemory = 1
    #expect(try reason(OrientationEditor(editor).edit(file("exif.png"))) == .memoryLimit)
    #expect(throws: UprightError.self) { try OrientationEditor(editor).edit([1, 2, 3]) }
  }

  @Test func `A PNG file that ends before the checksum of its Exif is skipped`() throws {
    let file = try file("exif-after.png")
    let chunk = try #require(file.firstRange(of: Array("eXIf".utf8)))
    let length = Int(file[chunk.lowerBound - 2]) << 8 | Int(file[chunk.lowerBound - 1])
    let cut = Array(file[..<(chunk.upperBound + length + 2)])
    #expect(try reason(edit(cut, .set(.left))) == .otherFormat)
  }

  @Test func `Only the first page of a TIFF file changes`() throws {
    var bytes = try file("little-endian.tif")
    let start = Int(bytes[4]) | Int(bytes[5]) << 8
    let end = start + 2 + 12 * (Int(bytes[start]) | Int(bytes[start + 1]) << 8)
    #expect(bytes[end..<end + 4] == [0, 0, 0, 0])
    bytes.replaceSubrange(end..<end + 4, with: UInt32(start).bytes(.little))
    let plan = try edit(bytes, .set(.left)).plan
    #expect(plan.notes == ["the Orientation of the other pages of the file stays"])
  }

  @Test(arguments: ["exif.png", "little-endian.tif", "exif.webp", "agree.jxl"])
  func `The image of other formats is not transformed`(name: String) throws {
    let file = try file(name)
    let rotation = try OrientationEditor(Normalizer(then: .rotate90)).edit(file)
    #expect(reason(rotation) == .otherFormat)
    #expect(try !OrientationEditor(Normalizer()).edit(file).plan.action.rewrites)
  }
}

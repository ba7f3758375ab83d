import FileBytes
import Fixtures
import ImageFormats
import ImageOrientation
import Testing
import Upright

/// The tag of TIFF and PNG files.
struct OtherTagTests {
  private static let withTag = [
    "little-endian.tif", "big-endian.tif", "big.tif", "digital-negative.dng", "exif.png",
    "exif-after.png",
  ]

  private func edit(_ file: [UInt8], _ operation: TagOperation) throws -> Outcome {
    var options = Options()
    options.makesUndo = true
    return try Rewriter(.tag(operation), options: options).rewrite(file)
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
    #expect(try reason(edit(file("agree.heic"), .set(.left))) == .otherFormat)
    for name in ["exif.webp", "agree.jxl"] {
      #expect(try reason(plan(.tag(.set(.left)), file(name))) == .otherFormat)
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
    var rewriter = Rewriter(.tag(.set(.left)))
    #expect(try reason(rewriter.rewrite(bytes)) == .contentCredentials)
    rewriter.options.contentCredentials = .strip
    #expect(try reason(rewriter.rewrite(bytes)) == .contentCredentials)
    rewriter.options.contentCredentials = .keep
    #expect(try orientation(rewriter.rewrite(bytes).rewritten().bytes) == 8)
  }

  @Test(arguments: [0, 1])
  func `Content credentials on any page of a TIFF file are kept or skipped, not removed`(
    page: Int
  ) throws {
    let sample = TIFFSample(orientations: [6, 3])
    var (bytes, rewriter) = (sample.bytes, Rewriter(.tag(.set(.left))))
    _ = try rewriter.rewrite(bytes).rewritten()
    #expect(try !rewriter.audit(bytes).facts.hasContentCredentials)
    // The entry of Software becomes that of a manifest store.
    let directory = sample.pages[page].directory
    let entry = try #require(bytes[directory].firstRange(of: [0x31, 1, 2, 0, 3, 0, 0, 0]))
    bytes.replaceSubrange(entry, with: [0x41, 0xCD, 7, 0, 3, 0, 0, 0])
    #expect(try rewriter.audit(bytes).facts.hasContentCredentials)
    #expect(try reason(rewriter.rewrite(bytes)) == .contentCredentials)
    rewriter.options.contentCredentials = .strip
    #expect(try reason(rewriter.rewrite(bytes)) == .contentCredentials)
    rewriter.options.contentCredentials = .keep
    let rewrite = try rewriter.rewrite(bytes).rewritten()
    #expect(sample.read(0, in: rewrite.bytes).orientation == 8)
    #expect(try rewriter.audit(rewrite.bytes).facts.hasContentCredentials)
  }

  @Test func `A file without room in memory is skipped, one of no format an error`() throws {
    var rewriter = Rewriter(.tag(.set(.left)))
    rewriter.options.maxMemory = 1
    #expect(try reason(rewriter.rewrite(file("exif.png"))) == .memoryLimit)
    #expect(throws: UprightError.self) { try rewriter.rewrite([1, 2, 3]) }
  }

  @Test func `A PNG file that ends before the checksum of its Exif is skipped`() throws {
    let file = try file("exif-after.png")
    let chunk = try #require(file.firstRange(of: Array("eXIf".utf8)))
    let length = Int(file[chunk.lowerBound - 2]) << 8 | Int(file[chunk.lowerBound - 1])
    let cut = Array(file[..<(chunk.upperBound + length + 2)])
    #expect(try reason(edit(cut, .set(.left))) == .otherFormat)
  }

  private func number(_ bytes: [UInt8], at offset: Int) -> Int {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns a file with Apple's chunk iDOT, chunks after it, and its image data in two halves.
  private func screenshot(_ chunks: [UInt8] = []) throws -> [UInt8] {
    let file = try file("plain.png")
    let start = try #require(file.firstRange(of: Array("IDAT".utf8))).lowerBound - 4
    let length = number(file, at: start)
    let data = Array(file[start + 8..<start + 8 + length])
    let first = PNGChunk.bytes("IDAT", Array(data.prefix(20)))
    let numbers = [2, 0, 16, 40, 16, 16, 40 + chunks.count + first.count]
    return file[..<start] + PNGChunk.bytes("iDOT", numbers.flatMap { UInt32($0).bytes(.big) })
      + chunks
      + first + PNGChunk.bytes("IDAT", Array(data.dropFirst(20))) + file[(start + 12 + length)...]
  }

  private func expectDistance(in file: [UInt8]) throws {
    let start = try #require(file.firstRange(of: Array("iDOT".utf8))).lowerBound - 4
    let distance = number(file, at: start + 32)
    #expect(file[(start + distance + 4)...].starts(with: Array("IDAT".utf8)))
  }

  @Test func `The chunk iDOT of Apple's screenshots still refers to image data`() throws {
    let plain = try screenshot()
    let tagged = try edit(plain, .set(.right)).rewritten().bytes
    #expect(try orientation(tagged) == 6)
    try expectDistance(in: tagged)
    #expect(try edit(tagged, .remove).rewritten().bytes == plain)
    // A chunk that only has the tag is emptied if it is between the two.
    let block = Array(TIFFBlock.exifSegment(.right).dropFirst(10))
    let between = try screenshot(PNGChunk.bytes("eXIf", block))
    let removed = try edit(between, .remove).rewritten().bytes
    #expect(try removed.count == between.count && orientation(removed) == nil)
    try expectDistance(in: removed)
  }

  @Test func `A wrong checksum of metadata is reported and not corrected`() throws {
    for (name, type) in [("exif.png", "eXIf"), ("xmp.png", "iTXt")] {
      var bytes = try file(name)
      let start = try #require(bytes.firstRange(of: Array(type.utf8))).lowerBound - 4
      let end = start + 8 + number(bytes, at: start)
      bytes[end] ^= 1
      let note = "the checksum of the chunk \(type) is wrong, so some readers ignore it"
      #expect(try Rewriter().audit(bytes).plan.notes.map(\.text) == [note])
      #expect(try reason(edit(bytes, .set(.left))) == .exifUnreadable)
    }
  }

  @Test func `An Orientation that cannot be changed is not said to have the requested value`()
    throws
  {
    var bytes = try file("exif.png")
    let entry = try #require(bytes.firstRange(of: [1, 0x12, 0, 3, 0, 0, 0, 1]))
    bytes[entry.upperBound - 1] = 3
    let chunk = try #require(bytes.firstRange(of: Array("eXIf".utf8))).lowerBound
    let end = chunk + 4 + number(bytes, at: chunk - 4)
    bytes.replaceSubrange(end..<end + 4, with: Array(bytes[chunk..<end]).crc32.bytes(.big))
    for operation in [TagOperation.set(.up), .set(.right), .remove] {
      #expect(try reason(edit(bytes, operation)) == .exifUnreadable)
    }
  }

  @Test(arguments: ["exif.png", "little-endian.tif", "exif.webp", "agree.jxl"])
  func `The image of other formats is not transformed`(name: String) throws {
    let file = try file(name)
    #expect(throws: UprightError.self) { try Rewriter(.normalize(then: .rotate90)).rewrite(file) }
    // A command that is given the file says why.
    #expect(try reason(plan(.normalize(then: .rotate90), file)) == .otherFormat)
    #expect(try !plan(.normalize(), file).action.rewrites)
  }

  /// The plan for a file, whatever its format.
  private func plan(_ request: Request, _ file: [UInt8]) throws -> Plan {
    try Rewriter(request).planned(
      size: file.count,
      taking: Set(ImageFormat.allCases),
      from: { offset, count in Array(file.dropFirst(offset).prefix(count)) }
    ).plan
  }

  private func reason(_ plan: Plan) -> Reason.Code? {
    guard case .skip(let reason) = plan.action else { return nil }
    return reason.code
  }
}

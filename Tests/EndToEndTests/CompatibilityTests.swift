import Fixtures
import Foundation
import Testing

/// Upright, called as jpegtran, exiftran, jhead and exifautotran.
struct CompatibilityTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func orientation(_ file: String) throws -> String {
    try upright(["tag", "get", file]).lines.joined()
  }

  /// The pixels that djpeg decodes.
  private func pixels(_ file: String) throws -> [UInt8] {
    let tool = try Tool.run("djpeg", ["-pnm", file])
    guard tool.status == 0 else { throw Tool.Failure(tool.errorText) }
    return tool.output
  }

  @Test(arguments: [
    ["-rotate", "90"], ["-rot", "180"], ["-rotate", "270"], ["-flip", "h"], ["-FLIP", "vertical"],
    ["-transpose"], ["-transverse"], ["-crop", "40x24+17+9"],
    ["-crop", "40x24+17+9", "-rotate", "90"], ["-flip", "v", "-cr", "16x40+3+20"],
  ])
  func `As jpegtran, the stored pixels are those of jpegtran, and -copy all keeps the tag`(
    options: [String]
  ) throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let original = try Tool.run("jpegtran", options + ["-outfile", scratch.path("a.jpg"), file])
    #expect(original.status == 0)
    let output = scratch.path("b.jpg")
    #expect(try upright(["as", "jpegtran"] + options + ["-outfile", output, file]).status == 0)
    #expect(try pixels(output) == pixels(scratch.path("a.jpg")))
    #expect(try orientation(output) == "1")
    let all = ["as", "jpegtran"] + options + ["-copy", "all", "-outfile", output, file]
    #expect(try upright(all).status == 0)
    #expect(try pixels(output) == pixels(scratch.path("a.jpg")))
    #expect(try orientation(output) == "6")
  }

  /// What the original programs do (jhead 3.06, exiftran 2.10, exifautotran of libjpeg-turbo).
  @Test(arguments: ["0", "9"])
  func `An Orientation without a meaning becomes 1 where the original program does so`(
    value: String
  ) throws {
    for (program, expected) in [
      (["jhead", "-autorot"], "1"), (["jhead", "-norot"], "1"), (["exiftran", "-ai"], "1"),
      (["exifautotran"], value),
    ] {
      let file = try scratch.copy("exif/orientation-\(value).jpg", as: "photo.jpg")
      let result = try upright(["as"] + program + [file])
      #expect(result.status == 0 || expected != "1", "\(result.errorText)")
      #expect(try orientation(file) == expected, "\(program) \(result.errorText)")
    }
  }

  @Test func `As jpegtran, standard input, standard output and the input as output work`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let bytes = try Fixture.bytes(rotatedFixture)
    let piped = try upright(["as", "jpegtran", "-rotate", "90"], input: bytes)
    #expect(piped.status == 0)
    #expect(try piped.output == normalized(rotatedFixture))
    #expect(try upright(["as", "jpegtran", "-rotate", "90", file]).output == piped.output)
    #expect(
      try upright(["as", "jpegtran", "-rotate", "90", "-outfile", file, file]).status == 0
    )
    #expect(try scratch.read("photo.jpg") == piped.output)
  }

  @Test func `As jpegtran, edges are cut off with -trim only, and -perfect refuses them`() throws {
    let file = try scratch.copy(unalignedFixture, as: "photo.jpg")
    let output = scratch.path("b.jpg")
    let call = ["as", "jpegtran", "-rotate", "90", "-outfile", output]
    let perfect = try upright(call + ["-perfect", file])
    #expect(perfect.status == 1)
    #expect(perfect.errorText.contains("not perfect"))
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(try upright(call + [file]).status == 0)
    let whole = try pixels(output).count
    #expect(try upright(call + ["-trim", file]).status == 0)
    #expect(try pixels(output).count < whole)
  }

  @Test(arguments: [
    ["jpegtran", "photo.jpg"], ["jpegtran", "-optimize", "photo.jpg"],
    ["jpegtran", "-rotate", "90", "-progressive", "photo.jpg"],
    ["jpegtran", "-rotate", "90", "-copy", "none", "photo.jpg"],
    ["jpegtran", "-rotate", "90", "-trim", "-crop", "8x8+0+0", "photo.jpg"],
    ["jpegtran", "-rotate", "90", "-p", "photo.jpg"], ["jpegtran", "-roll", "+8+8", "photo.jpg"],
    ["jhead", "-autorot", "-ft", "photo.jpg"],
    ["exiftran", "-9", "-nt", "-i", "photo.jpg"], ["exiftran", "-g", "-i", "photo.jpg"],
    ["jhead", "-purejpg", "photo.jpg"], ["jhead", "photo.jpg"],
  ])
  func `An option that Upright does not have is an error that names the original program`(
    call: [String]
  ) throws {
    _ = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let result = try upright(["as"] + call, in: scratch.url.path)
    #expect(result.status == 1)
    #expect(result.output.isEmpty)
    #expect(result.errorText.hasPrefix("\(call[0]): Upright has no "))
    #expect(result.errorText.contains("Use the original \(call[0])"))
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A link with the name of a program takes its options`() throws {
    let link = scratch.url.appending(path: "exiftran")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: uprightBinary)
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let result = try Tool.run(link, ["-aib", file])
    #expect(result.status == 0)
    #expect(result.errorLines == ["processing \(file)"])
    #expect(result.output.isEmpty)
    #expect(try scratch.read("photo.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("photo.jpg~") == Fixture.bytes(rotatedFixture))
  }

  @Test func `As exiftran, -no keeps the tag, and -o overwrites a file`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let output = try scratch.copy(uprightFixture, as: "old.jpg")
    #expect(try upright(["as", "exiftran", "-a", "-no", "-o", output, file]).status == 0)
    #expect(try orientation(output) == "6")
    #expect(try upright(["as", "exiftran", "-1", "-o\(output)", file]).status == 0)
    #expect(try orientation(output) == "1")
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try upright(["as", "exiftran", "-a", file]).status == 1)
  }

  @Test(arguments: [("1", 1), ("100", 0), ("1m", 0)])
  func `As jpegtran, memory is in thousands or in millions of bytes`(
    memory: String,
    status: Int32
  ) throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let call = ["as", "jpegtran", "-rotate", "90", "-maxmemory", memory, file]
    #expect(try upright(call).status == status)
  }

  @Test(arguments: ["own-orientation", "own-orientation-differs"])
  func `A tag that is kept keeps the thumbnail's, too`(name: String) throws {
    let file = try scratch.copy("thumbnail/\(name).jpg", as: "a.jpg")
    func tags(_ path: String) throws -> String {
      try Tool.run("exiftool", ["-a", "-n", "-s3", "-IFD0:Orientation", "-IFD1:Orientation", path])
        .text
    }
    let output = scratch.path("b.jpg")
    for call in [
      ["jpegtran", "-rotate", "90", "-copy", "all", "-outfile"], ["exiftran", "-9", "-no", "-o"],
    ] {
      let original = try Tool.run(call[0], call.dropFirst() + [output, file])
      #expect(original.status == 0)
      let expected = try tags(output)
      #expect(try upright(["as"] + call + [output, file]).status == 0)
      #expect(try tags(output) == expected, "\(call)")
    }
  }

  /// What exiftran 2.10, jhead 3.06 and exifautotran do.
  @Test(arguments: [
    (["exiftran", "-ai"], true, false), (["exiftran", "-aip"], true, true),
    (["exiftran", "-9i"], true, false), (["jhead", "-q", "-autorot"], true, true),
    (["jhead", "-q", "-norot"], true, true), (["exifautotran"], false, false),
  ])
  func `A symbolic link and the time become what the original program makes of them`(
    call: [String],
    replacesLink: Bool,
    keepsTime: Bool
  ) throws {
    for isOriginal in [true, false] {
      let file = try scratch.copy(rotatedFixture, as: "archive/a.jpg")
      _ = try Tool.run("touch", ["-d", "@1717236000", file])
      let link = scratch.path("a.jpg")
      try? FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      let done =
        isOriginal
        ? try Tool.run(call[0], call.dropFirst() + [link]) : try upright(["as"] + call + [link])
      #expect(done.status == 0, "\(done.errorText)")
      #expect(try (scratch.read("archive/a.jpg") == Fixture.bytes(rotatedFixture)) == replacesLink)
      #expect(try scratch.read("a.jpg") != Fixture.bytes(rotatedFixture))
      let isLink = try Tool.run("readlink", [link]).status == 0
      #expect(isLink == !replacesLink)
      let time = try Tool.run("stat", ["-L", "-c", "%Y", link]).text.prefix(10)
      #expect((time == "1717236000") == keepsTime, "\(isOriginal)")
    }
  }

  @Test func `As jhead, files are named when they change, and the tag alone is reset`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let other = try scratch.copy(uprightFixture, as: "upright.jpg")
    let rotated = try upright(["as", "jhead", "-autorot", file, other])
    #expect(rotated.lines == ["Modified: \(file)"])
    #expect(try scratch.read("photo.jpg") == normalized(rotatedFixture))
    let tagged = try scratch.copy(rotatedFixture, as: "tagged.jpg")
    #expect(try upright(["as", "jhead", "-q", "-norot", tagged]).lines.isEmpty)
    #expect(try orientation(tagged) == "1")
    #expect(
      try pixels(tagged) == Tool.run("djpeg", ["-pnm"], input: Fixture.bytes(rotatedFixture)).output
    )
  }

  @Test func `A file that is skipped has a message, status 1 and no output`() throws {
    let unclearFixture = "exif/orientation-0-and-6.jpg"
    let file = try scratch.copy(unclearFixture, as: "photo.jpg")
    let output = scratch.path("b.jpg")
    for call in [
      ["exifautotran", file], ["exiftran", "-ai", file],
      ["jpegtran", "-rotate", "90", "-outfile", output, file],
    ] {
      let result = try upright(["as"] + call)
      #expect(result.status == 1)
      #expect(result.errorText.contains("\(call[0]): \(file): skipped: "))
    }
    #expect(!FileManager.default.fileExists(atPath: output))
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(unclearFixture))
  }
}

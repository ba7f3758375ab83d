import Fixtures
import Foundation
import Testing

/// The commands that transform what is seen, and those that change the tag alone.
struct OrientationTransformTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static let commands = [
    ["rotate", "90"], ["rotate", "180"], ["rotate", "270"], ["flip", "horizontal"],
    ["flip", "vertical"], ["transpose"], ["transverse"],
  ]

  private func orientation(_ file: String) throws -> String {
    let result = try upright(["tag", "get", file])
    #expect(result.status == 0, "\(result.errorText)")
    return result.lines.joined(separator: " ")
  }

  @Test(arguments: commands)
  func `An image is transformed in place, proven, recorded, and restored`(
    command: [String]
  ) throws {
    let file = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    let before = try scratch.copy("sample/portrait.jpg", as: "before.jpg")
    let record = scratch.path("record.ndjson")
    let line = try #require(
      try upright(command + ["--format", "ndjson", "--record", record, file]).json().first
    )
    #expect(["rotated", "flipped", "reset"].contains(line.status))
    #expect(line.verification == "restored")
    #expect(try orientation(file) == "1")
    if line.status != "reset" {
      let transform = command.joined(separator: "-")
      #expect(try upright(["verify", "--transform", transform, before, file]).status == 0)
      #expect(try upright(["verify", before, file]).status == 1)
    }
    #expect(try upright(["undo", "-r", "--record", record], in: scratch.url.path).status == 0)
    #expect(try scratch.read("photo.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test(arguments: commands)
  func `With --tag-only at most two bytes change`(command: [String]) throws {
    let original = try Fixture.bytes(rotatedFixture)
    let result = try upright(command + ["--tag-only", "-"], input: original)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(result.output.count == original.count)
    #expect(zip(result.output, original).count { $0 != $1 } == 1)
  }

  @Test func `Two runs rotate twice, and four quarter rotations restore the image`() throws {
    let file = try scratch.copy(uprightFixture, as: "photo.jpg")
    for (flags, expected) in [
      (["--tag-only"], ["6", "3", "8", "1"]), ([], ["1", "1", "1", "1"]),
    ] {
      for value in expected {
        #expect(try upright(["rotate", "90"] + flags + [file]).status == 0)
        #expect(try orientation(file) == value)
      }
      let pixels = try Tool.djpeg(try scratch.read("photo.jpg"))
      #expect(try pixels == Tool.djpeg(Fixture.bytes(uprightFixture)))
    }
  }

  @Test func `Directories, dry runs and outputs work as those of normalize`() throws {
    for path in [rotatedFixture, uprightFixture, skippedFixture] {
      try scratch.copy(path, as: "in/\(path)")
    }
    let dry = try upright(["flip", "horizontal", "-r", "-n", scratch.path("in")])
    #expect(dry.status == 1)
    #expect(try scratch.read("in/\(rotatedFixture)") == Fixture.bytes(rotatedFixture))
    let arguments = ["-r", scratch.path("in"), "--output-dir", scratch.path("out")]
    let result = try upright(["flip", "horizontal", "--format", "ndjson"] + arguments)
    #expect(result.status == 1)
    #expect(try result.json().map(\.status).sorted() == ["flipped", "flipped", "skipped"])
    #expect(try scratch.read("in/\(rotatedFixture)") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("out/\(skippedFixture)") == Fixture.bytes(skippedFixture))
  }

  @Test func `The report gives the displayed and the stored transform`() throws {
    let result = try upright([
      "rotate", "90", "-n", try scratch.copy(rotatedFixture, as: "photo.jpg"),
    ])
    let text = "rotate 90° clockwise as displayed (rotate 180° as stored), lossless (96×64)"
    #expect(result.lines == ["\(scratch.path("photo.jpg")): \(text)"])
  }

  @Test func `Tags are read, set, and removed`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    #expect(try orientation(file) == "6")
    #expect(try upright(["tag", "set", "left", file]).status == 0)
    #expect(try orientation(file) == "8")
    let record = scratch.path("record.ndjson")
    let removed = try upright(["tag", "remove", "--record", record, "--format", "ndjson", file])
    #expect(try removed.json().map(\.status) == ["tagged"])
    #expect(try orientation(file) == "none")
    #expect(try upright(["undo", "-r", "--record", record, file]).status == 0)
    #expect(try orientation(file) == "8")
    #expect(try upright(["tag", "set", "6", file]).status == 0)
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `The tags of several files are printed with their files`() throws {
    let files = try [rotatedFixture, uprightFixture, "exif/no-exif.jpg"].map {
      try scratch.copy($0, as: $0)
    }
    let result = try upright(["tag", "get"] + files)
    #expect(result.lines == zip(files, ["6", "1", "none"]).map { "\($0): \($1)" })
    #expect(try upright(["tag", "get", scratch.path("nothing.jpg")]).status == 2)
  }

  @Test func `The formats for programs of tags are complete, and what a plan finds is no finding`()
    throws
  {
    let file = try scratch.copy("conflict/content-6.jpg")
    let document = try upright(["tag", "get", "--format", "json", file])
    let object = try JSONSerialization.jsonObject(with: Data(document.output)) as? [String: Any]
    #expect((object?["files"] as? [[String: Any]])?.map { $0["orientation"] as? Int } == [6])
    #expect(document.status == 0)
    _ = try scratch.write([], to: "empty/notes.txt")
    let rows = try upright(["tag", "get", "--format", "csv", scratch.path("empty")])
    #expect(rows.text.hasPrefix("path,"))
    #expect(try upright(["tag", "get", "--format", "table", file]).status == 64)
  }

  @Test func `A tag without room is a finding, and the message names what to do`() throws {
    let file = try scratch.copy("exif/no-orientation.jpg", as: "photo.jpg")
    let result = try upright(["rotate", "90", "--tag-only", file])
    #expect(result.status == 1)
    #expect(result.text.contains("rotate or flip the image itself instead"))
    #expect(try upright(["rotate", "90", file]).status == 0)
  }

  @Test(arguments: [
    ["rotate", "45"], ["rotate"], ["flip", "diagonal"], ["tag", "set", "9"], ["tag", "set", "0"],
    ["rotate", "90"],
  ])
  func `Invalid arguments are wrong usage`(arguments: [String]) throws {
    #expect(
      try upright(arguments + (arguments == ["rotate", "90"] ? [] : [uprightFixture])).status == 64
    )
  }
}

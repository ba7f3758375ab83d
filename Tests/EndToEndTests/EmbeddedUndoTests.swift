import Fixtures
import Foundation
import Testing

/// Undo data that travels with the photo.
struct EmbeddedUndoTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func normalize(_ arguments: String...) throws -> Tool {
    try upright(["normalize", "--embed-undo"] + arguments)
  }

  @Test func `A photo is restored without a record, wherever it is`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let other = try scratch.copy(unalignedFixture, as: "other.jpg")
    let result = try normalize(file, other)
    #expect(result.status == 0)
    let summary = "2 of 2 rewritten files can be restored identically with upright undo alone"
    #expect(result.lines.last == summary)
    let moved = scratch.path("moved.jpg")
    try FileManager.default.moveItem(atPath: file, toPath: moved)
    let dry = try upright(["undo", "-n", "--format", "ndjson", moved])
    #expect(try dry.json().map(\.status) == ["restorable"])
    #expect(try upright(["undo", moved, other]).status == 0)
    #expect(try scratch.read("moved.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("other.jpg") == Fixture.bytes(unalignedFixture))
    let again = try upright(["undo", "--format", "ndjson", moved])
    #expect(again.status == 1)
    #expect(try again.json().map(\.reason?.id) == ["no-undo-data"])
  }

  @Test func `In directories, files without undo data are unchanged`() throws {
    _ = try scratch.copy(uprightFixture, as: "photos/a.jpg")
    let file = try scratch.copy(rotatedFixture, as: "photos/b.jpg")
    _ = try scratch.copy(damagedFixture, as: "photos/c.jpg")
    _ = try normalize(file)
    let result = try upright(["undo", "-r", scratch.path("photos")])
    #expect(result.status == 0, "\(result.text)\(result.errorText)")
    #expect(result.lines.last == "3 files: 1 restored, 2 unchanged")
    #expect(try scratch.read("photos/b.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A photo that was edited afterwards is not restored`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    _ = try normalize(file)
    let rotated = try scratch.read("photo.jpg")
    let comment = [0xFF, 0xFE, 0, 3, 65] as [UInt8]
    let tag = try #require(rotated.firstRange(of: Array("Exif\0\0".utf8))).upperBound + 8
    var edits = [rotated, rotated, rotated]
    edits[0].insert(contentsOf: comment, at: 2)
    edits[1][tag + 30] ^= 1
    edits[2][rotated.count - 8] ^= 4
    for edited in edits {
      try scratch.write(edited, to: "photo.jpg")
      let result = try upright(["undo", "--format", "ndjson", file])
      #expect(result.status == 1)
      #expect(try result.json().map(\.reason?.id) == ["changed-since"])
      #expect(try scratch.read("photo.jpg") == edited)
    }
  }

  @Test func `Every rewrite of a photo with undo data leads back to the first original`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    _ = try normalize(file)
    let first = try scratch.read("photo.jpg")
    #expect(try upright(["rotate", "90", file]).status == 0)
    #expect(try upright(["tag", "set", "6", file]).status == 0)
    #expect(try upright(["rotate", "left", "--tag-only", file]).status == 0)
    let last = try scratch.read("photo.jpg")
    #expect(try upright(["undo", file]).status == 0)
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
    try scratch.write(last, to: "photo.jpg")
    for _ in 0..<3 { #expect(try upright(["undo", "--last", file]).status == 0) }
    #expect(try scratch.read("photo.jpg") == first)
  }

  @Test func `A crop has no undo data`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    _ = try normalize(file)
    let result = try upright(["crop", "16x16+0+0", "--backup", ".orig", file])
    #expect(result.status == 0 && result.text.contains("undo data in the file is removed"))
    #expect(try upright(["undo", file]).status == 1)
  }

  @Test func `A record and the undo data both restore`() throws {
    let record = scratch.path("record.ndjson")
    for arguments in [["--record", record], []] {
      let file = try scratch.copy(unalignedFixture, as: "photo.jpg")
      try? FileManager.default.removeItem(atPath: record)
      #expect(try normalize("--record", record, "--require-undo", file).status == 0)
      #expect(try upright(["undo", file] + arguments).status == 0)
      #expect(try scratch.read("photo.jpg") == Fixture.bytes(unalignedFixture))
    }
  }

  @Test func `Undo data is removed on request`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    _ = try normalize(file)
    let dry = try upright(["undo", "--strip", "-n", "--format", "ndjson", file])
    #expect(try dry.json().map(\.status) == ["planned"])
    let result = try upright(["undo", "--strip", "--format", "ndjson", file])
    #expect(result.status == 0)
    #expect(try result.json().map(\.status) == ["stripped"])
    #expect(try scratch.read("photo.jpg") == normalized(rotatedFixture))
    #expect(try upright(["undo", "--strip", file]).status == 1)
  }

  @Test func `Verify accepts undo data, but not that of another file`() throws {
    let original = try scratch.copy(rotatedFixture, as: "original.jpg")
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    _ = try normalize(file)
    let result = try upright(["verify", original, file])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains("the result holds undo data"))
    var bytes = try scratch.read("photo.jpg")
    let data = try #require(bytes.firstRange(of: Array("Upright undo\0".utf8))).upperBound + 10
    bytes[data] ^= 1
    try scratch.write(bytes, to: "photo.jpg")
    let wrong = try upright(["verify", original, file])
    #expect(wrong.status == 1)
    #expect(wrong.text.contains("does not restore the original"))
  }

  @Test func `Inspect and audit name the undo data`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    _ = try normalize(file)
    let inspection = try upright(["inspect", file])
    #expect(inspection.text.contains("APP15   undo data"))
    #expect(inspection.text.contains("restores the file before the rewrite"))
    let audit = try upright(["audit", "--format", "ndjson", scratch.url.path])
    #expect(audit.text.contains("\"undoData\":true"))
  }

  @Test func `A file that cannot hold undo data is skipped, unless a record keeps it`() throws {
    let file = try scratch.copy("heif/plain.heic", as: "photo.heic")
    let command = ["rotate", "90", "--formats", "all", "--embed-undo", "--format", "ndjson"]
    for arguments in [["-n"], []] {
      let result = try upright(command + arguments + [file])
      #expect(try result.json().map(\.reason?.id) == ["no-undo"], "\(result.errorText)")
    }
    #expect(try scratch.read("photo.heic") == Fixture.bytes("heif/plain.heic"))
    let record = ["--record", scratch.path("record")]
    #expect(try upright(command + record + [file]).status == 0)
    #expect(try scratch.read("photo.heic") != Fixture.bytes("heif/plain.heic"))
    #expect(try upright(["undo"] + record + [file]).status == 0)
    #expect(try scratch.read("photo.heic") == Fixture.bytes("heif/plain.heic"))
  }

  @Test(arguments: [
    ["normalize", "--embed-undo", "--no-verify"], ["undo"], ["undo", "--strip", "--last"],
  ])
  func `Options that contradict each other are a usage error`(arguments: [String]) throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let names = arguments == ["undo"] ? [] : [file]
    #expect(try upright(arguments + names).status == 64)
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
  }
}

import Fixtures
import Foundation
import Testing

/// `upright rotate --angles-from`, which rotates each file of a list by its own angle.
struct AngleListTests {
  let scratch: Scratch
  private let upright90 = "orientation/aligned-6.jpg"

  init() throws { scratch = try Scratch() }

  private func rotate(_ list: String, _ options: String...) throws -> Tool {
    try upright(
      ["rotate", "--angles-from", "-"] + options,
      input: Array(list.utf8),
      in: scratch.url.path
    )
  }

  private func orientation(_ file: String) throws -> String {
    try upright(["tag", "get", scratch.path(file)]).lines.joined()
  }

  @Test(arguments: [[], ["--tag-only"]])
  func `Each file is rotated by its angle, and others stay`(options: [String]) throws {
    for name in ["a", "b", "c", "zero", "other"] {
      try scratch.copy(upright90, as: "in/\(name).jpg")
    }
    let before = try Fixture.bytes(upright90)
    let list = scratch.path("angles.tsv")
    try Data("in/a.jpg\t90\r\n./in/b.jpg\t180\n\nin/c.jpg\t270\nin/zero.jpg\t0\nin/a.jpg\t90".utf8)
      .write(to: URL(filePath: list))
    let arguments = ["rotate", "--angles-from", list, "--format", "ndjson"] + options
    let planned = try upright(arguments + ["-n"], in: scratch.url.path)
    #expect(try planned.json().map(\.status) == ["planned", "planned", "planned", "unchanged"])
    #expect(try scratch.read("in/a.jpg") == before)
    let lines = try upright(
      arguments + ["--record", "record.ndjson", "--journal", "journal"],
      in: scratch.url.path
    ).json()
    #expect(lines.map { $0.path } == ["in/a.jpg", "./in/b.jpg", "in/c.jpg", "in/zero.jpg"])
    #expect(lines.map(\.status).last == "unchanged")
    for name in ["zero", "other"] { #expect(try scratch.read("in/\(name).jpg") == before) }
    for (name, tag, angle) in [("a", "3", "90"), ("b", "8", "180"), ("c", "1", "270")] {
      #expect(try orientation("in/\(name).jpg") == (options.isEmpty ? "1" : tag))
      let alone = try scratch.copy(upright90, as: "alone-\(name).jpg")
      #expect(try upright(["rotate", angle, alone] + options).status == 0)
      #expect(try scratch.read("in/\(name).jpg") == scratch.read("alone-\(name).jpg"))
    }
    // What is done is not done again, and can be undone.
    let again = try upright(arguments + ["--journal", "journal"], in: scratch.url.path)
    #expect(try again.json().isEmpty)
    #expect(try upright(["undo", "--record", "record.ndjson"], in: scratch.url.path).status == 0)
    for name in ["a", "b", "c"] { #expect(try scratch.read("in/\(name).jpg") == before) }
  }

  @Test(arguments: [
    ("in/a.jpg\t90\nin/b.jpg 90\n", "line 2: a line consists of a path, a tab and an angle."),
    ("in/a.jpg\t90\n\nin/b.jpg\t45\n", "line 3: the angle must be 0, 90, 180 or 270, not \"45\"."),
    ("in/a.jpg\t-90\n", "line 1: the angle must be 0, 90, 180 or 270, not \"-90\"."),
    ("\t90\n", "line 1: a line consists of a path, a tab and an angle."),
    ("in/a.jpg\t90\nin/b.jpg\t0\n./in/a.jpg\t180\n", "./in/a.jpg has another angle in line 1."),
    ("in/a.jpg\t90\nin/\0b.jpg\t90\n", "line 2: this is not a path."),
  ])
  func `Nothing is written if a line is wrong`(list: String, problem: String) throws {
    for name in ["a", "b"] { try scratch.copy(upright90, as: "in/\(name).jpg") }
    let result = try rotate(list, "--record", "record.ndjson", "--journal", "journal")
    #expect(result.status == 64)
    #expect(result.errorText.contains("standard input, line") && result.errorText.contains(problem))
    #expect(result.errorText.contains("No file was changed."))
    for name in ["a", "b"] {
      #expect(try scratch.read("in/\(name).jpg") == Fixture.bytes(upright90))
    }
    #expect(!scratch.exists("record.ndjson") && !scratch.exists("journal"))
  }

  @Test func `One photo under several spellings has one angle`() throws {
    try scratch.copy(upright90, as: "in/a.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("in/link.jpg"),
      withDestinationPath: "a.jpg"
    )
    for other in [scratch.path("in/a.jpg"), "in/../in/a.jpg", "in/link.jpg"] {
      let result = try rotate("in/a.jpg\t90\n\(other)\t180\n")
      #expect(result.status == 64, "\(other)")
      #expect(result.errorText.contains("has another angle in line 1."))
      #expect(try scratch.read("in/a.jpg") == Fixture.bytes(upright90))
      #expect(try rotate("in/a.jpg\t90\n\(other)\t90\n", "-n").status == 0)
    }
    // Each name gets its own output.
    let outputs = try rotate("in/a.jpg\t90\nin/link.jpg\t180\n", "--output-dir", "out")
    #expect(outputs.status == 0, "\(outputs.errorText)")
    #expect(try scratch.read("out/in/a.jpg") != scratch.read("out/in/link.jpg"))
  }

  @Test func `A journal does not hide an angle that was changed`() throws {
    for name in ["a", "b", "c"] { try scratch.copy(upright90, as: "in/\(name).jpg") }
    let first = try rotate("in/a.jpg\t90\nin/b.jpg\t0\nin/c.jpg\t90\n", "--journal", "journal")
    #expect(first.status == 0)
    let done = try scratch.read("in/a.jpg")
    let second = try rotate(
      "in/a.jpg\t180\nin/b.jpg\t180\nin/c.jpg\t90\n",
      "--journal",
      "journal"
    )
    #expect(second.status == 2)
    #expect(
      second.errorText.contains("in/a.jpg: error: an earlier run with this journal did rotate-90")
    )
    #expect(second.text.contains("3 files: 1 rotated, 1 failed, 1 done in an earlier run"))
    #expect(try scratch.read("in/a.jpg") == done)
    #expect(try scratch.read("in/b.jpg") != Fixture.bytes(upright90))
  }

  @Test func `With -0 names may have line breaks, and tabs in any case`() throws {
    try scratch.copy(upright90, as: "two\nlines.jpg")
    try scratch.copy(upright90, as: "a\ttab.jpg")
    #expect(try rotate("two\nlines.jpg\t270\0a\ttab.jpg\t90\0", "-0").status == 0)
    #expect(try orientation("two\nlines.jpg") == "1")
    #expect(try scratch.read("two\nlines.jpg") != Fixture.bytes(upright90))
    #expect(try scratch.read("a\ttab.jpg") != Fixture.bytes(upright90))
  }

  @Test func `A file with the angle 0 is copied to an output directory`() throws {
    try scratch.copy(upright90, as: "a.jpg")
    try scratch.copy(upright90, as: "b.jpg")
    #expect(try rotate("a.jpg\t0\nb.jpg\t90\n", "--output-dir", "out").status == 0)
    #expect(try scratch.read("out/a.jpg") == Fixture.bytes(upright90))
    #expect(try scratch.read("out/b.jpg") != Fixture.bytes(upright90))
    #expect(try scratch.read("b.jpg") == Fixture.bytes(upright90))
  }

  @Test func `With the angle 0, tags that differ and a sidecar stay as they are`() throws {
    let fixture = "xmp/disagrees.jpg"
    try scratch.copy(fixture, as: "photo.jpg")
    try scratch.write(Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8), to: "photo.xmp")
    let result = try rotate("photo.jpg\t0\n", "--sidecars", "update")
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(fixture))
  }

  @Test func `Contradicting arguments and missing files are errors`() throws {
    let file = try scratch.copy(upright90, as: "a.jpg")
    let list = scratch.path("angles.tsv")
    try Data("a.jpg\t90\nmissing.jpg\t90\n".utf8).write(to: URL(filePath: list))
    for arguments in [
      ["rotate", "90", "--angles-from", list], ["rotate", "90", file, "--angles-from", list],
      ["rotate", "--angles-from", list, "--files-from", list], ["rotate"], ["rotate", "90"],
      ["rotate", "--angles-from", list, "--record", list], ["rotate", "90", file, "-0"],
    ] {
      #expect(try upright(arguments).status == 64, "\(arguments)")
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(upright90))
    #expect(try upright(["rotate", "--angles-from", scratch.path("none")]).status == 2)
    let result = try upright(["rotate", "--angles-from", list], in: scratch.url.path)
    #expect(result.status == 2 && result.errorText.contains("missing.jpg"))
    #expect(try orientation("a.jpg") == "1")
  }
}

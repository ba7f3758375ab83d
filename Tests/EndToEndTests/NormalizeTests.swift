import Fixtures
import Foundation
import Testing

struct NormalizeTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test func `A file is replaced in place by the upright image`() throws {
    let file = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    let result = try upright(["normalize", file])
    #expect(result.status == 0)
    #expect(result.lines == ["\(file): rotated 90° clockwise, lossless (480×320 → 320×480)"])
    #expect(result.errorText.isEmpty)
    #expect(try scratch.files() == ["photo.jpg"])
    let expected = try Tool.jpegtran(
      try Fixture.bytes("sample/portrait.jpg"),
      ["-perfect", "-rotate", "90"]
    )
    #expect(try Tool.djpeg(try scratch.read("photo.jpg")) == Tool.djpeg(expected))
    let again = try upright(["normalize", file])
    #expect(again.status == 0)
    #expect(again.lines == ["\(file): already upright: Orientation is 1"])
  }

  @Test func `The total says whether images were flipped`() throws {
    for number in [2, 3, 6] { try scratch.copy("orientation/aligned-\(number).jpg") }
    let tree = scratch.path("orientation")
    #expect(try upright(["audit", tree]).lines.last == "3 files: 3 to rotate or flip")
    let result = try upright(["normalize", "-r", tree])
    #expect(result.lines.last == "3 files: 3 rotated or flipped")
    let again = try upright(["rotate", "90", "-r", tree])
    #expect(again.lines.last == "3 files: 3 rotated")
  }

  @Test func `A tag without a meaning is set to 1 on request, in place and with a record`() throws {
    let fixtures = [skippedFixture, "exif/orientation-0.jpg"]
    let files = try fixtures.map { try scratch.copy($0) }
    let record = ["--record", scratch.path("record.ndjson")]
    let before = try upright(["normalize", "--format", "ndjson"] + files).json()
    #expect(before.map(\.status) == ["skipped", "already-upright"])
    let options = ["--reset-invalid", "--format", "ndjson"]
    let planned = try upright(["normalize", "-n"] + options + files).json()
    #expect(planned.map(\.status) == ["planned", "planned"])
    let result = try upright(["normalize"] + record + options + files)
    #expect(result.status == 0, "\(result.errorText)")
    let lines = try result.json()
    #expect(lines.map(\.status) == ["reset", "reset"])
    #expect(lines.map { $0.reason?.id } == ["reserved-orientation", "unknown-orientation"])
    for (file, fixture) in zip(files, fixtures) {
      let tag = try Tool.run("exiftool", ["-n", "-s3", "-Orientation", file])
      #expect(tag.lines == ["1"], "\(tag.errorText)")
      let original = try scratch.copy(fixture, as: "original.jpg")
      let verdict = try upright(["verify", original, file])
      #expect(verdict.status == 0, "\(verdict.text)")
    }
    #expect(try upright(["undo"] + record + files).status == 0)
    for fixture in fixtures { #expect(try scratch.read(fixture) == Fixture.bytes(fixture)) }
  }

  @Test func `Time and mode of a replaced file are kept`() throws {
    let file = try scratch.copy(rotatedFixture)
    let manager = FileManager.default
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try manager.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: date],
      ofItemAtPath: file
    )
    #expect(try upright(["normalize", file]).status == 0)
    #expect(try scratch.read(rotatedFixture) != Fixture.bytes(rotatedFixture))
    let after = try manager.attributesOfItem(atPath: file)
    #expect(after[.posixPermissions] as? Int == 0o640)
    #expect(after[.modificationDate] as? Date == date)
  }

  @Test(arguments: [uprightFixture, skippedFixture, "exif/no-exif.jpg", damagedFixture])
  func `A file that is not transformed is not touched`(path: String) throws {
    let file = try scratch.copy(path)
    let manager = FileManager.default
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try manager.setAttributes([.modificationDate: date], ofItemAtPath: file)
    let before = try manager.attributesOfItem(atPath: file)
    _ = try upright(["normalize", file])
    let after = try manager.attributesOfItem(atPath: file)
    #expect(try scratch.read(path) == Fixture.bytes(path))
    #expect(after[.modificationDate] as? Date == date)
    #expect(after[.systemFileNumber] as? Int == before[.systemFileNumber] as? Int)
    #expect(try scratch.files() == [path])
  }

  @Test func `With -o the result is another file and the input stays`() throws {
    let file = try scratch.copy(rotatedFixture)
    let output = scratch.path("out.jpg")
    #expect(try upright(["normalize", file, "-o", output]).status == 0)
    #expect(try scratch.read("out.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read(rotatedFixture) == Fixture.bytes(rotatedFixture))

    try scratch.write([1, 2, 3], to: "out.jpg")
    let refused = try upright(["normalize", file, "-o", output])
    #expect(refused.status == 2)
    #expect(refused.errorText.contains("already exists"))
    #expect(try scratch.read("out.jpg") == [1, 2, 3])
    #expect(try upright(["normalize", file, "-o", output, "--overwrite"]).status == 0)
    #expect(try scratch.read("out.jpg") == normalized(rotatedFixture))
    #expect(try scratch.files() == [rotatedFixture, "out.jpg"])
  }

  @Test func `With -o an unchanged file is copied, and a file that fails is not written`() throws {
    for path in [uprightFixture, skippedFixture] {
      let output = scratch.path("out.jpg")
      let result = try upright(["normalize", try scratch.copy(path), "-o", output])
      #expect(result.status == (path == uprightFixture ? 0 : 1))
      #expect(try scratch.read("out.jpg") == Fixture.bytes(path))
      try FileManager.default.removeItem(atPath: output)
    }
    let damaged = try scratch.copy(damagedFixture)
    #expect(try upright(["normalize", damaged, "-o", scratch.path("out.jpg")]).status == 2)
    #expect(!scratch.exists("out.jpg"))
  }

  @Test func `With -o - the image goes to standard output and the report to standard error`()
    throws
  {
    let file = try scratch.copy(rotatedFixture)
    let result = try upright(["normalize", file, "-o", "-"])
    #expect(result.status == 0)
    #expect(result.output == (try normalized(rotatedFixture)))
    #expect(result.errorLines.count == 1)
    #expect(try scratch.read(rotatedFixture) == Fixture.bytes(rotatedFixture))
  }

  @Test func `An output directory gets the complete tree except for failed files`() throws {
    for path in [rotatedFixture, uprightFixture, skippedFixture, damagedFixture, "bad/text.jpg"] {
      try scratch.copy(path, as: "in/" + path)
    }
    try scratch.write(Array("notes".utf8), to: "in/notes.txt")
    let before = try scratch.files()
    let output = scratch.path("out")
    let result = try upright(["normalize", "-r", scratch.path("in"), "--output-dir", output])
    #expect(result.status == 2)
    #expect(result.errorLines.count == 2)
    let made = try scratch.files().filter { !before.contains($0) }
    let tree = [rotatedFixture, uprightFixture, skippedFixture]
    let sources = made.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
    #expect(sources == tree.sorted())
    for (path, source) in zip(made, sources) {
      let expected = try source == rotatedFixture ? normalized(source) : Fixture.bytes(source)
      #expect(try scratch.read(path) == expected)
    }
    for path in [rotatedFixture, damagedFixture] {
      #expect(try scratch.read("in/" + path) == Fixture.bytes(path))
    }
  }

  @Test func `Standard input is read and standard output written`() throws {
    let result = try upright(["normalize", "-"], input: try Fixture.bytes(rotatedFixture))
    #expect(result.status == 0)
    #expect(result.errorLines == ["-: rotated 90° clockwise, lossless (96×64 → 64×96)"])
    let expected = try Tool.jpegtran(
      try Fixture.bytes(rotatedFixture),
      ["-perfect", "-rotate", "90"]
    )
    #expect(try Tool.djpeg(result.output) == Tool.djpeg(expected))
    let same = try upright(["normalize", "-"], input: try Fixture.bytes(skippedFixture))
    #expect(same.status == 1)
    #expect(same.output == (try Fixture.bytes(skippedFixture)))
    let file = try upright(
      ["normalize", "-", "-o", scratch.path("out.jpg")],
      input: try Fixture.bytes(rotatedFixture)
    )
    #expect(file.status == 0)
    #expect(try scratch.read("out.jpg") == result.output)
  }

  @Test(arguments: ["bad/empty.jpg", "bad/text.jpg", damagedFixture])
  func `Nothing is written to standard output if the input fails`(path: String) throws {
    let result = try upright(["normalize", "-"], input: try Fixture.bytes(path))
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errorLines.count == 1)
  }

  @Test func `A dry run reports what would be done and writes nothing`() throws {
    let file = try scratch.copy(rotatedFixture)
    for extra in [[], ["-o", scratch.path("out.jpg")], ["--output-dir", scratch.path("out")]] {
      let result = try upright(["normalize", "--dry-run", file] + extra)
      #expect(result.status == 0)
      #expect(result.lines == ["\(file): rotate 90° clockwise, lossless (96×64 → 64×96)"])
    }
    let input = try upright(["normalize", "-n", "-"], input: try Fixture.bytes(rotatedFixture))
    #expect(input.status == 0)
    #expect(input.lines == ["-: rotate 90° clockwise, lossless (96×64 → 64×96)"])
    #expect(try scratch.read(rotatedFixture) == Fixture.bytes(rotatedFixture))
    #expect(try scratch.files() == [rotatedFixture])
  }

  @Test func `Directories are walked only with -r`() throws {
    try scratch.copy(rotatedFixture, as: "a/b/photo.JPG")
    let refused = try upright(["normalize", scratch.url.path])
    #expect(refused.status == 2)
    #expect(refused.errorText.contains("it is a directory"))
    let line = try upright(["normalize", "--format", "ndjson", scratch.url.path]).json().first
    #expect(line?.error?.id == "is-directory")
    #expect(try scratch.read("a/b/photo.JPG") == Fixture.bytes(rotatedFixture))
    #expect(try upright(["normalize", "-r", scratch.url.path]).status == 0)
    #expect(try scratch.read("a/b/photo.JPG") == normalized(rotatedFixture))
  }

  @Test func `A batch goes on after failures`() throws {
    let good = try ["1.jpg", "5.jpg"].map { try scratch.copy(rotatedFixture, as: $0) }
    let bad = try scratch.copy(damagedFixture, as: "2.jpg")
    let text = try scratch.copy("bad/text.jpg", as: "3.jpg")
    let files = [good[0], bad, text, scratch.path("4.jpg"), good[1]]
    let result = try upright(["normalize"] + files)
    #expect(result.status == 2)
    let named = result.errorLines.map { line in String(line.prefix { $0 != ":" }) }
    #expect(named == Array(files[1...3]))
    #expect(result.lines.last == "5 files: 2 rotated, 3 failed")
    for name in ["1.jpg", "5.jpg"] {
      #expect(try scratch.read(name) == normalized(rotatedFixture))
    }
  }

  @Test func `A file truncated at any length is an error and is not changed`() throws {
    let whole = try Fixture.bytes("exif/thumbnail-aligned.jpg")
    let lengths = Array(stride(from: 0, to: whole.count, by: 97)) + [1, 2, 3, 4, whole.count - 3]
    for length in lengths {
      try scratch.write(Array(whole[..<length]), to: "\(length).jpg")
    }
    let before = try scratch.files()
    let result = try upright(["normalize"] + before.map { scratch.path($0) })
    #expect(result.status == 2)
    #expect(result.errorLines.count == before.count)
    #expect(try scratch.files() == before)
    for length in lengths {
      #expect(try scratch.read("\(length).jpg") == Array(whole[..<length]))
      // Each alone, lest one failure hides a success.
      #expect(try upright(["normalize", "-q", scratch.path("\(length).jpg")]).status == 2)
    }
  }

  @Test func `The policies of the options reach the library`() throws {
    let unaligned = try Fixture.bytes(unalignedFixture)
    #expect(try upright(["normalize", "-", "--unaligned", "fail"], input: unaligned).status == 2)
    let skipped = try upright(["normalize", "-", "--unaligned", "skip"], input: unaligned)
    #expect(skipped.status == 1 && skipped.output == unaligned)
    let trimmed = try upright(["normalize", "-", "--unaligned", "trim"], input: unaligned)
    #expect(trimmed.status == 0)
    #expect(trimmed.errorText.contains("trimmed by 13 rows"))
    let reencoded = try upright(["normalize", "-"], input: unaligned)
    #expect(reencoded.errorText.contains("re-encoded: "))
    let best = try upright(["normalize", "-", "--redraw-quality", "max"], input: unaligned)
    #expect(best.output.count > reencoded.output.count)
    let conflict = try Fixture.bytes("conflict/dimensions-tag-6.jpg")
    #expect(try upright(["normalize", "-"], input: conflict).status == 1)
    let reset = try upright(["normalize", "-", "--on-conflict", "reset-tag"], input: conflict)
    #expect(reset.status == 0 && reset.output.count == conflict.count && reset.output != conflict)
    let small = ["normalize", "-", "--max-pixels", "100"]
    #expect(try upright(small, input: try Fixture.bytes(rotatedFixture)).status == 1)
  }

  @Test func `A file with several names is replaced only if the link may be broken`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    try FileManager.default.linkItem(atPath: file, toPath: scratch.path("other.jpg"))
    for arguments in [[], ["--hard-links", "refuse"]] {
      let refused = try upright(["normalize", file, "--format", "ndjson"] + arguments)
      #expect(refused.status == 1)
      #expect(try refused.json().first?.reason?.id == "hard-linked")
      #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
    }
    let audit = try upright(["audit", file, "--format", "ndjson"]).json().first
    #expect(audit?.reason?.id == "hard-linked")
    #expect(audit?.reason?.remedies?.map(\.policy) == ["hard-links"])
    #expect(try upright(["normalize", file, "--hard-links", "break"]).status == 0)
    #expect(try scratch.read("photo.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("other.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test(arguments: [["--format", "text"], ["--format", "ndjson"], ["-o", "-"]])
  func `A write error on standard output is a failure`(arguments: [String]) throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    let result = try upright(["normalize", file] + arguments, outputPath: "/dev/full")
    #expect(result.status == 2)
    #expect(result.errorText.contains("no space left"))
  }
}

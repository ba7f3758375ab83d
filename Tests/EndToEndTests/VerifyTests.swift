import Fixtures
import Foundation
import Testing

struct VerifyTests {
  private struct Proof: Decodable {
    struct Finding: Decodable { var id: String }
    var schema: String
    var status: String
    var findings: [Finding]?
  }

  private func proofs(_ tool: Tool) throws -> [Proof] {
    try tool.lines.map { try JSONDecoder().decode(Proof.self, from: Data($0.utf8)) }
  }

  @Test func `A rewrite is proven, with the fields that differ`() throws {
    let scratch = try Scratch()
    let original = try scratch.copy("sample/portrait.jpg", as: "old.jpg")
    try scratch.write(try normalized("sample/portrait.jpg"), to: "new.jpg")
    let result = try upright(["verify", original, scratch.path("new.jpg")])
    #expect(result.status == 0)
    #expect(result.text.contains("all 230400 coefficients are the same"))
    #expect(result.text.contains("exif.ifd0.orientation"))
    #expect(result.text.contains("6 → 1"))
  }

  @Test func `Losses are status 1, unreadable files are status 2`() throws {
    let scratch = try Scratch()
    let original = try scratch.copy(rotatedFixture, as: "old.jpg")
    let other = try scratch.copy(uprightFixture, as: "new.jpg")
    let damaged = try scratch.copy(damagedFixture, as: "bad.jpg")
    #expect(try upright(["verify", original, original]).status == 1)
    #expect(try upright(["verify", original, damaged]).status == 2)
    #expect(try upright(["verify", original, scratch.path("none.jpg")]).status == 2)
    let lines = try proofs(upright(["verify", "--format", "ndjson", original, other]))
    #expect(lines.map(\.schema) == ["upright-verify/2"])
  }

  @Test(arguments: [
    ("formats/canon.crw", "formats/two.png", "the original is CRW, the result is PNG"),
    ("formats/two.png", rotatedFixture, "the original is PNG, the result is JPEG"),
    ("formats/two.png", "manifest.json", "the original is PNG, the result is of another format"),
    ("formats/canon.cr2", "formats/canon.cr3", "the original is CR2, the result is CR3"),
  ])
  func `Files of different formats are not checked, and both formats are named`(
    original: String,
    result: String,
    reason: String
  ) throws {
    let scratch = try Scratch()
    let paths = [try scratch.copy(original, as: "old"), try scratch.copy(result, as: "new")]
    let verified = try upright(["verify"] + paths)
    #expect(verified.status == 1)
    #expect(verified.text.contains("not checked: \(reason)\n"), "\(verified.text)")
  }

  @Test func `A path that does not exist is named, also beside a directory`() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(uprightFixture, as: "folder/a.jpg")
    for pair in [["folder", "none"], ["none", "folder"], [photo, "none"]] {
      let result = try upright(["verify"] + pair, in: scratch.url.path)
      #expect(result.status == 2)
      let message = "none: cannot open: no such file or directory. Check the path."
      #expect(result.text.hasSuffix(": \(message)\n"), "\(result.text)")
    }
  }

  @Test func `Directories are compared file by file`() throws {
    let scratch = try Scratch()
    for name in ["a.jpg", "deep/b.jpg", "lost.jpg"] {
      try scratch.copy(rotatedFixture, as: "old/" + name)
    }
    let arguments = ["-r", scratch.path("old"), "--output-dir", scratch.path("new")]
    #expect(try upright(["normalize"] + arguments).status == 0)
    try FileManager.default.removeItem(atPath: scratch.path("new/lost.jpg"))
    try scratch.copy(uprightFixture, as: "new/added.jpg")
    let result = try upright([
      "verify", "--format", "ndjson", scratch.path("old"), scratch.path("new"),
    ])
    #expect(result.status == 1)
    #expect(
      try proofs(result).map(\.status) == ["proven", "proven", "missing-file", "extra-file"]
    )
  }

  @Test func `Directories are summed up, and identical files are not failures`() throws {
    let scratch = try Scratch()
    for name in ["a", "b"] { try scratch.copy(rotatedFixture, as: "old/\(name).jpg") }
    try scratch.copy("orientation/unaligned-6.jpg", as: "old/c.jpg")
    let arguments = ["-r", scratch.path("old"), "--output-dir", scratch.path("new")]
    #expect(try upright(["normalize"] + arguments).status == 0)
    for tree in ["old", "new"] {
      try scratch.copy(uprightFixture, as: tree + "/d.jpg")
      try scratch.copy("bad/text.jpg", as: tree + "/e.jpg")
    }
    let trees = [scratch.path("old"), scratch.path("new")]
    for jobs in ["1", "3"] {
      let result = try upright(["verify", "--jobs", jobs] + trees)
      #expect(result.status == 0)
      #expect(
        result.lines.last
          == "5 pairs: 2 proven, 1 partly proven (1 re-encoded), 1 already upright, 1 identical"
      )
    }
    let strict = try upright(["verify", "--lossless", "--quiet"] + trees)
    #expect(strict.status == 1)
    #expect(strict.text.contains("not-lossless"))
    #expect(try upright(["verify", "--jobs", "0"] + trees).status == 64)
    let lines = try proofs(upright(["verify", "--format", "ndjson"] + trees))
    #expect(
      lines.map(\.status) == ["proven", "proven", "partly-proven", "already-upright", "identical"]
    )
  }

  @Test func `A file that a run did not change is not a finding with its record`() throws {
    let scratch = try Scratch()
    for name in ["a", "changed"] { try scratch.copy(rotatedFixture, as: "photos/\(name).jpg") }
    try scratch.copy(uprightFixture, as: "photos/same.jpg")
    let (photos, record) = (scratch.path("photos"), scratch.path("record.ndjson"))
    #expect(try upright(["normalize", "-r", photos, "--record", record]).status == 0)
    let arguments = ["verify", "--record", record, photos]
    let result = try upright(arguments)
    #expect(result.status == 0)
    #expect(result.lines.last == "3 pairs: 2 proven, 1 not rewritten")
    try scratch.copy(uprightFixture, as: "photos/changed.jpg")
    let changed = try upright(arguments)
    #expect(changed.status == 1)
    #expect(
      changed.lines.last == "3 pairs: 1 proven, 1 not rewritten, 1 changed since"
    )
    #expect(try upright(["verify", "--record", record, photos + "/same.jpg"]).status == 1)
  }

  /// Returns the status of each result of a verification.
  private func statuses(_ arguments: [String], in directory: String) throws -> [String: String] {
    let tool = try upright(["verify", "--format", "ndjson"] + arguments, in: directory)
    return try tool.lines.reduce(into: [:]) { statuses, line in
      let object = try JSONDecoder().decode([String: Field].self, from: Data(line.utf8))
      guard case .text(let result) = object["result"], case .text(let status) = object["status"]
      else { return }
      statuses[URL(filePath: result).lastPathComponent] = status
    }
  }

  /// A value of which only texts are used.
  private enum Field: Decodable {
    case text(String)
    case other

    init(from decoder: any Decoder) throws {
      let text = try? decoder.singleValueContainer().decode(String.self)
      self = text.map { .text($0) } ?? .other
    }
  }

  @Test func `Recorded rotations and flips of a file are proven in their order`() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let record = ["--record", scratch.path("record")]
    for command in [["rotate", "90"], ["flip", "horizontal"]] {
      #expect(try upright(command + record + [photo]).status == 0)
    }
    let result = try upright(["verify"] + record + [photo])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains(": proven"), "\(result.text)")
  }

  @Test func `Every recorded rewrite is checked, whatever its name and format`() throws {
    let scratch = try Scratch()
    let base = scratch.url.path
    try scratch.copy(rotatedFixture, as: "photos/photo.jpg")
    try scratch.copy(rotatedFixture, as: "photos/jpeg.heic")
    try scratch.copy("formats/exif-alone.heic", as: "photos/phone.heic")
    try scratch.copy("conflict/dimensions-tag-6.jpg", as: "photos/stale.jpg")
    try scratch.copy(rotatedFixture, as: "photos/rotated.jpg")
    try scratch.write(try Fixture.bytes(rotatedFixture), to: "photos/unnamed")
    let record = ["--record", "record"]
    // Of equal files, the last one in the record is missed.
    let options = ["--formats", "all", "--all-names", "--on-conflict", "reset-tag", "--jobs", "1"]
    #expect(try upright(["normalize", "-r", "photos"] + options + record, in: base).status == 0)
    let rotated = ["photos/rotated.jpg", "photos/phone.heic"]
    #expect(try upright(["rotate", "90"] + rotated + record, in: base).status == 0)
    let expected = [
      "photo.jpg": "proven", "jpeg.heic": "proven", "phone.heic": "proven",
      "stale.jpg": "restorable", "rotated.jpg": "proven", "unnamed": "proven",
    ]
    // The directory, and all files of the record.
    for paths in [["photos"], []] {
      #expect(try statuses(record + paths, in: base) == expected)
      #expect(try upright(["verify"] + record + paths, in: base).status == 0)
    }
    // Several results, and a copy of the tree.
    let two = try upright(["verify"] + record + ["photos/photo.jpg", "photos/unnamed"], in: base)
    #expect(two.lines.last == "2 pairs: 2 proven" && two.status == 0)
    try FileManager.default.copyItem(
      atPath: scratch.path("photos"),
      toPath: scratch.path("copy")
    )
    let copy = try upright(["verify", "--all-names"] + record + ["copy"], in: base)
    #expect(copy.lines.last == "6 pairs: 6 proven" && copy.status == 0)
    // Damage and loss are found in each of them.
    for tree in ["photos", "copy"] {
      var file = try scratch.read("\(tree)/phone.heic")
      file[file.count - 1] ^= 1
      try scratch.write(file, to: "\(tree)/phone.heic")
      try FileManager.default.removeItem(atPath: scratch.path("\(tree)/unnamed"))
      let found = try statuses(record + [tree, "--all-names"], in: base)
      #expect(found["phone.heic"] == (tree == "copy" ? "missing-file" : "changed-since"))
      #expect(found["unnamed"] == "missing-file")
      #expect(try upright(["verify", "-q"] + record + [tree], in: base).status == 1)
    }
  }

  @Test func `Files of other formats are proven by directories and by a record`() throws {
    let scratch = try Scratch()
    let base = scratch.url.path
    let files = ["formats/agree.heic", "formats/rotated.avif", "heif/grid.heic", rotatedFixture]
    let tagged = ["formats/exif.png", "formats/little-endian.tif", "formats/digital-negative.dng"]
    func names(_ folder: String, _ fixtures: [String]) -> [String] {
      fixtures.map { folder + "/" + (URL(filePath: $0).lastPathComponent) }
    }
    for (fixture, name) in zip(files + tagged, names("in", files + tagged)) {
      try scratch.copy(fixture, as: name)
    }
    try FileManager.default.copyItem(atPath: scratch.path("in"), toPath: scratch.path("out"))
    let record = ["--record", "record"]
    #expect(try upright(["rotate", "90"] + names("out", files) + record, in: base).status == 0)
    let tag = ["rotate", "90", "--tag-only"]
    #expect(try upright(tag + names("out", tagged) + record, in: base).status == 0)
    let asked = ["in", "out", "--transform", "rotate-90"]
    let all = try upright(["verify"] + asked, in: base)
    #expect(all.lines.last == "7 pairs: 7 proven")
    #expect(try upright(["verify", "in", "out"], in: base).status == 1)
    let recorded = try statuses(record, in: base)
    for name in names("", files) { #expect(recorded[String(name.dropFirst())] == "proven") }
    for name in names("", tagged) { #expect(recorded[String(name.dropFirst())] == "restorable") }
    // A bit of the image of each.
    for name in names("out", files + tagged) {
      var file = try scratch.read(name)
      let place = name.hasSuffix("png") ? file.count - 20 : file.count - 3
      file[place] ^= 4
      try scratch.write(file, to: name)
    }
    let damaged = try statuses(asked, in: base)
    #expect(damaged.count == 7 && !damaged.values.contains("proven"))
    #expect(try upright(["verify"] + asked, in: base).status != 0)
  }

  @Test func `A recorded rewrite without undo data is not checked`() throws {
    let scratch = try Scratch()
    let base = scratch.url.path
    try scratch.copy(rotatedFixture, as: "photos/a.jpg")
    let arguments = ["normalize", "-r", "photos", "--record", "record", "--no-verify"]
    #expect(try upright(arguments, in: base).status == 1)
    #expect(try statuses(["--record", "record", "photos"], in: base) == ["a.jpg": "not-checked"])
    #expect(try upright(["verify", "--record", "record"], in: base).status == 1)
  }

  @Test func `Files of directories without a partner, or of other formats, are named`() throws {
    let scratch = try Scratch()
    let base = scratch.url.path
    for tree in ["a", "b"] {
      try scratch.copy("formats/agree.heic", as: tree + "/same.heic")
      try scratch.write([1], to: tree + "/text.txt")
    }
    try scratch.copy("formats/agree.heic", as: "a/differs.heic")
    try scratch.copy("formats/exif-alone.heic", as: "b/differs.heic")
    try scratch.copy("formats/agree.heic", as: "a/lost.heic")
    try scratch.copy("formats/exif.png", as: "b/added.png")
    try scratch.copy(uprightFixture, as: "b/folder.jpg")
    try FileManager.default.createDirectory(
      atPath: scratch.path("a/folder.jpg"),
      withIntermediateDirectories: false
    )
    #expect(
      try statuses(["a", "b"], in: base) == [
        "same.heic": "identical", "differs.heic": "not-proven", "lost.heic": "missing-file",
        "added.png": "extra-file", "folder.jpg": "unreadable",
      ]
    )
    let result = try upright(["verify", "a", "b"], in: base)
    #expect(result.lines.last?.hasSuffix("1 ignored (1 file with another name)") == true)
    try FileManager.default.removeItem(atPath: scratch.path("b/folder.jpg"))
    #expect(try upright(["verify", "a", "b"], in: base).status == 1)
    #expect(try upright(["verify", "a", "b", "--formats", "jpeg"], in: base).status == 0)
  }
}

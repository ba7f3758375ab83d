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
          == "5 pairs: 2 proven, 1 verified (1 re-encoded), 1 already upright, 1 identical"
      )
    }
    let strict = try upright(["verify", "--lossless", "--quiet"] + trees)
    #expect(strict.status == 1)
    #expect(strict.text.contains("not-lossless"))
    #expect(try upright(["verify", "--jobs", "0"] + trees).status == 64)
    let lines = try proofs(upright(["verify", "--format", "ndjson"] + trees))
    #expect(
      lines.map(\.status) == ["proven", "proven", "verified", "already-upright", "identical"]
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
      changed.lines.last == "3 pairs: 1 proven, 1 not rewritten, 1 without a record"
    )
    #expect(try upright(["verify", "--record", record, photos + "/same.jpg"]).status == 1)
  }
}

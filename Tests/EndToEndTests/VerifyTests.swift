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

  @Test func `What was lost ends with status 1, what cannot be read with 2`() throws {
    let scratch = try Scratch()
    let original = try scratch.copy(turnedFixture, as: "old.jpg")
    let other = try scratch.copy(uprightFixture, as: "new.jpg")
    let damaged = try scratch.copy(damagedFixture, as: "bad.jpg")
    #expect(try upright(["verify", original, original]).status == 1)
    #expect(try upright(["verify", original, damaged]).status == 2)
    #expect(try upright(["verify", original, scratch.path("none.jpg")]).status == 2)
    let lines = try proofs(upright(["verify", "--format", "ndjson", original, other]))
    #expect(lines.map(\.schema) == ["upright-verify/1"])
  }

  @Test func `Directories are compared file by file`() throws {
    let scratch = try Scratch()
    for name in ["a.jpg", "deep/b.jpg", "lost.jpg"] {
      try scratch.copy(turnedFixture, as: "old/" + name)
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
}

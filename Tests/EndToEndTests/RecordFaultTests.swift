import Fixtures
import Foundation
import Records
import Testing

/// What an undo must refuse, and what a run that was killed leaves after.
struct RecordFaultTests {
  let scratch: Scratch
  private let record: String
  private let file: String
  private let transformed: [UInt8]

  init() throws {
    scratch = try Scratch()
    record = scratch.path("record.ndjson")
    file = try scratch.copy(rotatedFixture, as: "a.jpg")
    let result = try upright(["normalize", "--record", record, file])
    guard result.status == 0 else { throw Tool.Failure(result.errorText) }
    transformed = try scratch.read("a.jpg")
  }

  private func undo(_ paths: String...) throws -> Tool {
    try upright(
      ["undo", "-r", "--format", "ndjson", "--record", record] + paths,
      in: scratch.url.path
    )
  }

  private func expectUntouched() throws {
    #expect(try scratch.read("a.jpg") == transformed)
    #expect(try scratch.files() == ["a.jpg", "record.ndjson"])
  }

  @Test func `A file that was changed since is skipped`() throws {
    var changed = transformed
    changed[changed.count - 3] ^= 1
    try scratch.write(changed, to: "a.jpg")
    for result in [try undo(), try undo(file)] {
      #expect(result.status == 1)
      #expect(try result.json().map(\.reason?.id) == ["changed-since"])
    }
    #expect(try scratch.read("a.jpg") == changed)
  }

  @Test func `A file without a record is skipped`() throws {
    let other = try scratch.copy("sample/portrait.jpg", as: "b.jpg")
    let result = try undo(other)
    #expect(result.status == 1)
    #expect(try result.json().map(\.reason?.id) == ["no-record"])
    #expect(try scratch.read("b.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test func `An incomplete line is refused and nothing is written`() throws {
    let line = try RecordFile(scratch).lines[0]
    for count in [1, line.count / 2, line.count - 1] {
      try scratch.write(Array(line[..<count]), to: "record.ndjson")
      let result = try undo(file)
      #expect(result.status == 2)
      #expect(try result.json().map(\.error?.id) == ["record-cut", nil])
      #expect(try result.json().map(\.reason?.id) == [nil, "no-record"])
      try expectUntouched()
    }
  }

  @Test func `An altered line is refused and nothing is written`() throws {
    let line = try RecordFile(scratch).lines[0]
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<40 {
      var altered = line
      altered[Int.random(in: 1..<line.count - 1, using: &generator)] ^= 4
      try RecordFile.write([altered], scratch)
      let result = try undo()
      #expect(result.status == 2)
      #expect(try result.json().count == 1)
      try expectUntouched()
    }
  }

  @Test func `Thousands of altered lines do not end an undo or hide an intact one`() throws {
    let line = try RecordFile(scratch).lines[0]
    var generator = SeededGenerator(seed: 4)
    var lines = (0..<10_000).map { _ in line.damaged(using: &generator) }.filter { $0 != line }
    lines.insert(line, at: 5000)
    try RecordFile.write(lines, scratch)
    let result = try undo()
    #expect(result.status == 2)
    #expect(try result.json().last?.status == "restored")
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  /// The check is no signature.
  ///
  /// What comes back is believed for its hash alone.
  @Test func `Undo data that restores another file is refused by the hash`() throws {
    let other = try scratch.copy(rotatedFixture.replacing("-6", with: "-8"), as: "b.jpg")
    _ = try upright(["normalize", "--record", scratch.path("other"), other])
    let foreign = try #require(
      String(decoding: try scratch.read("other"), as: UTF8.self)
        .firstMatch(of: /"undo":"[^"]*"/)?.output
    )
    let line = String(decoding: try RecordFile(scratch).lines[0], as: UTF8.self)
    let body = Array(
      line.replacing(/"undo":"[^"]*"/, with: foreign).dropLast(28).utf8 + Array("}".utf8)
    )
    let check = Digest(of: body).hexadecimal.prefix(16)
    try RecordFile.write([body.dropLast() + Array(",\"check\":\"\(check)\"}".utf8)], scratch)
    let result = try undo(file)
    #expect(result.status == 2)
    #expect(try result.json().map(\.error?.id) == ["verification"])
    #expect(try scratch.read("a.jpg") == transformed)
  }

  @Test func `A line of another version is refused`() throws {
    let line = String(decoding: try RecordFile(scratch).lines[0], as: UTF8.self)
    try RecordFile.write([Array(line.replacing("record/1", with: "record/7").utf8)], scratch)
    let result = try undo()
    #expect(result.status == 2)
    #expect(try result.json().map(\.error?.id) == ["record-version"])
    try expectUntouched()
  }

  @Test func `A line whose file was not replaced does no harm`() throws {
    let other = try scratch.copy(rotatedFixture, as: "b.jpg")
    try scratch.write([0], to: "b.jpg.orig")
    let backup = ["--backup", ".orig"]
    #expect(try upright(["normalize", "--record", record, other] + backup).status == 2)
    #expect(try RecordFile(scratch).count == 2)
    let result = try undo(other)
    #expect(result.status == 0)
    #expect(try result.json().map(\.reason?.id) == ["original"])
    #expect(try scratch.read("b.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A file that is not a record is not appended to`() throws {
    try scratch.copy(rotatedFixture, as: "photo.jpg")
    let result = try upright(["normalize", "--record", scratch.path("photo.jpg"), file])
    #expect(result.status == 2)
    #expect(try scratch.read("photo.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A file whose record cannot be written is not replaced`() throws {
    let other = try scratch.copy(rotatedFixture, as: "b.jpg")
    let result = try upright(["normalize", "--record", scratch.path("none/record"), other])
    #expect(result.status == 2)
    #expect(try scratch.read("b.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A line after an incomplete one is separate`() throws {
    let line = try RecordFile(scratch).lines[0]
    try scratch.write(Array(line[..<50]), to: "record.ndjson")
    let other = try scratch.copy("sample/portrait.jpg", as: "b.jpg")
    #expect(try upright(["normalize", "--record", record, other]).status == 0)
    #expect(try RecordFile(scratch).count == 1)
    #expect(try undo(other).json().map(\.status) == ["failed", "restored"])
    #expect(try scratch.read("b.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test func `Originals that became the same file are distinguished by their path`() throws {
    let original = try Fixture.bytes(rotatedFixture)
    let line = String(decoding: try RecordFile(scratch).lines[0], as: UTF8.self)
    let hash = Digest(of: original).hexadecimal
    let (place, elsewhere) = (scratch.path("a.jpg"), "/nowhere/a.jpg")
    let body = Array(
      line.replacing(hash, with: String(hash.reversed())).replacing(place, with: elsewhere)
        .dropLast(28).utf8 + Array("}".utf8)
    )
    let check = Digest(of: body).hexadecimal.prefix(16)
    let rival = body.dropLast() + Array(",\"check\":\"\(check)\"}".utf8)
    try RecordFile.write([Array(line.utf8), Array(rival)], scratch)
    let moved = try scratch.write(transformed, to: "moved.jpg")
    #expect(try undo(moved).json().map(\.reason?.id) == ["several-originals"])
    #expect(try scratch.read("moved.jpg") == transformed)
    #expect(try undo(file).status == 0)
    #expect(try scratch.read("a.jpg") == original)
  }
}

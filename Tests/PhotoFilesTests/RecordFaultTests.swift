import Fixtures
import PhotoFiles
import Records
import Reports
import Testing
import Upright

/// What an undo must refuse, and what a run that was killed leaves after.
struct RecordFaultTests {
  private let scratch: Scratch
  private let run: FileRun
  private let file: String
  private let transformed: [UInt8]

  init() throws {
    scratch = try Scratch()
    run = FileRun(record: scratch.path("record.ndjson"))
    file = try scratch.copy(rotatedFixture, as: "a.jpg")
    #expect(try run.rewrite(file).statuses == [.normalized])
    transformed = try scratch.read("a.jpg")
  }

  private func expectUntouched() throws {
    #expect(try scratch.read("a.jpg") == transformed)
    #expect(try scratch.files() == ["a.jpg", "record.ndjson"])
  }

  /// Returns a line with a check that fits, in place of its own.
  private func checked(_ line: some Sequence<Character>) -> [UInt8] {
    let body = Array(String(String(line).dropLast(28)).utf8) + Array("}".utf8)
    let check = Digest(of: body).hexadecimal.prefix(16)
    return body.dropLast() + Array(",\"check\":\"\(check)\"}".utf8)
  }

  /// The line of the rewrite.
  private func line() throws -> String {
    String(decoding: try RecordFile(scratch).lines[0], as: UTF8.self)
  }

  @Test func `A file that was changed since is skipped`() throws {
    var changed = transformed
    changed[changed.count - 3] ^= 1
    try scratch.write(changed, to: "a.jpg")
    for result in [try run.undo(), try run.undo(file)] {
      #expect(result.statuses == [.skipped])
      #expect(result.reasons == [.changedSince])
    }
    #expect(try scratch.read("a.jpg") == changed)
  }

  @Test func `A file without a record is skipped`() throws {
    let other = try scratch.copy("sample/portrait.jpg", as: "b.jpg")
    let result = try run.undo(other)
    #expect(result.statuses == [.skipped])
    #expect(result.reasons == [.noRecord])
    #expect(try scratch.read("b.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test func `An incomplete line is refused and nothing is written`() throws {
    let line = try RecordFile(scratch).lines[0]
    for count in [1, line.count / 2, line.count - 1] {
      try scratch.write(Array(line[..<count]), to: "record.ndjson")
      let result = try run.undo(file)
      #expect(result.failures == ["record-cut", nil])
      #expect(result.reasons == [nil, .noRecord])
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
      #expect(try run.undo().statuses == [.failed])
      try expectUntouched()
    }
  }

  @Test func `Thousands of altered lines do not end an undo or hide an intact one`() throws {
    let line = try RecordFile(scratch).lines[0]
    var generator = SeededGenerator(seed: 4)
    var lines = (0..<10_000).map { _ in line.damaged(using: &generator) }.filter { $0 != line }
    lines.insert(line, at: 5000)
    try RecordFile.write(lines, scratch)
    let result = try run.undo()
    #expect(result.verdict == .failed)
    #expect(result.statuses.last == .restored)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  /// The check is no signature.
  ///
  /// What comes back is believed for its hash alone.
  @Test func `Undo data that restores another file is refused by the hash`() throws {
    let other = try scratch.copy(rotatedFixture.replacing("-6", with: "-8"), as: "b.jpg")
    #expect(try run.with(\.record, scratch.path("other")).rewrite(other).verdict == .done)
    let foreign = try #require(
      String(decoding: try scratch.read("other"), as: UTF8.self)
        .firstMatch(of: /"undo":"[^"]*"/)?.output
    )
    try RecordFile.write([checked(line().replacing(/"undo":"[^"]*"/, with: foreign))], scratch)
    #expect(try run.undo(file).failures == ["verification"])
    #expect(try scratch.read("a.jpg") == transformed)
  }

  @Test func `A line of another version is refused`() throws {
    let line = try line().replacing("record/1", with: "record/7")
    try RecordFile.write([Array(line.utf8)], scratch)
    #expect(try run.undo().failures == ["record-version"])
    try expectUntouched()
  }

  @Test func `A line whose file was not replaced does no harm`() throws {
    let other = try scratch.copy(rotatedFixture, as: "b.jpg")
    try scratch.write([0], to: "b.jpg.orig")
    #expect(try run.with(\.policy.backupSuffix, ".orig").rewrite(other).verdict == .failed)
    #expect(try RecordFile(scratch).count == 2)
    let result = try run.undo(other)
    #expect(result.verdict == .done)
    #expect(result.reasons == [.original])
    #expect(try scratch.read("b.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A line after an incomplete one is separate`() throws {
    let line = try RecordFile(scratch).lines[0]
    try scratch.write(Array(line[..<50]), to: "record.ndjson")
    let other = try scratch.copy("sample/portrait.jpg", as: "b.jpg")
    #expect(try run.rewrite(other).verdict == .done)
    #expect(try RecordFile(scratch).count == 1)
    #expect(try run.undo(other).statuses == [.failed, .restored])
    #expect(try scratch.read("b.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test func `Originals that became the same file are distinguished by their path`() throws {
    let original = try Fixture.bytes(rotatedFixture)
    let line = try line()
    let hash = Digest(of: original).hexadecimal
    let rival = checked(
      line.replacing(hash, with: String(hash.reversed()))
        .replacing(scratch.path("a.jpg"), with: "/nowhere/a.jpg")
    )
    try RecordFile.write([Array(line.utf8), rival], scratch)
    let moved = try scratch.write(transformed, to: "moved.jpg")
    #expect(try run.undo(moved).reasons == [.severalOriginals])
    #expect(try scratch.read("moved.jpg") == transformed)
    #expect(try run.undo(file).verdict == .done)
    #expect(try scratch.read("a.jpg") == original)
  }
}

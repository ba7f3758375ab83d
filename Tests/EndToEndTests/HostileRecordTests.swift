import FileSystem
import Fixtures
import Foundation
import Records
import SystemPackage
import Testing
import Upright

/// Records that somebody made to have files written elsewhere.
struct HostileRecordTests {
  private let scratch: Scratch
  private let original: [UInt8]
  private let rewrite: Rewrite

  init() throws {
    scratch = try Scratch()
    original = try Fixture.bytes(rotatedFixture)
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else {
      throw Tool.Failure("the fixture is not rewritten")
    }
    self.rewrite = rewrite
  }

  /// Writes a record of the rewrite with any paths, its check being right.
  private func write(base: String, path: String) throws {
    let record = Record(
      of: original,
      rewrite,
      path: FilePath(path),
      output: nil,
      in: RecordContext(tool: "upright 0", base: FilePath(base))
    )
    try scratch.write(RecordLine.bytes(of: record), to: "record.ndjson")
  }

  /// Runs undo with `work` as its working directory.
  private func undo(_ arguments: String...) throws -> Tool { try undo(arguments) }

  private func undo(_ arguments: [String]) throws -> Tool {
    let work = scratch.path("work")
    try FileManager.default.createDirectory(atPath: work, withIntermediateDirectories: true)
    let record = ["--record", scratch.path("record.ndjson")]
    return try upright(["undo", "-r", "--format", "ndjson"] + record + arguments, in: work)
  }

  @Test(arguments: [
    ("..", "victim.jpg"), ("../", "./victim.jpg"), ("../../x/..", "../victim.jpg"),
    ("", "../victim.jpg"),
    (".", "../victim.jpg"),
  ])
  func `Nothing is written outside of the output directory`(base: String, path: String) throws {
    try scratch.write(rewrite.bytes, to: "victim.jpg")
    try write(base: base, path: path)
    let result = try undo("--output-dir", scratch.path("work/a/out"), "--overwrite")
    #expect(result.status == 2)
    #expect(try result.json().map(\.error?.id) == ["record-path"])
    #expect(try scratch.read("victim.jpg") == rewrite.bytes)
    #expect(try scratch.files() == ["record.ndjson", "victim.jpg"])
  }

  @Test func `A path with .. stays below the output directory`() throws {
    try scratch.write(rewrite.bytes, to: "victim.jpg")
    let place = scratch.path("victim.jpg")
    for path in ["../../victim.jpg", "a/../../.././victim.jpg", place] {
      try write(base: scratch.path("work/a"), path: path)
      try? FileManager.default.removeItem(atPath: scratch.path("work"))
      let result = try undo("--output-dir", scratch.path("work/out"))
      #expect(result.status == 0, "\(result.errorText)\(result.text)")
      #expect(try scratch.read("work/out" + place) == original)
      #expect(try scratch.read("victim.jpg") == rewrite.bytes)
    }
  }

  @Test func `In place, a file outside of the working directory is refused unless it is named`()
    throws
  {
    try scratch.write(rewrite.bytes, to: "victim.jpg")
    try scratch.write(rewrite.bytes, to: "work/own.jpg")
    try write(base: scratch.path("work"), path: "own.jpg")
    let own = try scratch.read("record.ndjson")
    for (base, path) in [("/", "victim.jpg"), (scratch.path("work"), "../victim.jpg")] {
      let place = base == "/" ? scratch.path("victim.jpg") : path
      try write(base: base, path: place)
      try scratch.write(try scratch.read("record.ndjson") + own, to: "record.ndjson")
      try scratch.write(rewrite.bytes, to: "work/own.jpg")
      let result = try undo("-j1")
      #expect(result.status == 2)
      #expect(try result.json().map(\.error?.id) == ["outside", nil])
      #expect(try result.json().map(\.status) == ["failed", "restored"])
      #expect(try scratch.read("victim.jpg") == rewrite.bytes)
      #expect(try scratch.read("work/own.jpg") == original)
    }
    #expect(try undo(scratch.path("victim.jpg")).status == 0)
    #expect(try scratch.read("victim.jpg") == original)
  }

  @Test(arguments: ["", ".", "a\\u0000b", String(repeating: "x", count: 300)])
  func `Paths that name no file do no harm`(path: String) throws {
    try write(base: scratch.path("work"), path: "PATH")
    let line = String(decoding: try scratch.read("record.ndjson"), as: UTF8.self)
    let body = Array(line.replacing("PATH", with: path).dropLast(29).utf8) + Array("}".utf8)
    let check = Digest(of: body).hexadecimal.prefix(16)
    try RecordFile.write([body.dropLast() + Array(",\"check\":\"\(check)\"}".utf8)], scratch)
    for arguments in [[], ["--output-dir", scratch.path("out")]] {
      let result = try undo(arguments)
      #expect(result.status == 2, "\(result.errorText)")
      #expect(try scratch.files() == ["record.ndjson"])
    }
  }

  /// What is there must be what the record says was written.
  @Test func `In place neither a file nor a sidecar with other content is overwritten`() throws {
    for name in ["work/own.jpg", "work/own.xmp"] {
      try scratch.write([1, 2, 3], to: name)
      try write(base: scratch.path("work"), path: String(name.dropFirst(5)))
      let result = try undo()
      #expect(result.status == 1)
      #expect(try result.json().map(\.reason?.id) == ["changed-since"])
      #expect(try scratch.read(name) == [1, 2, 3])
    }
  }
}

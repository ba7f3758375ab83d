import FileSystem
import Fixtures
import Foundation
import Records
import Testing
import Upright

/// The use of records by programs.
struct RestorationTests {
  private let scratch: Scratch
  private let original: [UInt8]
  private let rewrite: Rewrite

  init() throws {
    scratch = try Scratch()
    original = try Fixture.bytes("sample/portrait.jpg")
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else {
      throw Tool.Failure("the fixture is not rewritten")
    }
    self.rewrite = rewrite
  }

  private var record: Record {
    Record(of: original, rewrite, path: "portrait.jpg", base: "/photos", tool: "intake 1.0")
  }

  @Test func `A record can be kept as one line`() throws {
    let record = record
    #expect(record.line.last == UInt8(ascii: "\n") && record.isReversible)
    for line in [record.line, record.line.dropLast()] {
      let read = try Record(line: line)
      #expect(read == record && read.before == Record.Content(original))
      #expect(try read.restoreOriginal(from: rewrite.bytes) == original)
    }
    let damaged = #expect(throws: UprightError.self) { try Record(line: [123, 125]) }
    #expect(damaged?.code == .recordDamaged)
  }

  @Test func `A file of another record is not restored`() throws {
    let error = #expect(throws: UprightError.self) {
      try record.restoreOriginal(from: rewrite.bytes + [0])
    }
    #expect(error?.code == .verification)
  }

  @Test func `A record that restores another original is an error`() throws {
    var wrong = record
    wrong.before = Record.Content([1, 2, 3])
    let error = #expect(throws: UprightError.self) {
      try wrong.restoreOriginal(from: rewrite.bytes)
    }
    #expect(error?.code == .verification)
  }

  @Test func `A log of records restores its originals`() throws {
    let path = RecordedPath(scratch.path("records.ndjson"))
    let log = try RecordLog(at: path, tool: "intake 1.0")
    let photo = RecordedPath(scratch.path("portrait.jpg"))
    try log.append(rewrite, of: original, at: photo)
    let index = try RecordIndex(of: path)
    #expect(index.problems.isEmpty && index.entries.map(\.path) == [photo])
    #expect(try index[index.entries[0]].tool == "intake 1.0")
    #expect(try index.restoreOriginal(of: rewrite.bytes, at: photo) == .restored(original))
    #expect(try index.restoreOriginal(of: original, at: photo) == .isOriginal)
    #expect(try index.restoreOriginal(of: [1], at: photo) == .changedSince)
    #expect(try index.restoreOriginal(of: [1], at: "/elsewhere.jpg") == .noRecord)
  }

  @Test func `A record file that cannot be read is not one without its lines`() throws {
    let path = scratch.path("records.ndjson")
    let log = try RecordLog(at: RecordedPath(path), tool: "intake 1.0")
    try log.append(rewrite, of: original, at: RecordedPath(scratch.path("portrait.jpg")))
    #expect(log.state() == .complete)
    try FileManager.default.removeItem(atPath: path)
    #expect(log.state() == .missing(1))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    guard case .unreadable(let error) = log.state() else {
      Issue.record("\(log.state())")
      return
    }
    #expect(error.identifier == "is-directory")
  }

  @Test func `Problems of a record file have codes`() throws {
    let none = #expect(throws: UprightError.self) {
      try RecordIndex(of: RecordedPath(scratch.path("none")))
    }
    #expect(none?.code == .notFound)
    try scratch.write(Array("no record\n".utf8), to: "text")
    let text = #expect(throws: UprightError.self) {
      try RecordLog(at: RecordedPath(scratch.path("text")), tool: "intake 1.0")
    }
    #expect(text?.code == .notRecord)
    let read = #expect(throws: UprightError.self) {
      try RecordIndex(of: RecordedPath(scratch.path("text")))
    }
    #expect(read?.code == .notRecord)
    let lines = record.line + Array("{}\n".utf8) + record.line
    let index = try RecordIndex(of: RecordedPath(try scratch.write(lines, to: "records")))
    #expect(index.entries.map(\.line) == [1, 3])
    #expect(index.problems.map(\.line) == [2])
    #expect(index.problems.map(\.error.code) == [.recordDamaged])
    try scratch.write(Array("{}\n".utf8), to: "records")
    let changed = #expect(throws: UprightError.self) { try index[index.entries[0]] }
    #expect(changed?.code == .changed)
  }
}

import FileSystem
import Fixtures
import Records
import SystemPackage
import Testing
import Upright

/// The records that restore the original of a file.
struct RecordIndexTests {
  private let scratch: Scratch
  private let template: Record

  init() throws {
    scratch = try Scratch()
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else {
      throw Tool.Failure("the fixture is not rewritten")
    }
    template = Record(
      of: original,
      rewrite,
      path: "a.jpg",
      output: nil,
      in: RecordContext(tool: "upright 0", base: "/archive")
    )
  }

  /// The hash of some content with this number.
  private func digest(_ number: UInt8) -> Digest { Digest(of: [number]) }

  /// An index of rewrites from one content to another.
  private func index(
    _ rewrites: [(UInt8, UInt8, FilePath)],
    dates: [String]? = nil
  ) throws -> RecordIndex {
    let lines = rewrites.enumerated().map { number, rewrite in
      let (before, after, path) = rewrite
      var record = template
      if let dates { record.date = dates[number] }
      record.before = Record.Content([before])
      record.after = Record.Content([after])
      record.path = RecordedPath(FilePath("/archive").pushing(path))
      return RecordLine.bytes(of: record)
    }
    return try RecordIndex(FilePath(try scratch.write(Array(lines.joined()), to: "records")))
  }

  private func way(_ index: RecordIndex, _ content: UInt8, at place: FilePath) throws -> [Int] {
    try index.undo(from: digest(content), at: place) { _ in .nothing }.map(\.line)
  }

  @Test func `Successive rewrites are undone, last first`() throws {
    let index = try index([(0, 1, "a.jpg"), (1, 2, "a.jpg"), (2, 3, "a.jpg")])
    #expect(try way(index, 3, at: "/archive/a.jpg") == [3, 2, 1])
    #expect(try way(index, 2, at: "/archive/a.jpg") == [2, 1])
    #expect(try way(index, 0, at: "/archive/a.jpg") == [])
  }

  @Test func `A cycle of rewrites ends`() throws {
    let index = try index([(0, 1, "a.jpg"), (1, 0, "a.jpg")])
    #expect(try way(index, 1, at: "/archive/a.jpg") == [1])
    #expect(try way(index, 0, at: "/archive/a.jpg") == [])
  }

  /// Normalized, rotated to the right, rotated to the left: the last rewrite gives a content for the second time.
  @Test func `A file that had the same content twice is followed to its first original`() throws {
    let index = try index([(0, 1, "a.jpg"), (1, 2, "a.jpg"), (2, 1, "a.jpg")])
    for place: FilePath in ["/archive/a.jpg", "/moved/b.jpg"] {
      #expect(try way(index, 1, at: place) == [3, 2, 1])
      #expect(try way(index, 2, at: place) == [2, 1])
      #expect(
        try index.undo(from: digest(1), at: place, maxSteps: 1) { _ in .nothing }
          .map(\.line) == [3]
      )
    }
  }

  @Test func `Records that were joined in another order are found, too`() throws {
    let rewrites: [(UInt8, UInt8, FilePath)] = [(1, 2, "a.jpg"), (0, 1, "a.jpg")]
    let index = try index(rewrites, dates: ["2026-02-01T10:00:00Z", "2026-01-31T23:59:59Z"])
    #expect(try way(index, 2, at: "/archive/a.jpg") == [1, 2])
    // Nothing tells which was first.
    let unordered = try self.index(rewrites)
    #expect(throws: RewriteHistory.Ambiguity.self) { try way(unordered, 2, at: "/archive/a.jpg") }
  }

  @Test func `The rewrites of a file that was written elsewhere continue with its source`() throws {
    var record = template
    record.before = Record.Content([1])
    record.after = Record.Content([2])
    record.output = "/out/a.jpg"
    record.date = "2026-01-02T00:00:00Z"
    var lines = Array(RecordLine.bytes(of: record))
    for (before, path): (UInt8, FilePath) in [(0, "/archive/a.jpg"), (7, "/archive/b.jpg")] {
      record.before = Record.Content([before])
      record.after = Record.Content([1])
      (record.path, record.output) = (RecordedPath(path), nil)
      record.date = "2026-01-01T00:00:00Z"
      lines += RecordLine.bytes(of: record)
    }
    let index = try RecordIndex(FilePath(try scratch.write(lines, to: "records")))
    #expect(try way(index, 2, at: "/out/a.jpg") == [1, 2])
  }

  @Test func `Many rewrites of one file end in time`() throws {
    let index = try index((0..<4_000).map { ($0 % 2 == 0 ? 0 : 1, $0 % 2 == 0 ? 1 : 0, "a.jpg") })
    #expect(throws: RewriteHistory.Ambiguity.self) { try way(index, 1, at: "/archive/a.jpg") }
  }

  @Test func `A later record of the same rewrite wins`() throws {
    let index = try index([(0, 1, "a.jpg"), (0, 1, "a.jpg")])
    #expect(try way(index, 1, at: "/archive/a.jpg") == [2])
    #expect(try way(index, 1, at: "/elsewhere/b.jpg") == [2])
  }

  @Test func `The record of the file's own path is preferred`() throws {
    let index = try index([(0, 9, "a.jpg"), (1, 9, "b.jpg")])
    #expect(try way(index, 9, at: "/archive/a.jpg") == [1])
    #expect(try way(index, 9, at: "/archive/b.jpg") == [2])
    #expect(throws: RewriteHistory.Ambiguity.self) { try way(index, 9, at: "/elsewhere/c.jpg") }
  }

  @Test func `The end of the path decides for a file that was moved with its folder`() throws {
    let index = try index([(0, 9, "x/a.jpg"), (1, 9, "y/a.jpg"), (9, 8, "z/a.jpg")])
    #expect(try way(index, 9, at: "/moved/x/a.jpg") == [1])
    #expect(try way(index, 9, at: "/moved/y/a.jpg") == [2])
    #expect(try way(index, 9, at: "/moved/z/a.jpg") == [])
    for place: FilePath in ["/moved/a.jpg", "/moved/x/b.jpg"] {
      #expect(throws: RewriteHistory.Ambiguity.self) { try way(index, 9, at: place) }
    }
    // What is still there was not moved, but another file may have taken its place.
    for (content, isThere): (UInt8, Bool) in [(9, true), (0, true), (7, false)] {
      let former = PlaceContent.file(digest(content))
      let found = try? index.undo(from: digest(9), at: "/moved/x/a.jpg") { place in
        place == "/archive/x/a.jpg" ? former : .nothing
      }
      #expect(found?.map(\.line) == (isThere ? nil : [1]))
    }
  }

  @Test func `Of several records of a moved file, the first with undo data is used`() throws {
    for reversible in [0, 3, 7, nil] {
      let lines = (0..<8).map { number in
        var record = template
        record.path = RecordedPath("/archive/\(number).jpg")
        record.before = Record.Content([0])
        record.after = Record.Content([1])
        if let reversible, number != reversible { record.undo = nil }
        return RecordLine.bytes(of: record)
      }
      let index = try RecordIndex(FilePath(try scratch.write(Array(lines.joined()), to: "records")))
      #expect(try way(index, 1, at: "/moved/a.jpg") == [(reversible ?? 0) + 1])
    }
  }

  @Test func `A record is read again at its position`() throws {
    let index = try index([(0, 1, "a.jpg"), (1, 2, "b/ü.jpg")])
    for entry in index.entries {
      let record = try #require(try index.record(entry))
      #expect(record.place == entry.place)
      #expect(record.after.sha256 == entry.after)
    }
    #expect(index.entries.map(\.place) == ["/archive/a.jpg", "/archive/b/ü.jpg"])
    try scratch.write(Array("{}\n".utf8), to: "records")
    #expect(try index.record(index.entries[0]) == nil)
  }

  @Test func `Each record refers to its own base`() throws {
    let bases = ["/archive", "/elsewhere"].map { RecordBase(FilePath($0)) }
    var record = template
    var lines: [UInt8] = []
    for base in bases {
      record.path = RecordedPath(base.path.appending("a.jpg"))
      lines += base.line + RecordLine.bytes(of: record, in: base)
    }
    // The lines of two runs that write at the same time.
    for base in bases {
      record.path = RecordedPath(base.path.appending("b.jpg"))
      lines += RecordLine.bytes(of: record, in: base)
    }
    let index = try RecordIndex(FilePath(try scratch.write(lines, to: "records")))
    #expect(
      index.entries.map(\.place)
        == ["/archive/a.jpg", "/elsewhere/a.jpg", "/archive/b.jpg", "/elsewhere/b.jpg"]
    )
    #expect(try index.record(index.entries[3])?.path == "/elsewhere/b.jpg")
  }

  @Test func `Empty lines and an empty file are valid`() throws {
    try scratch.write(Array("\n\n".utf8), to: "records")
    let index = try RecordIndex(FilePath(scratch.path("records")))
    #expect(index.entries.isEmpty && index.lineProblems.isEmpty)
    try scratch.write([], to: "records")
    #expect(try RecordIndex(FilePath(scratch.path("records"))).entries.isEmpty)
  }

  @Test(
    .timeLimit(.minutes(5)),
    arguments: ["\n", "\0", "x", "{", "{\n", "}\n", "{\"schema\":[1,1,1]}"]
  )
  func `Files of one repeated text are read in linear time`(piece: String) throws {
    var content = Array(piece.utf8)
    while content.count < Effort.rounds(1 << 20) { content += content }
    let path = FilePath(try scratch.write(content, to: "records"))
    guard piece == "\n" || piece.hasPrefix("{") else {
      let error = #expect(throws: FileError.self) { try RecordIndex(path) }
      #expect(error?.problem == .notRecord)
      return
    }
    let index = try RecordIndex(path)
    #expect(index.entries.isEmpty)
    #expect(index.lineProblems.isEmpty == (piece == "\n"))
    #expect(index.lineProblems.count <= 1000)
  }

  @Test func `A record after other lines is found`() throws {
    let line = RecordLine.bytes(of: template)
    let long = [UInt8](repeating: UInt8(ascii: "x"), count: 17 << 20) + Array("\n".utf8)
    for rest in [Array("\n".utf8), Array("\0\0\n".utf8), Array("{\n".utf8), long] {
      try scratch.write(rest + line + rest + line, to: "records")
      let index = try RecordIndex(FilePath(scratch.path("records")))
      #expect(index.entries.map(\.line) == [2, 4])
      #expect(try index.record(index.entries[1]) == template)
    }
  }

  /// Lines as a gzip member.
  private func member(_ content: [UInt8]) throws -> [UInt8] {
    let text = try scratch.write(content, to: "member")
    let tool = try Tool.run("gzip", ["-9", "-n", "-c", text])
    #expect(tool.status == 0)
    return tool.output
  }

  /// The line of a record with this path.
  private func line(_ path: FilePath) -> [UInt8] {
    var record = template
    record.path = RecordedPath(FilePath("/archive").pushing(path))
    return RecordLine.bytes(of: record)
  }

  @Test func `Packed records are found and read again like text`() throws {
    let paths: [FilePath] = ["a.jpg", "b.jpg", "c.jpg"]
    let members = [
      try member(line("a.jpg") + Array("\n".utf8) + line("b.jpg")), try member([]),
      try member(line("c.jpg")),
    ]
    try scratch.write(Array(members.joined()), to: "records")
    let index = try RecordIndex(FilePath(scratch.path("records")))
    #expect(index.lineProblems.isEmpty)
    try #require(index.entries.map(\.line) == [1, 3, 4])
    #expect(index.entries.map(\.place) == paths.map { FilePath("/archive").pushing($0) })
    for (entry, path) in zip(index.entries, paths) {
      #expect(try index.record(entry)?.path.path == FilePath("/archive").pushing(path))
    }
    try scratch.write(members[0], to: "records")
    #expect(try index.record(index.entries[2]) == nil)
  }

  @Test func `Damage affects only the records of one member`() throws {
    let first = try member(line("a.jpg"))
    let last = try member(line("c.jpg"))
    let broken = Array(first.dropLast(8)) + [UInt8](repeating: 0, count: 8)
    for damaged in [broken, Array(first.dropLast(20)), Array(first.prefix(3)), [0]] {
      try scratch.write(first + damaged + last, to: "records")
      let index = try RecordIndex(FilePath(scratch.path("records")))
      #expect(index.entries.map(\.place) == ["/archive/a.jpg", "/archive/c.jpg"])
      #expect(!index.lineProblems.isEmpty)
    }
    for start in [[0, 0], Array("\n\n".utf8), Array("x\n".utf8)] {
      try scratch.write(start + first.dropFirst(2) + last, to: "records")
      let index = try RecordIndex(FilePath(scratch.path("records")))
      #expect(index.entries.map(\.place) == ["/archive/c.jpg"])
      #expect(index.lineProblems.count == 1)
      for entry in index.entries { #expect(try index.record(entry) != nil) }
    }
    try scratch.write(first + Array(last.dropLast(1)), to: "records")
    let cut = try RecordIndex(FilePath(scratch.path("records")))
    #expect(cut.entries.map(\.line) == [1] && cut.problems.map(\.line) == [2])
  }

  @Test(
    .timeLimit(.minutes(2)),
    arguments: [[0x1F, 0x8B, 8], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3]]
  )
  func `Files of member headers only are read quickly`(piece: [UInt8]) throws {
    var content = piece
    while content.count < Effort.rounds(1 << 20) { content += content }
    try scratch.write(content, to: "records")
    let index = try RecordIndex(FilePath(scratch.path("records")))
    #expect(index.entries.isEmpty && !index.lineProblems.isEmpty)
  }

  @Test func `A member with a line that is too long is refused`() throws {
    let zeros = [UInt8](repeating: 0, count: 32 << 20)
    try scratch.write(try member(zeros) + member(line("a.jpg")), to: "records")
    let index = try RecordIndex(FilePath(scratch.path("records")))
    #expect(index.entries.map(\.place) == ["/archive/a.jpg"])
    #expect(index.lineProblems.first?.problem == .damaged)
  }
}

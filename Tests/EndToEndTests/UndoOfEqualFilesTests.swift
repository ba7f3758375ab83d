import Fixtures
import Foundation
import Testing

/// Files whose content is equal to the result of another file keep their own originals.
struct UndoOfEqualFilesTests {
  private let scratch: Scratch
  private let (p, q): (String, String)
  private let record: String

  /// Two photos that differ in the Orientation tag alone.
  init() throws {
    scratch = try Scratch()
    p = try scratch.copy(rotatedFixture, as: "photos/p.jpg")
    q = try scratch.copy(rotatedFixture, as: "photos/q.jpg")
    record = scratch.path("record.ndjson")
    #expect(try upright(["tag", "set", "1", p]).status == 0)
  }

  private func run(_ arguments: String...) throws -> Tool {
    try upright([arguments[0], "--record", record] + arguments.dropFirst())
  }

  private func undo(_ arguments: String...) throws -> Tool {
    try upright(["undo", "-r", "--record", record] + arguments)
  }

  @Test(arguments: [false, true])
  func `The original of an equal file is not restored`(isLast: Bool) throws {
    let originals = [try scratch.read("photos/p.jpg"), try scratch.read("photos/q.jpg")]
    #expect(try run("rotate", "90", p).status == 0)
    #expect(try upright(["tag", "set", "1", "--record", record, q]).status == 0)
    #expect(try scratch.read("photos/q.jpg") == originals[0])
    for arguments in [["photos"], ["photos"], ["photos/p.jpg"], ["photos/p.jpg", "--copies"]] {
      let paths = arguments.map { $0.hasPrefix("-") ? $0 : scratch.path($0) }
      let result = try upright(
        ["undo", "-r", "--record", record] + paths + (isLast ? ["--last"] : [])
      )
      #expect(result.status == 0, "\(result.text)")
      #expect(try scratch.read("photos/p.jpg") == originals[0])
      #expect(try scratch.read("photos/q.jpg") == originals[1])
    }
  }

  @Test func `A sidecar that equals the result of another one is not changed`() throws {
    for (name, orientation) in [("p", 6), ("q", 1)] {
      try scratch.write(Sidecars.packet(orientation), to: "photos/\(name).xmp")
    }
    #expect(try run("rotate", "90", "--sidecars", "update", p, q).status == 0)
    let result = try scratch.read("photos/p.xmp")
    #expect(result != Sidecars.packet(6))
    #expect(try scratch.read("photos/q.xmp") == result)
    for _ in 1...2 {
      #expect(try undo(scratch.path("photos")).status == 0)
      #expect(try scratch.read("photos/p.xmp") == Sidecars.packet(6))
      #expect(try scratch.read("photos/q.xmp") == result)
    }
  }

  @Test func `A result elsewhere leads back to its own source`() throws {
    let original = try scratch.read("photos/p.jpg")
    let output = scratch.path("p2.jpg")
    #expect(try run("rotate", "90", p, "-o", output).status == 0)
    #expect(try upright(["tag", "set", "1", "--record", record, q]).status == 0)
    #expect(try undo("-o", scratch.path("out.jpg"), output).status == 0)
    #expect(try undo(output).status == 0)
    #expect(try scratch.read("out.jpg") == original)
    #expect(try scratch.read("p2.jpg") == original)
  }

  @Test func `A photo and its rotated copy are both restored`() throws {
    let rotated = scratch.path("rotated.jpg")
    #expect(try upright(["rotate", "90", p, "-o", rotated]).status == 0)
    let originals = [try scratch.read("photos/p.jpg"), try scratch.read("rotated.jpg")]
    #expect(try run("rotate", "90", p, rotated).status == 0)
    #expect(try upright(["undo", "--record", record], in: scratch.path(".")).status == 0)
    #expect(try scratch.read("photos/p.jpg") == originals[0])
    #expect(try scratch.read("rotated.jpg") == originals[1])
  }

  @Test func `A copy from before a second rewrite is a copy`() throws {
    let original = try scratch.read("photos/q.jpg")
    #expect(try run("normalize", q).status == 0)
    let once = try scratch.read("photos/q.jpg")
    let copy = try scratch.write(once, to: "backup/q.jpg")
    #expect(try run("rotate", "90", q).status == 0)
    let result = try undo("--format", "ndjson", scratch.path("backup"))
    #expect(try result.json().map(\.reason?.id) == ["copy"])
    #expect(try undo("--output-dir", scratch.path("out"), scratch.path("backup")).status == 1)
    #expect(try scratch.read("backup/q.jpg") == once)
    #expect(try undo(copy).status == 0)
    #expect(try scratch.read("backup/q.jpg") == original)
  }

  @Test func `A file that was rewritten, moved and rewritten is undone step by step`() throws {
    let original = try scratch.read("photos/q.jpg")
    let files = FileManager.default
    let moved = scratch.path("photos/x.jpg")
    #expect(try run("normalize", q).status == 0)
    let once = try scratch.read("photos/q.jpg")
    try files.moveItem(atPath: q, toPath: moved)
    #expect(try run("rotate", "90", moved).status == 0)
    let twice = try scratch.read("photos/x.jpg")
    let skipped = try undo("--format", "ndjson", moved)
    #expect(try skipped.json().map(\.reason?.id) == ["several-originals"])
    #expect(try scratch.read("photos/x.jpg") == twice)
    #expect(try undo("--last", moved).status == 0)
    #expect(try scratch.read("photos/x.jpg") == once)
    try files.moveItem(atPath: moved, toPath: q)
    #expect(try undo(q).status == 0)
    #expect(try scratch.read("photos/q.jpg") == original)
  }

  @Test func `In a moved tree equal photos have the records of their paths`() throws {
    let originals = [try scratch.read("photos/p.jpg"), try scratch.read("photos/q.jpg")]
    for (name, bytes) in zip(["tree/a/x.jpg", "tree/b/x.jpg"], originals) {
      try scratch.write(bytes, to: name)
    }
    try scratch.write(Sidecars.packet(6), to: "tree/b/x.xmp")
    #expect(try run("rotate", "90", scratch.path("tree/a/x.jpg")).status == 0)
    let normalization = try run("normalize", "--sidecars", "update", scratch.path("tree/b/x.jpg"))
    #expect(normalization.status == 0)
    #expect(try scratch.read("tree/a/x.jpg") == scratch.read("tree/b/x.jpg"))
    try FileManager.default.moveItem(atPath: scratch.path("tree"), toPath: scratch.path("moved"))
    let result = try undo(scratch.path("moved"))
    #expect(result.status == 0 && !result.text.contains("not restored"), "\(result.text)")
    #expect(try scratch.read("moved/a/x.jpg") == originals[0])
    #expect(try scratch.read("moved/b/x.jpg") == originals[1])
    #expect(try scratch.read("moved/b/x.xmp") == Sidecars.packet(6))
  }

  @Test func `Of a photo that never had a sidecar none is missed`() throws {
    for folder in ["a", "b"] {
      try scratch.copy(rotatedFixture, as: "tree/\(folder)/x.jpg")
    }
    try scratch.write(Sidecars.packet(6), to: "tree/a/x.xmp")
    #expect(try run("normalize", "--sidecars", "update", "-r", scratch.path("tree")).status == 0)
    for name in ["x.jpg", "x.xmp"] {
      try scratch.write(try scratch.read("tree/a/\(name)"), to: "flat/y\(name.dropFirst())")
    }
    try scratch.write(try scratch.read("tree/b/x.jpg"), to: "flat/x.jpg")
    try FileManager.default.removeItem(atPath: scratch.path("tree"))
    let result = try undo(scratch.path("flat"))
    #expect(result.status == 0 && !result.text.contains("not restored"), "\(result.text)")
    #expect(try scratch.read("flat/y.xmp") == Sidecars.packet(6))
  }

  @Test func `A moved tree is restored, also through links`() throws {
    let originals = [try scratch.read("photos/p.jpg"), try scratch.read("photos/q.jpg")]
    let files = FileManager.default
    #expect(try run("rotate", "270", p).status == 0)
    #expect(try run("normalize", q).status == 0)
    let link = scratch.path("link")
    try files.createSymbolicLink(atPath: link, withDestinationPath: scratch.path("photos"))
    // The same photo by two paths.
    #expect(try run("rotate", "90", "\(link)/q.jpg").status == 0)
    let rewritten = [try scratch.read("photos/p.jpg"), try scratch.read("photos/q.jpg")]
    #expect(try undo(scratch.path("photos")).status == 0)
    #expect(try scratch.read("photos/q.jpg") == originals[1])
    #expect(try scratch.read("photos/p.jpg") == originals[0])
    try files.removeItem(atPath: link)
    for (name, bytes) in zip(["p", "q"], rewritten) {
      try scratch.write(bytes, to: "moved/\(name).jpg")
    }
    try files.removeItem(atPath: scratch.path("photos"))
    #expect(try undo(scratch.path("moved/p.jpg")).status == 0)
    #expect(try scratch.read("moved/p.jpg") == originals[0])
  }
}

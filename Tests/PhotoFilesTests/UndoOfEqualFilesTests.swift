import Fixtures
import ImageOrientation
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// Files whose content is equal to the result of another file keep their own originals.
struct UndoOfEqualFilesTests {
  private let scratch: Scratch
  private let (p, q): (String, String)
  private let run: FileRun
  private let rotation: FileRun
  /// A run that sets the Orientation to 1.
  private let tagging: FileRun

  /// Two photos that differ in the Orientation tag alone.
  init() throws {
    scratch = try Scratch()
    p = try scratch.copy(rotatedFixture, as: "photos/p.jpg")
    q = try scratch.copy(rotatedFixture, as: "photos/q.jpg")
    run = FileRun(record: scratch.path("record.ndjson"))
    rotation = run.with(\.request, .rotate90)
    tagging = run.with(\.request, .tag(.set(.up)))
    #expect(try tagging.with(\.record, nil).rewrite(p).statuses == [.tagged])
  }

  /// The photos p and q.
  private func photos() throws -> [[UInt8]] {
    try ["photos/p.jpg", "photos/q.jpg"].map(scratch.read)
  }

  @Test(arguments: [1, Int.max])
  func `The original of an equal file is not restored`(maxSteps: Int) throws {
    let originals = try photos()
    #expect(try rotation.rewrite(p).verdict == .done)
    #expect(try tagging.rewrite(q).verdict == .done)
    #expect(try scratch.read("photos/q.jpg") == originals[0])
    let undo = run.with(\.maxSteps, maxSteps)
    for (path, restoresCopies) in [
      ("photos", false), ("photos", false), ("photos/p.jpg", false), ("photos/p.jpg", true),
    ] {
      let result = try undo.with(\.restoresCopies, restoresCopies).undo(scratch.path(path))
      #expect(result.verdict == .done)
      #expect(try photos() == originals)
    }
  }

  @Test func `A sidecar that equals the result of another one is not changed`() throws {
    for (name, orientation) in [("p", 6), ("q", 1)] {
      try scratch.write(Sidecars.packet(orientation), to: "photos/\(name).xmp")
    }
    #expect(try rotation.rewrite(p, q).verdict == .done)
    let result = try scratch.read("photos/p.xmp")
    #expect(result != Sidecars.packet(6))
    #expect(try scratch.read("photos/q.xmp") == result)
    for _ in 1...2 {
      #expect(try run.undo(scratch.path("photos")).verdict == .done)
      #expect(try scratch.read("photos/p.xmp") == Sidecars.packet(6))
      #expect(try scratch.read("photos/q.xmp") == result)
    }
  }

  @Test func `A result elsewhere leads back to its own source`() throws {
    let original = try scratch.read("photos/p.jpg")
    let output = scratch.path("p2.jpg")
    #expect(try rotation.with(\.output, .file(output)).rewrite(p).verdict == .done)
    #expect(try tagging.rewrite(q).verdict == .done)
    let elsewhere = run.with(\.output, .file(scratch.path("out.jpg")))
    #expect(try elsewhere.undo(output).verdict == .done)
    #expect(try run.undo(output).verdict == .done)
    #expect(try scratch.read("out.jpg") == original)
    #expect(try scratch.read("p2.jpg") == original)
  }

  @Test func `A photo and its rotated copy are both restored`() throws {
    let rotated = scratch.path("rotated.jpg")
    let copying = rotation.with(\.record, nil).with(\.output, .file(rotated))
    #expect(try copying.rewrite(p).verdict == .done)
    let originals = try ["photos/p.jpg", "rotated.jpg"].map(scratch.read)
    #expect(try rotation.rewrite(p, rotated).verdict == .done)
    #expect(try run.undo().verdict == .done)
    #expect(try ["photos/p.jpg", "rotated.jpg"].map(scratch.read) == originals)
  }

  @Test func `A copy from before a second rewrite is a copy`() throws {
    let original = try scratch.read("photos/q.jpg")
    #expect(try run.rewrite(q).verdict == .done)
    let once = try scratch.read("photos/q.jpg")
    let copy = try scratch.write(once, to: "backup/q.jpg")
    #expect(try rotation.rewrite(q).verdict == .done)
    #expect(try run.undo(scratch.path("backup")).reasons == [.copy])
    let elsewhere = run.with(\.output, .folder(scratch.path("out")))
    #expect(try elsewhere.undo(scratch.path("backup")).verdict == .skipped)
    #expect(try scratch.read("backup/q.jpg") == once)
    #expect(try run.undo(copy).verdict == .done)
    #expect(try scratch.read("backup/q.jpg") == original)
  }

  @Test func `A file that was rewritten, moved and rewritten is undone step by step`() throws {
    let original = try scratch.read("photos/q.jpg")
    let moved = scratch.path("photos/x.jpg")
    #expect(try run.rewrite(q).verdict == .done)
    let once = try scratch.read("photos/q.jpg")
    try scratch.move("photos/q.jpg", to: "photos/x.jpg")
    #expect(try rotation.rewrite(moved).verdict == .done)
    let twice = try scratch.read("photos/x.jpg")
    #expect(try run.undo(moved).reasons == [.severalOriginals])
    #expect(try scratch.read("photos/x.jpg") == twice)
    #expect(try run.with(\.maxSteps, 1).undo(moved).verdict == .done)
    #expect(try scratch.read("photos/x.jpg") == once)
    try scratch.move("photos/x.jpg", to: "photos/q.jpg")
    #expect(try run.undo(q).verdict == .done)
    #expect(try scratch.read("photos/q.jpg") == original)
  }

  /// Checks that all was done, and that no companion is said to be missing or changed.
  private func expectComplete(_ result: FileReports) {
    #expect(result.verdict == .done)
    let causes = result.reports.flatMap(\.companions).compactMap(\.cause)
    #expect(!causes.contains(.missing) && !causes.contains(.changedSince), "\(causes)")
  }

  @Test func `In a moved tree equal photos have the records of their paths`() throws {
    let originals = try photos()
    for (name, bytes) in zip(["tree/a/x.jpg", "tree/b/x.jpg"], originals) {
      try scratch.write(bytes, to: name)
    }
    try scratch.write(Sidecars.packet(6), to: "tree/b/x.xmp")
    #expect(try rotation.rewrite(scratch.path("tree/a/x.jpg")).verdict == .done)
    #expect(try run.rewrite(scratch.path("tree/b/x.jpg")).verdict == .done)
    #expect(try scratch.read("tree/a/x.jpg") == scratch.read("tree/b/x.jpg"))
    try scratch.move("tree", to: "moved")
    expectComplete(try run.undo(scratch.path("moved")))
    #expect(try ["moved/a/x.jpg", "moved/b/x.jpg"].map(scratch.read) == originals)
    #expect(try scratch.read("moved/b/x.xmp") == Sidecars.packet(6))
  }

  @Test func `Of a photo that never had a sidecar none is missed`() throws {
    for folder in ["a", "b"] { try scratch.copy(rotatedFixture, as: "tree/\(folder)/x.jpg") }
    try scratch.write(Sidecars.packet(6), to: "tree/a/x.xmp")
    #expect(try run.rewrite(scratch.path("tree")).verdict == .done)
    for name in ["x.jpg", "x.xmp"] {
      try scratch.write(try scratch.read("tree/a/\(name)"), to: "flat/y\(name.dropFirst())")
    }
    try scratch.write(try scratch.read("tree/b/x.jpg"), to: "flat/x.jpg")
    try scratch.remove("tree")
    expectComplete(try run.undo(scratch.path("flat")))
    #expect(try scratch.read("flat/y.xmp") == Sidecars.packet(6))
  }

  @Test func `A moved tree is restored, also through links`() throws {
    let originals = try photos()
    let left = run.with(\.request, .transform(.rotate270, tagOnly: false))
    #expect(try left.rewrite(p).verdict == .done)
    #expect(try run.rewrite(q).verdict == .done)
    let link = try scratch.link("link", to: scratch.path("photos"))
    // The same photo by two paths.
    #expect(try rotation.rewrite("\(link)/q.jpg").verdict == .done)
    let rewritten = try photos()
    #expect(try run.undo(scratch.path("photos")).verdict == .done)
    #expect(try photos() == originals)
    try scratch.remove("link")
    for (name, bytes) in zip(["p", "q"], rewritten) {
      try scratch.write(bytes, to: "moved/\(name).jpg")
    }
    try scratch.remove("photos")
    #expect(try run.undo(scratch.path("moved/p.jpg")).verdict == .done)
    #expect(try scratch.read("moved/p.jpg") == originals[0])
  }
}

import Fixtures
import PhotoFiles
import Reports
import Testing
import Upright

/// The undo of photos with sidecars.
struct SidecarUndoTests {
  private let scratch: Scratch
  private let run: FileRun

  init() throws {
    scratch = try Scratch()
    run = FileRun().with(\.record, scratch.path("record"))
  }

  private func orientation(of name: String) throws -> String? {
    Sidecars.orientation(try scratch.read(name))
  }

  /// A photo with a sidecar.
  private func pair(_ name: String) throws -> String {
    try scratch.write(Sidecars.packet(6), to: "\(name).xmp")
    return try scratch.copy(rotatedFixture, as: "\(name).jpg")
  }

  @Test func `An undo by path restores the sidecar, too`() throws {
    for path in ["tree/a.jpg", "tree"] {
      let photo = try pair("tree/a")
      #expect(try run.rewrite(photo).verdict == .done)
      #expect(try orientation(of: "tree/a.xmp") == "1")
      let result = try run.undo(scratch.path(path))
      #expect(result.verdict == .done)
      let companion = try #require(try result.only.companion("a.xmp"))
      #expect(companion.action == .restore && companion.isDone)
      #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
      #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(6))
    }
  }

  @Test func `An undo that was killed between the two is completed`() throws {
    let photo = try pair("a")
    #expect(try run.rewrite(photo).verdict == .done)
    try scratch.copy(rotatedFixture, as: "a.jpg")
    let result = try run.undo(photo)
    #expect(result.verdict == .done)
    let companion = try #require(try result.only.companion("a.xmp"))
    #expect(companion.action == .restore && companion.isDone)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
  }

  @Test func `An undo into another directory writes the sidecar there`() throws {
    #expect(try run.rewrite(pair("tree/a")).verdict == .done)
    let elsewhere = run.with(\.output, .folder(scratch.path("out")))
    #expect(try elsewhere.undo(scratch.path("tree")).verdict == .done)
    #expect(try scratch.read("out/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(6))
    #expect(try orientation(of: "tree/a.xmp") == "1")
  }

  @Test func `A sidecar is not restored for a photo that is not the original`() throws {
    for name in ["a", "b"] { _ = try pair("tree/\(name)") }
    #expect(try run.rewrite(scratch.path("tree")).verdict == .done)
    // Others have the content of what was written, and b was edited and moved.
    let photo = try scratch.read("tree/a.jpg")
    try scratch.write(photo + [0], to: "tree/a.jpg")
    try scratch.copy("formats/exif.png", as: "tree/a.png")
    try scratch.copy(uprightFixture, as: "tree/c.jpg")
    try scratch.write(Sidecars.packet(1), to: "tree/c.xmp")
    for name in ["b.jpg", "b.xmp"] { try scratch.move("tree/\(name)", to: "moved-\(name)") }
    try scratch.write(photo + [0], to: "moved-b.jpg")
    for paths in [["tree"], ["moved-b.jpg", "tree/a.png"]] {
      #expect(try run.undo(paths.map { scratch.path($0) }).verdict == .skipped)
      for name in ["tree/a.xmp", "tree/c.xmp", "moved-b.xmp"] {
        #expect(try scratch.read(name) == Sidecars.packet(1), "\(name)")
      }
    }
  }

  @Test func `A sidecar that was edited or deleted since is not forgotten`() throws {
    let photo = try pair("tree/a")
    #expect(try run.rewrite(photo).verdict == .done)
    let result = try scratch.read("tree/a.jpg")
    let edited = try scratch.read("tree/a.xmp") + Array("<!-- caption -->".utf8)
    try scratch.write(edited, to: "tree/a.xmp")
    #expect(try run.undo(photo).reasons == [.sidecarChanged])
    #expect(try scratch.read("tree/a.jpg") == result)
    #expect(try run.with(\.restoresPhotosAlone, true).undo(photo).verdict == .done)
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("tree/a.xmp") == edited)

    try scratch.write(result, to: "tree/a.jpg")
    try scratch.remove("tree/a.xmp")
    let restored = try run.undo(photo)
    #expect(restored.verdict == .failed)
    #expect(try restored.only.companion("a.xmp")?.cause == .missing)
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
  }

  /// Rewrites a photo with two XMP files and a world file.
  private func rewrittenPhoto() throws -> String {
    let photo = try pair("a")
    try scratch.write(Sidecars.packet(6), to: "a.jpg.xmp")
    try scratch.write(Sidecars.worldFile, to: "a.jgw")
    #expect(try run.rewrite(photo).verdict == .done)
    return photo
  }

  @Test func `A missing sidecar does not hide one that was changed`() throws {
    let photo = try rewrittenPhoto()
    try scratch.remove("a.jpg.xmp")
    let edited = try scratch.read("a.xmp") + Array("<!-- caption -->".utf8)
    try scratch.write(edited, to: "a.xmp")
    let before = try scratch.read("a.jpg")
    for result in [try run.planUndo(photo), try run.undo(photo)] {
      let reason = try #require(try result.only.reason)
      #expect(reason.code == .sidecarChanged && reason.description.contains("a.xmp was"))
    }
    #expect(try scratch.read("a.jpg") == before)
    try scratch.remove("a.xmp")
    let companions = try run.undo(photo).only.companions
    #expect(companions.filter { $0.cause == .missing }.count == 2)
  }

  @Test func `A sidecar that is named is restored alone`() throws {
    _ = try rewrittenPhoto()
    let before = try ["a.jpg", "a.jpg.xmp", "a.jgw"].map(scratch.read)
    #expect(try run.undo(scratch.path("a.xmp")).only.companions.isEmpty)
    #expect(try orientation(of: "a.xmp") == "6")
    #expect(try ["a.jpg", "a.jpg.xmp", "a.jgw"].map(scratch.read) == before)
  }

  @Test func `Of the last rewrite, only the sidecars that it changed are undone`() throws {
    let photo = try rewrittenPhoto()
    let names = ["a.jpg", "a.jpg.xmp", "a.xmp", "a.jgw"]
    let first = try names.map(scratch.read)
    let again = run.with(\.request, .rotate90).with(\.policy.sidecars, .ignore)
    #expect(try again.rewrite(photo).verdict == .done)
    let last = run.with(\.maxSteps, 1)
    #expect(try last.undo(photo).verdict == .done)
    #expect(try names.map(scratch.read) == first)
    #expect(try last.undo(photo).verdict == .done)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try orientation(of: "a.xmp") == "6")
  }
}

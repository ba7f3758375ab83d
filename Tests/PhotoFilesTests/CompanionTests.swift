import Fixtures
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// Whose the files beside photos are: those of photos that are reached through links, and of originals.
struct CompanionTests {
  private let scratch: Scratch
  private let run: FileRun

  init() throws {
    scratch = try Scratch()
    run = FileRun().with(\.record, scratch.path("record"))
  }

  /// A photo with three sidecars.
  private func fill() throws -> String {
    try scratch.write(Sidecars.packet(6), to: "in/a.jpg.xmp")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    try scratch.write(Sidecars.worldFile, to: "in/a.jgw")
    return try scratch.copy(rotatedFixture, as: "in/a.jpg")
  }

  @Test(arguments: [["album/best.jpg"], ["in/a.jpg"], ["album"], []])
  func `Through a link the sidecars of the target are updated, and restored by any path`(
    undone: [String]
  ) throws {
    _ = try fill()
    try scratch.link("album/best.jpg", to: "../in/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "album/best.xmp")
    let names = ["in/a.jpg.xmp", "in/a.xmp", "in/a.jgw", "album/best.xmp"]
    let before = try names.map(scratch.read)
    let planned = try run.plan(scratch.path("album")).only
    #expect(try names.map(scratch.read) == before)
    let result = try run.rewrite(scratch.path("album"))
    #expect(result.verdict == .done)
    for name in names {
      for (report, isDone) in [(planned, false), (try result.only, true)] {
        let companion = try #require(report.companion(name), "\(name)")
        #expect(companion.action == .update && companion.isDone == isDone)
      }
      if name != "in/a.jgw" { #expect(Sidecars.orientation(try scratch.read(name)) == "1") }
    }
    #expect(try run.undo(undone.map { scratch.path($0) }).verdict == .done)
    #expect(try names.map(scratch.read) == before)
    #expect(try scratch.read("in/a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test(arguments: [
    ("in/a.AAE", "<key>adjustmentData</key>"), ("in/a.jgw", ""), ("album/best.jgw", ""),
    ("in/.picasa.ini", "[a.jpg]\ncrop=rect64(1)\n"),
    ("album/.picasa.ini", "[best.jpg]\ncrop=rect64(1)\n"),
  ])
  func `Edits and positions beside the target or the link make it a skip`(
    name: String,
    content: String
  ) throws {
    try scratch.copy(rotatedFixture, as: "in/a.jpg")
    try scratch.write(content.isEmpty ? Sidecars.worldFile : Array(content.utf8), to: name)
    let link = try scratch.link("album/best.jpg", to: "../in/a.jpg")
    let report = FileRun().with(\.policy.sidecars, .report)
    for result in [try report.audit(link), try report.plan(link), try report.rewrite(link)] {
      #expect(result.statuses == [.skipped])
    }
    #expect(try scratch.read("in/a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `An undo from the data in the photo names what it leaves`() throws {
    let photo = try fill()
    #expect(try run.with(\.embedsUndo, true).rewrite(photo).verdict == .done)
    let embedded = FileRun()
    for result in [try embedded.planUndo(photo), try embedded.undo(photo)] {
      #expect(result.verdict == .done)
      let report = try result.only
      for name in ["a.jpg.xmp", "a.xmp"] { #expect(report.companion(name)?.cause == .ofResult) }
      #expect(report.companion("a.jgw")?.cause == .mayBeOfResult)
    }
    // Now the photo is the original, and the record has those of its sidecars.
    let result = try run.undo(photo)
    #expect(result.verdict == .done)
    #expect(try result.only.companions.allSatisfy { $0.action == .restore && $0.isDone })
    #expect(try scratch.read("in/a.xmp") == Sidecars.packet(6))
    #expect(try scratch.read("in/a.jgw") == Sidecars.worldFile)
  }

  @Test(arguments: [
    ("a.jgw", "world file", Sidecars.worldFile, Companion.Cause.mayBeOfResult),
    ("a.AAE", "edit of Apple Photos", Array("adjustmentData".utf8), .mayBeOfResult),
    ("a.xmp", "sidecar", Sidecars.packet(1), .ofResult),
  ])
  func `An undo names a file that was made for the result`(
    name: String,
    what: String,
    content: [UInt8],
    cause: Companion.Cause
  ) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    #expect(try run.rewrite(photo).verdict == .done)
    try scratch.write(content, to: name)
    let alone = run.with(\.restoresPhotosAlone, true)
    #expect(try alone.planUndo(photo).only.companions.isEmpty)
    for result in [try run.planUndo(photo), try run.undo(photo)] {
      #expect(result.verdict == .done)
      let companion = try #require(try result.only.companion(name))
      #expect(companion.name == what && companion.cause == cause && companion.action == .leave)
      #expect(companion.path.string == scratch.path(name))
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read(name) == content)
  }

  @Test func `An undo says nothing of a sidecar that matches the original`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    // Its undo data would be nowhere.
    let embedding = FileRun().with(\.embedsUndo, true)
    #expect(try embedding.rewrite(photo).reasons == [.noUndo])
    #expect(try embedding.with(\.policy.sidecars, .report).rewrite(photo).verdict == .done)
    let result = try FileRun().undo(photo)
    #expect(result.statuses == [.restored])
    #expect(try result.only.companions.isEmpty)
  }
}

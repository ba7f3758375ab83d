import Fixtures
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// XMP and world files beside photos: what becomes of the pair.
struct SidecarTests {
  private let scratch: Scratch
  private let run: FileRun
  private let recorded: FileRun

  init() throws {
    scratch = try Scratch()
    run = FileRun()
    recorded = run.with(\.record, scratch.path("record"))
  }

  private func orientation(of name: String) throws -> String? {
    Sidecars.orientation(try scratch.read(name))
  }

  @Test func `All sidecars of a photo are updated, recorded and restored with it`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    let sidecars = [
      "a.jpg.xmp": Sidecars.packet(6), "a.xmp": Sidecars.packet(6, width: 96),
      "a.jgw": Sidecars.worldFile, "a.wld": Sidecars.worldFile,
    ]
    for (name, bytes) in sidecars { try scratch.write(bytes, to: "tree/\(name)") }
    let planned = try run.plan(photo).only
    let done = try recorded.rewrite(photo).only
    #expect(done.status == .normalized)
    for name in sidecars.keys {
      for (report, isDone) in [(planned, false), (done, true)] {
        let companion = try #require(report.companion(name))
        #expect(companion.action == .update && companion.isDone == isDone)
        #expect(companion.kind == (name.hasSuffix("xmp") ? .sidecar : .worldFile))
      }
      #expect(try scratch.read("tree/\(name)") != sidecars[name])
    }
    #expect(try orientation(of: "tree/a.jpg.xmp") == "1")
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(1, width: 64))
    #expect(try scratch.read("tree/a.jgw") == scratch.read("tree/a.wld"))
    #expect(try recorded.undo().verdict == .done)
    for name in sidecars.keys { #expect(try scratch.read("tree/\(name)") == sidecars[name]) }
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.files().count == 6)
  }

  @Test func `A sidecar that two photos may share is updated with neither`() throws {
    let photos = try ["a.jpg", "a.jpeg"].map { try scratch.copy(rotatedFixture, as: $0) }
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let result = try run.rewrite(photos)
    #expect(result.reasons == [.sidecarShared, .sidecarShared])
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    // It is still one that describes the image as it was.
    let report = try run.with(\.policy.sidecars, .report).plan(photos[0]).only
    let companion = try #require(report.companion("a.xmp"))
    #expect(companion.cause == .outdated && companion.remedies.isEmpty)
    #expect(companion.owner?.text.contains("may also be that of ") == true)
    // A name with the photo's ending is that of one photo.
    try scratch.write(Sidecars.packet(6), to: "a.jpg.xmp")
    #expect(try run.rewrite(photos[0]).verdict == .done)
    #expect(try orientation(of: "a.jpg.xmp") == "1")
  }

  @Test func `A sidecar that a photo may share with an AVIF file is not updated`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.copy("formats/rotated.avif", as: "a.avif")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    #expect(try run.rewrite(photo).reasons == [.sidecarShared])
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
  }

  @Test func `A sidecar of the raw file is named when it is not updated`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write([0], to: "a.NEF")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let elsewhere = run.with(\.output, .folder(scratch.path("out")))
    for result in [try run.plan(photo), try elsewhere.rewrite(photo), try run.rewrite(photo)] {
      let companions = try result.only.companions
      #expect(companions.map(\.cause) == [.ofAnother])
      #expect(companions[0].path.string.hasSuffix("/a.xmp"))
      let owner = try #require(companions[0].owner?.text)
      #expect(owner.hasPrefix("is the sidecar of ") && owner.hasSuffix("a.NEF"))
    }
    #expect(try orientation(of: "a.xmp") == "6")
  }

  @Test func `What cannot be read as a sidecar is named`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    // A directory is none.
    try scratch.write([], to: "a.xmp/x")
    #expect(try run.plan(photo).only.companions.isEmpty)
    try scratch.write(Array("no XMP".utf8), to: "a.jpg.xmp")
    let left = try run.with(\.policy.sidecars, .report).plan(photo).only
    #expect(left.companion("a.jpg.xmp")?.cause == .unreadable)
    for result in [try run.plan(photo), try run.rewrite(photo)] {
      let reason = try #require(try result.only.reason)
      #expect(reason.code == .sidecarUnreadable)
      #expect(reason.description.contains("a.jpg.xmp: the sidecar cannot be read"))
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test(arguments: [(6, "3"), (1, "1"), (8, "1")])
  func `The sidecar of a HEIC file goes on to state what the file states`(
    before: Int,
    after: String
  ) throws {
    // Its irot gives 6.
    let photo = try scratch.copy("formats/agree.heic", as: "a.heic")
    let original = try scratch.read("a.heic")
    try scratch.write(Sidecars.packet(before, width: 96), to: "a.xmp")
    let rotation = recorded.with(\.request, .rotate90)
    let report = try rotation.with(\.policy.sidecars, .report).plan(photo).only
    #expect((report.companion("a.xmp")?.cause == .outdated) == (before != 1))
    #expect(try rotation.rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == after)
    #expect(try run.audit(photo).verdict == .done)
    #expect(try recorded.undo(photo).verdict == .done)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(before, width: 96))
    #expect(try scratch.read("a.heic") == original)
  }

  @Test func `A sidecar with several hard links is a reason in audits, dry runs, runs and undos`()
    throws
  {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.hardLink("other", to: "a.xmp")
    func expectSkip(_ runs: [(String) throws -> FileReports]) throws {
      let before = try scratch.contents()
      for run in runs {
        let reason = try #require(try run(photo).only.reason)
        #expect(reason.code == .hardLinked)
        #expect(reason.description.contains("a.xmp has several hard links"), "\(reason)")
        #expect(try scratch.contents() == before)
      }
    }
    try expectSkip([{ try run.audit($0) }, { try run.plan($0) }, { try run.rewrite($0) }])
    #expect(try recorded.with(\.policy.breaksHardLinks, true).rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == "1")
    #expect(try scratch.read("other") == Sidecars.packet(6))
    try scratch.remove("other")
    try scratch.hardLink("other", to: "a.xmp")
    try expectSkip([{ try recorded.planUndo($0) }, { try recorded.undo($0) }])
  }

  @Test func `If one of several sidecars cannot be replaced, nothing is`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    for name in ["a.jpg.xmp", "a.xmp"] { try scratch.write(Sidecars.packet(6), to: name) }
    try scratch.hardLink("other", to: "a.xmp")
    for result in [try run.plan(photo), try run.rewrite(photo)] {
      let reason = try #require(try result.only.reason)
      #expect(reason.code == .hardLinked && reason.description.contains("a.xmp "))
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try orientation(of: "a.jpg.xmp") == "6")
    #expect(try scratch.files() == ["a.jpg", "a.jpg.xmp", "a.xmp", "other"])
  }

  @Test func `A link to a photo is no other photo`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.link("a.jpeg", to: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    #expect(try run.rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == "1")
  }

  @Test(arguments: ["a.XMP", "a.jpg.XMP"])
  func `A sidecar with an ending in capitals is updated and restored`(name: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: name)
    #expect(try run.plan(photo).only.companion(name)?.action == .update)
    #expect(try recorded.rewrite(photo).verdict == .done)
    #expect(try orientation(of: name) == "1")
    #expect(try recorded.undo().verdict == .done)
    #expect(try scratch.read(name) == Sidecars.packet(6))
  }

  @Test func `What is no world file, under the name of one, is no sidecar`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.write([], to: "a.wld/x")
    #expect(try recorded.rewrite(photo).verdict == .done)
    #expect(try orientation(of: "a.xmp") == "1")
    #expect(try recorded.undo(photo).verdict == .done)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try orientation(of: "a.xmp") == "6")
  }
}

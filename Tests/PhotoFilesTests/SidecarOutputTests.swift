import Fixtures
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// The sidecars of outputs.
struct SidecarOutputTests {
  private let scratch: Scratch
  private let run: FileRun
  /// A run whose results are in `out`.
  private let elsewhere: FileRun

  init() throws {
    scratch = try Scratch()
    run = FileRun().with(\.record, scratch.path("record"))
    elsewhere = FileRun().with(\.output, .folder(scratch.path("out")))
  }

  /// The files in `out`.
  private func outputs() throws -> [String] {
    try scratch.files().filter { $0.hasPrefix("out/") }
  }

  /// A photo with three sidecars in `in`, and an upright photo in `out`.
  private func fill() throws -> String {
    try scratch.write(Sidecars.packet(6), to: "in/a.jpg.xmp")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    try scratch.write(Sidecars.worldFile, to: "in/a.jgw")
    try scratch.copy(uprightFixture, as: "out/a.jpg")
    return try scratch.copy(rotatedFixture, as: "in/a.jpg")
  }

  @Test func `The sidecars of an output have its name, and are restored with it`() throws {
    let photo = try fill()
    let output = scratch.path("out/b.jpg")
    #expect(try run.with(\.output, .file(output)).rewrite(photo).verdict == .done)
    let names = ["out/b.jpg.xmp", "out/b.xmp", "out/b.jgw"]
    #expect(try outputs() == (["out/a.jpg", "out/b.jpg"] + names).sorted())
    #expect(Sidecars.orientation(try scratch.read("out/b.jpg.xmp")) == "1")
    #expect(Sidecars.orientation(try scratch.read("out/b.xmp")) == "1")
    #expect(try run.undo(output).verdict == .done)
    #expect(try scratch.read("out/b.jpg") == Fixture.bytes(rotatedFixture))
    for name in names {
      let own = "in/a" + name.dropFirst("out/b".count)
      #expect(try scratch.read(name) == scratch.read(own))
    }
  }

  @Test func `A world file gets the ending of its output's extension`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "in/a.jpeg")
    try scratch.write(Sidecars.worldFile, to: "in/a.JPEGW")
    let output = run.with(\.output, .file(scratch.path("b.jpg")))
    #expect(try output.rewrite(photo).verdict == .done)
    #expect(scratch.exists("b.JPGW"))
  }

  @Test func `An output of a HEIC file with a world file says that it gets none`() throws {
    let photo = try scratch.copy("formats/agree.heic", as: "a.heic")
    try scratch.write(Sidecars.worldFile, to: "a.wld")
    let result = try elsewhere.with(\.request, .rotate90).rewrite(photo)
    #expect(result.verdict == .done)
    #expect(try result.only.companion("a.wld")?.cause == .format)
  }

  @Test(arguments: ["out/b.cr2", "out/b.jpeg"], [false, true])
  func `An output gives no sidecar to another photo, and overwrites none of it`(
    other: String,
    overwrites: Bool
  ) throws {
    let photo = try fill()
    try scratch.copy(uprightFixture, as: other)
    try scratch.write(Sidecars.packet(3), to: "out/b.xmp")
    let before = try scratch.contents()
    let output = FileRun().with(\.output, .file(scratch.path("out/b.jpg")))
      .with(\.policy.overwritesOutputs, overwrites)
    for result in [try output.plan(photo), try output.rewrite(photo)] {
      #expect(try result.only.error?.message.contains("b.") == true)
      #expect(try scratch.contents() == before)
    }
  }

  @Test func `A photo that is in the way gets no sidecars`() throws {
    let photo = try fill()
    let output = run.with(\.output, .file(scratch.path("out/a.jpg")))
    #expect(try output.rewrite(photo).verdict == .failed)
    #expect(try outputs() == ["out/a.jpg"])
  }

  @Test func `Outputs of photos that share a sidecar share it, too`() throws {
    for name in ["in/a.jpg", "in/a.jpeg"] { try scratch.copy(uprightFixture, as: name) }
    try scratch.write(Sidecars.packet(1), to: "in/a.xmp")
    #expect(try elsewhere.rewrite(scratch.path("in")).verdict == .done)
    #expect(try outputs() == ["out/a.jpeg", "out/a.jpg", "out/a.xmp"])
  }

  @Test func `Different sidecars that would have one name beside an output are an error`() throws {
    try scratch.copy(rotatedFixture, as: "in/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    let link = try scratch.link("album/best.jpg", to: "../in/a.jpg")
    try scratch.write(Sidecars.packet(6, width: 96), to: "album/best.xmp")
    let output = FileRun().with(\.output, .file(scratch.path("out.jpg")))
    let before = try scratch.files()
    for result in [try output.plan(link), try output.rewrite(link)] {
      #expect(result.failures == ["output-collision"])
      #expect(try scratch.files() == before)
    }
    // Equal ones are one.
    try scratch.write(Sidecars.packet(6), to: "album/best.xmp")
    let companions = try output.rewrite(link).only.companions
    #expect(companions.map(\.isDone) == [true, true])
    let copy = scratch.path("out.xmp")
    #expect(companions.map { $0.output?.string } == [copy, copy])
  }

  @Test func `An output gets its sidecar even if neither needs a change`() throws {
    let photos = [
      try scratch.copy(uprightFixture, as: "a.jpg"), try scratch.copy(rotatedFixture, as: "b.jpg"),
    ]
    try scratch.write(Sidecars.packet(1), to: "a.xmp")
    try scratch.write(Sidecars.packet(nil), to: "b.jpg.xmp")
    #expect(try elsewhere.with(\.policy.sidecars, .report).rewrite(photos).verdict == .done)
    #expect(try outputs() == ["out/a.jpg", "out/b.jpg"])
    #expect(try elsewhere.rewrite(photos).verdict == .done)
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1))
    #expect(try scratch.read("out/b.jpg.xmp") == Sidecars.packet(nil))
  }

  @Test func `A copy of a sidecar is predicted, and needs none beside itself`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(1), to: "a.xmp")
    try scratch.write(Array("another".utf8), to: "out/a.xmp")
    #expect(try elsewhere.plan(photo).verdict == .failed)
    #expect(try elsewhere.rewrite(photo).verdict == .failed)
    let beside = FileRun().with(\.output, .file(scratch.path("b.jpg")))
    #expect(try beside.rewrite(photo).verdict == .done)
  }

  @Test func `Outputs do not overwrite the sidecars of each other`() throws {
    let photos = try ["x/a.jpg", "y/a.jpeg"].map { try scratch.copy(rotatedFixture, as: $0) }
    try scratch.write(Sidecars.packet(6, width: 96), to: "x/a.xmp")
    try scratch.write(Sidecars.packet(1), to: "y/a.xmp")
    let overwriting = elsewhere.with(\.policy.overwritesOutputs, true)
    for result in [try overwriting.plan(photos), try overwriting.rewrite(photos)] {
      #expect(result.failures == [nil, "output-collision"])
    }
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1, width: 64))
    #expect(try outputs() == ["out/a.jpg", "out/a.xmp"])
  }

  @Test func `An output is not created if its sidecar cannot be`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.write(Array("another".utf8), to: "out/a.xmp")
    #expect(try elsewhere.plan(photo).verdict == .failed)
    #expect(try elsewhere.rewrite(photo).verdict == .failed)
    #expect(try scratch.files() == ["a.jpg", "a.xmp", "out/a.xmp"])
    let overwriting = elsewhere.with(\.policy.overwritesOutputs, true)
    #expect(try overwriting.rewrite(photo).verdict == .done)
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1))
    #expect(try scratch.read("out/a.jpg") == normalized(rotatedFixture))
  }
}

import Fixtures
import Foundation
import Testing

/// What the command says of the files beside photos; what becomes of them is tested with the files.
struct CompanionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private var record: [String] { ["--record", scratch.path("record")] }

  private func rotated(_ name: String = "a.jpg") throws -> String {
    try scratch.copy(rotatedFixture, as: name)
  }

  private func link(_ name: String, to target: String) throws -> String {
    let folder = scratch.url.appending(path: name).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path(name),
      withDestinationPath: target
    )
    return scratch.path(name)
  }

  private func expect(_ result: Tool, _ texts: String...) {
    for text in texts { #expect(result.text.contains(text), "\(result.text)") }
  }

  @Test func `A sidecar that is updated and restored has a sentence each`() throws {
    let photo = try rotated()
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.write(Sidecars.worldFile, to: "a.jgw")
    let planned = try upright(["normalize", "-n", photo])
    expect(planned, "a.xmp will be updated", "a.jgw will be updated")
    expect(
      try upright(["normalize", photo] + record),
      "a.xmp was updated",
      "the sidecar \(scratch.path("a.jgw")) was updated"
    )
    let alone = try upright(["undo", "-n", "--without-sidecars", photo] + record)
    #expect(!alone.text.contains("a.xmp"), "\(alone.text)")
    expect(try upright(["undo", photo] + record), "a.xmp was restored", "a.jgw was restored")
  }

  @Test func `A sidecar that is not restored is named`() throws {
    let photo = try rotated()
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    #expect(try upright(["normalize", photo] + record).status == 0)
    try FileManager.default.removeItem(atPath: scratch.path("a.xmp"))
    let result = try upright(["undo", photo] + record)
    #expect(result.status == 2)
    let text = result.text + result.errorText
    #expect(text.contains("a.xmp was not restored: there is no such file"), "\(text)")
  }

  @Test func `A sidecar that is only reported has the option that updates it, unless it is shared`()
    throws
  {
    let photo = try rotated()
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let report = ["normalize", "-n", "--sidecars", "report", photo]
    expect(try upright(report), "a.xmp describes the image as it is stored", "--sidecars update")
    _ = try rotated("a.jpeg")
    let shared = try upright(report)
    expect(shared, "is stored; it may also be that of ")
    #expect(!shared.text.contains("--sidecars"), "\(shared.text)")
    try scratch.write([0], to: "a.NEF")
    expect(
      try upright(["normalize", "-n", photo]),
      "a.xmp is the sidecar of ",
      "a.NEF, and is not changed"
    )
  }

  @Test func `The sidecar of a result elsewhere is named`() throws {
    let photo = try rotated("in/a.jpg")
    try scratch.write(Sidecars.worldFile, to: "in/a.jgw")
    try scratch.write(Sidecars.packet(6), to: "in/a.jpg.xmp")
    let report = ["normalize", photo, "--sidecars", "report", "--output-dir", scratch.path("one")]
    expect(try upright(report), "the sidecar", "the world file", "--sidecars update")
    let done = try upright(["normalize", photo, "--output-dir", scratch.path("two")])
    for name in ["a.jpg.xmp", "a.jgw"] {
      expect(done, "updated sidecar: \(scratch.path("two/\(name)"))")
    }
  }

  @Test func `A sidecar that is reset, and one that a format has not, are named`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let reset = ["normalize", "-n", "--on-conflict", "reset-tag", photo]
    expect(try upright(reset), "a.xmp will be set to 1")
    let other = try scratch.copy("formats/agree.heic", as: "b.heic")
    try scratch.write(Sidecars.worldFile, to: "b.wld")
    let rotated = try upright(["rotate", "90", other, "--output-dir", scratch.path("out")])
    #expect(rotated.status == 0)
    expect(rotated, "b.wld is not changed with a HEIC file")
  }

  @Test func `An undo names what it leaves`() throws {
    let photo = try rotated("in/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    try scratch.write(Sidecars.worldFile, to: "in/a.jgw")
    #expect(try upright(["normalize", "--embed-undo", photo] + record).status == 0)
    try scratch.write(Array("<key>adjustmentData</key>".utf8), to: "in/a.AAE")
    for arguments in [["undo", "-n", photo], ["undo", photo]] {
      let result = try upright(arguments)
      #expect(result.status == 0)
      expect(
        result,
        "in/a.xmp does not fit the restored photo",
        "in/a.jgw may not fit the restored photo",
        "the edit of Apple Photos \(scratch.path("in/a.AAE"))"
      )
    }
  }

  @Test func `A record proves the sidecars beside a link and beside its target`() throws {
    _ = try rotated("in/a.jpg")
    for name in ["in/a.jpg.xmp", "in/a.xmp", "album/best.xmp"] {
      try scratch.write(Sidecars.packet(6), to: name)
    }
    try scratch.write(Sidecars.worldFile, to: "in/a.jgw")
    _ = try link("album/best.jpg", to: "../in/a.jpg")
    let album = scratch.path("album")
    #expect(try upright(["normalize", "-r", album] + record).status == 0)
    let check = try upright(["verify", album] + record)
    #expect(check.text.contains("5 pairs: 5 proven"), "\(check.text)")
    // The record's own paths are relative to the working directory.
    let undo = try upright(["undo"] + record, in: scratch.url.path)
    #expect(undo.status == 0, "\(undo.text)")
    #expect(try scratch.read("album/best.xmp") == Sidecars.packet(6))
  }

  @Test func `A run through a link that was killed between photo and sidecar is completed`() throws
  {
    let photo = try scratch.copy(rotatedFixture, as: "in/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    let link = try link("album/best.jpg", to: "../in/a.jpg")
    guard FaultLibrary.isUsable else { return }
    let command = ["normalize", "--sidecars", "update", link, "-j", "1"]
    let fault = Fault(
      call: SystemCall(number: 1, name: "renameat2", file: "a.xmp"),
      way: .kill,
      error: nil
    )
    _ = try FaultLibrary.run(command, below: scratch.url, fault: fault)
    guard try scratch.read("in/a.jpg") != Fixture.bytes(rotatedFixture) else {
      Issue.record("the photo was not replaced")
      return
    }
    #expect(try scratch.read("in/a.xmp") == Sidecars.packet(6))
    let found = try upright(["audit", photo, "--format", "ndjson"]).json()
    #expect(found.first?.companion("a.xmp")?.action == "complete")
    #expect(try upright(["audit", "--check", link]).status == 1)
    let left = try upright(["audit", "--sidecars", "report", photo, "--format", "ndjson"]).json()
    #expect(left.map(\.reason?.id) == ["stale-sidecar"])
    #expect(try upright(command).status == 0)
    #expect(try scratch.read("in/a.xmp") == Sidecars.packet(1))
  }
}

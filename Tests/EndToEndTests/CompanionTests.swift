import Fixtures
import Foundation
import Testing

/// Whose the files beside photos are: those of outputs, and of photos that are reached through links.
struct CompanionTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func update(_ arguments: String...) throws -> Tool {
    try upright(
      ["normalize", "--sidecars", "update", "--record", scratch.path("record")] + arguments
    )
  }

  /// A photo with three sidecars in `in`, and an upright photo in `out`.
  private func fill() throws -> String {
    try scratch.write(Sidecars.packet(6), to: "in/a.jpg.xmp")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    try scratch.write(Sidecars.worldFile, to: "in/a.jgw")
    try scratch.copy(uprightFixture, as: "out/a.jpg")
    return try scratch.copy(rotatedFixture, as: "in/a.jpg")
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

  @Test func `The sidecars of an output have its name, and are restored with it`() throws {
    let photo = try fill()
    let output = scratch.path("out/b.jpg")
    #expect(try update(photo, "-o", output).status == 0)
    let names = ["out/b.jpg.xmp", "out/b.xmp", "out/b.jgw"]
    #expect(
      try scratch.files().filter { $0.hasPrefix("out/") }.sorted()
        == (["out/a.jpg", "out/b.jpg"] + names).sorted()
    )
    #expect(Sidecars.orientation(try scratch.read("out/b.jpg.xmp")) == "1")
    #expect(Sidecars.orientation(try scratch.read("out/b.xmp")) == "1")
    #expect(try upright(["undo", "--record", scratch.path("record"), output]).status == 0)
    #expect(try scratch.read("out/b.jpg") == Fixture.bytes(rotatedFixture))
    for name in names {
      let own = "in/a" + name.dropFirst("out/b".count)
      #expect(try scratch.read(name) == scratch.read(own))
    }
  }

  @Test func `A world file gets the ending of its output's extension`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "in/a.jpeg")
    try scratch.write(Sidecars.worldFile, to: "in/a.JPEGW")
    #expect(try update(photo, "-o", scratch.path("b.jpg")).status == 0)
    #expect(scratch.exists("b.JPGW"))
  }

  @Test(arguments: ["out/b.cr2", "out/b.jpeg"])
  func `An output gives no sidecar to another photo, and overwrites none of it`(
    other: String
  ) throws {
    let photo = try fill()
    try scratch.copy(uprightFixture, as: other)
    try scratch.write(Sidecars.packet(3), to: "out/b.xmp")
    let before = try scratch.files()
    for options in [["-n"], ["-n", "--overwrite"], [], ["--overwrite"]] {
      let result = try upright(
        ["normalize", "--sidecars", "update", photo, "-o", scratch.path("out/b.jpg")] + options
      )
      #expect(result.status == 2 && result.errorText.contains("b."), "\(result.errorText)")
      #expect(try scratch.files() == before)
      #expect(try scratch.read("out/b.xmp") == Sidecars.packet(3))
    }
  }

  @Test func `A photo that is in the way gets no sidecars`() throws {
    let photo = try fill()
    #expect(try update(photo, "-o", scratch.path("out/a.jpg")).status == 2)
    #expect(try scratch.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg"])
  }

  @Test func `Outputs of photos that share a sidecar share it, too`() throws {
    for name in ["in/a.jpg", "in/a.jpeg"] { try scratch.copy(uprightFixture, as: name) }
    try scratch.write(Sidecars.packet(1), to: "in/a.xmp")
    let result = try update("-r", scratch.path("in"), "--output-dir", scratch.path("out"))
    #expect(result.status == 0, "\(result.text)")
    #expect(
      try scratch.files().filter { $0.hasPrefix("out/") }.sorted()
        == ["out/a.jpeg", "out/a.jpg", "out/a.xmp"]
    )
  }

  @Test func `Different sidecars that would have one name beside an output are an error`() throws {
    try scratch.copy(rotatedFixture, as: "in/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "in/a.xmp")
    let link = try link("album/best.jpg", to: "../in/a.jpg")
    try scratch.write(Sidecars.packet(6, width: 96), to: "album/best.xmp")
    let command = ["normalize", "--format", "ndjson", link, "-o", scratch.path("out.jpg")]
    let before = try scratch.files()
    for option in [["-n"], []] {
      let result = try upright(command + option)
      #expect(try result.json().map(\.error?.id) == ["output-collision"], "\(option)")
      #expect(try scratch.files() == before)
    }
    // Equal ones are one.
    try scratch.write(Sidecars.packet(6), to: "album/best.xmp")
    let companions = try #require(try upright(command).json().first?.companions)
    #expect(companions.map(\.done) == [true, true])
    #expect(companions.map(\.output) == [scratch.path("out.xmp"), scratch.path("out.xmp")])
  }

  @Test(arguments: [["album/best.jpg"], ["in/a.jpg"], ["-r", "album"], []])
  func `Through a link the sidecars of the target are updated, and restored by any path`(
    undone: [String]
  ) throws {
    _ = try fill()
    _ = try link("album/best.jpg", to: "../in/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "album/best.xmp")
    let names = ["in/a.jpg.xmp", "in/a.xmp", "in/a.jgw", "album/best.xmp"]
    let before = try names.map(scratch.read)
    let dry = try update("-n", "-r", scratch.path("album"))
    #expect(try names.map(scratch.read) == before)
    let result = try update("-r", scratch.path("album"))
    #expect(result.status == 0)
    for name in names {
      #expect(dry.text.contains("\(name) will be updated"), "\(dry.text)")
      #expect(result.text.contains("\(name) was updated"), "\(result.text)")
      if name != "in/a.jgw" { #expect(Sidecars.orientation(try scratch.read(name)) == "1") }
    }
    let record = ["--record", scratch.path("record")]
    let check = try upright(["verify"] + record + [scratch.path("album")])
    #expect(check.text.contains("5 pairs: 5 proven"), "\(check.text)")
    let undo = try upright(["undo"] + record + undone, in: scratch.url.path)
    #expect(undo.status == 0, "\(undo.text)")
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
    let link = try link("album/best.jpg", to: "../in/a.jpg")
    for arguments in [["audit", link], ["normalize", "-n", link], ["normalize", link]] {
      let policy = ["--sidecars", "report", "--format", "ndjson"]
      let result = try upright(arguments + policy)
      #expect(try result.json().map(\.status) == ["skipped"], "\(arguments)")
    }
    #expect(try scratch.read("in/a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `An undo from the data in the photo names what it leaves`() throws {
    let photo = try fill()
    #expect(try update("--embed-undo", photo).status == 0)
    for arguments in [["undo", "-n", photo], ["undo", photo]] {
      let result = try upright(arguments)
      #expect(result.status == 0)
      for name in ["a.jpg.xmp describes", "a.xmp describes", "a.jgw may describe"] {
        #expect(result.text.contains("in/\(name) the image as it was before the undo"))
      }
    }
    // Now the photo is the original, and the record has those of its sidecars.
    let result = try upright(["undo", "--record", scratch.path("record"), photo])
    #expect(result.status == 0 && !result.text.contains("describe"), "\(result.text)")
    #expect(try scratch.read("in/a.xmp") == Sidecars.packet(6))
    #expect(try scratch.read("in/a.jgw") == Sidecars.worldFile)
  }

  @Test(arguments: [
    ("a.jgw", "the world file"), ("a.AAE", "the edit of Apple Photos"), ("a.xmp", "the sidecar"),
  ])
  func `An undo names a file that was made for the result`(name: String, what: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    #expect(try update(photo).status == 0)
    switch name {
    case "a.jgw": try scratch.write(Sidecars.worldFile, to: name)
    case "a.xmp": try scratch.write(Sidecars.packet(1), to: name)
    default: try scratch.write(Array("<key>adjustmentData</key>".utf8), to: name)
    }
    let record = ["--record", scratch.path("record"), photo]
    let dry = try upright(["undo", "-n"] + record)
    #expect(dry.text.contains("\(what) \(scratch.path(name))"), "\(dry.text)")
    let alone = try upright(["undo", "-n", "--without-sidecars"] + record)
    #expect(!alone.text.contains(name))
    let result = try upright(["undo"] + record)
    #expect(result.status == 0 && result.text.contains("\(what) \(scratch.path(name))"))
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `An undo says nothing of a sidecar that matches the original`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    // Its undo data would be nowhere.
    #expect(try upright(["normalize", "--embed-undo", photo]).status == 1)
    let report = ["--sidecars", "report"]
    #expect(try upright(["normalize", "--embed-undo", photo] + report).status == 0)
    let result = try upright(["undo", photo])
    #expect(result.status == 0 && !result.text.contains("a.xmp"))
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

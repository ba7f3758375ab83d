import Fixtures
import Foundation
import Testing

/// XMP files beside photos: what becomes of the pair.
struct SidecarTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func orientation(of name: String) throws -> String? {
    Sidecars.orientation(try scratch.read(name))
  }

  private func audit(_ path: String) throws -> Tool {
    try upright(["audit", "--format", "ndjson", path])
  }

  private func normalize(_ arguments: String...) throws -> Tool { try normalize(arguments) }

  private func normalize(_ arguments: [String]) throws -> Tool {
    try upright(["normalize", "--format", "ndjson"] + arguments)
  }

  @Test func `The sidecar of an upright photo that gives another Orientation is a finding`()
    throws
  {
    let photo = try scratch.copy(uprightFixture, as: "tree/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/a.xmp")
    for arguments in [[], ["-n"], ["--sidecars", "update"]] {
      let result = try upright(["normalize", "--format", "ndjson"] + arguments + [photo])
      #expect(result.status == 1, "\(arguments)")
      #expect(try result.json().map(\.reason?.id) == ["sidecar-conflict"])
    }
    #expect(try audit(photo).json().map(\.reason?.id) == ["sidecar-conflict"])
    for format in ["table", "text", "csv"] {
      #expect(try upright(["audit", "--format", format, scratch.path("tree")]).status == 1)
    }
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(6))
    #expect(try normalize("--sidecars", "ignore", photo).status == 0)
  }

  @Test func `An audit counts the photos to rotate that have a sidecar`() throws {
    for name in ["tree/a.jpg", "tree/b.jpg"] { try scratch.copy(rotatedFixture, as: name) }
    try scratch.copy(uprightFixture, as: "tree/c.jpg")
    for name in ["tree/a.jpg.xmp", "tree/c.jpg.xmp"] {
      try scratch.write(Sidecars.packet(1), to: name)
    }
    let table = try upright(["audit", scratch.path("tree")]).text
    #expect(table.contains("1  sidecars (updated with their photos)"))
  }

  @Test func `A sidecar that two photos may share is updated with neither`() throws {
    let photos = try ["a.jpg", "a.jpeg"].map { try scratch.copy(rotatedFixture, as: $0) }
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let result = try normalize(photos)
    #expect(result.status == 1)
    #expect(try result.json().map(\.reason?.id) == ["sidecar-shared", "sidecar-shared"])
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    // It is still one that describes the image as it was.
    let report = ["-n", "--sidecars", "report", photos[0]]
    let companion = try #require(try normalize(report).json().first?.companion("a.xmp"))
    #expect(companion.reason == "outdated" && companion.remedies == nil)
    let note = try upright(["normalize"] + report).text
    #expect(note.contains("is stored; it may also be that of ") && !note.contains("--sidecars"))
    // A name with the photo's ending is that of one photo.
    try scratch.write(Sidecars.packet(6), to: "a.jpg.xmp")
    #expect(try normalize("--sidecars", "update", photos[0]).status == 0)
    #expect(try orientation(of: "a.jpg.xmp") == "1")
  }

  @Test func `A sidecar that a photo may share with an AVIF file is not updated`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.copy("formats/rotated.avif", as: "a.avif")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let result = try normalize(photo)
    #expect(try result.json().map(\.reason?.id) == ["sidecar-shared"])
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
  }

  @Test func `All sidecars of a photo are updated, recorded and restored with it`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    let sidecars = [
      "a.jpg.xmp": Sidecars.packet(6), "a.xmp": Sidecars.packet(6, width: 96),
      "a.jgw": Sidecars.worldFile, "a.wld": Sidecars.worldFile,
    ]
    for (name, bytes) in sidecars { try scratch.write(bytes, to: "tree/\(name)") }
    let record = scratch.path("record")
    let update = ["--sidecars", "update", "--record", record, photo]
    let noted = try #require(try normalize("--sidecars", "update", "-n", photo).json().first)
    let done = try #require(try normalize(update).json().first)
    #expect(done.status == "normalized")
    for name in sidecars.keys {
      for (line, isDone) in [(noted, false), (done, true)] {
        let companion = try #require(line.companion(name))
        #expect(companion.action == "update" && companion.done == isDone)
        #expect(companion.kind == (name.hasSuffix("xmp") ? "sidecar" : "world-file"))
      }
      #expect(try scratch.read("tree/\(name)") != sidecars[name])
    }
    #expect(try orientation(of: "tree/a.jpg.xmp") == "1")
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(1, width: 64))
    #expect(try scratch.read("tree/a.jgw") == scratch.read("tree/a.wld"))
    #expect(try upright(["verify", "--record", record, scratch.path("tree")]).status == 0)
    let undone = try upright(["undo", "--record", record])
    #expect(undone.status == 0)
    for name in sidecars.keys { #expect(try scratch.read("tree/\(name)") == sidecars[name]) }
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.files().count == 6)
  }

  @Test func `If one of several sidecars cannot be replaced, nothing is`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    for name in ["a.jpg.xmp", "a.xmp"] { try scratch.write(Sidecars.packet(6), to: name) }
    try FileManager.default.linkItem(
      atPath: scratch.path("a.xmp"),
      toPath: scratch.path("other")
    )
    for arguments in [["-n"], []] {
      let result = try normalize(["--sidecars", "update", photo] + arguments)
      #expect(result.status == 1)
      let reason = try result.json().first?.reason
      #expect(reason?.id == "hard-linked" && reason?.text.contains("a.xmp ") == true)
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try orientation(of: "a.jpg.xmp") == "6")
    #expect(try scratch.files() == ["a.jpg", "a.jpg.xmp", "a.xmp", "other"])
  }

  @Test func `Each sidecar of an upright photo may contradict it`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(1), to: "a.jpg.xmp")
    try scratch.write(Sidecars.packet(8), to: "a.xmp")
    for result in [try audit(photo), try normalize(photo)] {
      #expect(try result.json().map(\.reason?.id) == ["sidecar-conflict"])
    }
    try scratch.write(Sidecars.packet(6), to: "a.jpg.xmp")
    for result in [try audit(photo), try normalize(photo)] {
      let text = try #require(try result.json().first?.reason?.text)
      #expect(text.contains("a.jpg.xmp has Orientation 6, the sidecar "), "\(text)")
      #expect(text.contains("a.xmp has Orientation 8, the photo 1"), "\(text)")
    }
    let reset = ["--sidecars", "update", "--on-conflict", "reset-tag", photo]
    #expect(try normalize(reset).status == 0)
    for name in ["a.xmp", "a.jpg.xmp"] { #expect(try orientation(of: name) == "1") }
  }

  @Test func `A sidecar of the raw file is named when it is not updated`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write([0], to: "a.NEF")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let text = try upright(["normalize", "-n", photo]).text
    #expect(text.contains("a.xmp is the sidecar of ") && text.contains("a.NEF, and is not changed"))
    for arguments in [["-n"], ["--output-dir", scratch.path("out")], []] {
      let line = try normalize(["--sidecars", "update", photo] + arguments).json().first
      #expect(line?.companions?.map(\.reason) == ["of-another"])
    }
    #expect(try orientation(of: "a.xmp") == "6")
  }

  @Test func `What cannot be read as a sidecar is named`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    // A directory is none.
    try FileManager.default.createDirectory(
      atPath: scratch.path("a.xmp"),
      withIntermediateDirectories: false
    )
    #expect(try normalize("-n", photo).json().first?.companions == nil)
    try scratch.write(Array("no XMP".utf8), to: "a.jpg.xmp")
    let left = try normalize("-n", "--sidecars", "report", photo).json().first
    #expect(left?.companion("a.jpg.xmp")?.reason == "unreadable")
    for arguments in [["-n"], []] {
      let reason = try normalize(arguments + [photo]).json().first?.reason
      #expect(reason?.id == "sidecar-unreadable")
      #expect(reason?.text.contains("a.jpg.xmp: the sidecar cannot be read") == true)
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A consistent sidecar, or that of another file, is not a finding`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    for packet in [Sidecars.packet(1), Sidecars.packet(nil), Array("no XMP".utf8)] {
      try scratch.write(packet, to: "a.xmp")
      #expect(try normalize(photo).status == 0)
      #expect(try audit(photo).status == 0)
    }
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.write([0], to: "a.CR2")
    #expect(try normalize(photo).status == 0)
    #expect(try audit(photo).status == 0)
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
    let report = try upright(["rotate", "90", "-n", "--sidecars", "report", photo])
    #expect(report.text.contains("a.xmp describes the image as it is stored") == (before != 1))
    let record = scratch.path("record")
    let rotate = ["rotate", "90", "--sidecars", "update", "--record", record, photo]
    #expect(try upright(rotate).status == 0)
    #expect(try orientation(of: "a.xmp") == after)
    #expect(try upright(["audit", photo]).status == 0)
    #expect(try upright(["verify", "--record", record, photo]).status == 0)
    #expect(try upright(["undo", "--record", record, photo]).status == 0)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(before, width: 96))
    #expect(try scratch.read("a.heic") == original)
  }

  @Test func `An output of a HEIC file with a world file says that it gets none`() throws {
    let photo = try scratch.copy("formats/agree.heic", as: "a.heic")
    try scratch.write(Sidecars.worldFile, to: "a.wld")
    let output = ["--sidecars", "update", "--output-dir", scratch.path("out")]
    let result = try upright(["rotate", "90", photo] + output)
    #expect(result.status == 0)
    #expect(result.text.contains("a.wld is not changed with a HEIC file"))
  }

  @Test func `The sidecar of a HEIC file that gives another Orientation is a finding`() throws {
    let photo = try scratch.copy("formats/agree.heic", as: "a.heic")
    try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(8), to: "a.xmp")
    let reset = ["--sidecars", "update", "--on-conflict", "reset-tag"]
    #expect(try audit(photo).json().map(\.reason?.id) == ["sidecar-conflict"])
    #expect(try normalize(photo).json().map(\.reason?.id) == ["sidecar-conflict"])
    #expect(try upright(["normalize"] + reset + [photo]).status == 0)
    #expect(try orientation(of: "a.xmp") == "1")
    #expect(try audit(photo).status == 0)
  }

  @Test func `reset-tag resets the sidecar of an upright photo`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6, width: 64, height: 96), to: "a.xmp")
    let record = scratch.path("record")
    let arguments = ["--sidecars", "update", "--on-conflict", "reset-tag"]
    #expect(
      try upright(["normalize", "--record", record] + arguments + [photo]).status == 0
    )
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1, width: 96, height: 64))
    #expect(try scratch.read("a.jpg") == Fixture.bytes(uprightFixture))
    #expect(try upright(["undo", "-r", "--record", record, scratch.path("a.xmp")]).status == 0)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6, width: 64, height: 96))
  }

  @Test func `A sidecar with several hard links is a reason in audits, dry runs, runs and undos`()
    throws
  {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let other = scratch.path("other")
    try FileManager.default.linkItem(atPath: sidecar, toPath: other)
    func expectSkip(_ commands: [String]...) throws {
      let before = try scratch.snapshot()
      for command in commands {
        let result = try upright(command + ["--format", "ndjson", photo])
        let reason = try #require(try result.json().first?.reason, "\(command): \(result.text)")
        #expect(result.status == 1 && reason.id == "hard-linked", "\(command)")
        #expect(reason.text.contains("a.xmp has several hard links"), "\(reason.text)")
        #expect(try scratch.snapshot() == before, "\(command)")
      }
    }
    try expectSkip(["audit"], ["normalize", "-n"], ["normalize"])
    let record = ["--record", scratch.path("record")]
    #expect(try normalize(["--hard-links", "break", photo] + record).status == 0)
    #expect(try orientation(of: "a.xmp") == "1")
    #expect(try scratch.read("other") == Sidecars.packet(6))
    try FileManager.default.removeItem(atPath: other)
    try FileManager.default.linkItem(atPath: sidecar, toPath: other)
    try expectSkip(["undo", "-n"] + record, ["undo"] + record)
  }

  @Test func `A sidecar of an upright photo is not reset where no file would hold its undo data`()
    throws
  {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let reset = ["--embed-undo", "--on-conflict", "reset-tag", photo]
    for option in [["-n"], []] {
      let result = try normalize(option + reset)
      #expect(result.status == 1)
      #expect(try result.json().map(\.reason?.id) == ["no-undo"])
      #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    }
    #expect(try normalize(["--record", scratch.path("record")] + reset).status == 0)
    #expect(try orientation(of: "a.xmp") == "1")
  }

  @Test func `A sidecar that was reset is restored although its photo was not rewritten`() throws {
    let photo = try scratch.copy(uprightFixture, as: "tree/a.jpg")
    let former = Sidecars.packet(6, width: 96, height: 64)
    let sidecar = try scratch.write(former, to: "tree/a.xmp")
    try scratch.copy(rotatedFixture, as: "tree/b.jpg")
    let time = Date(timeIntervalSince1970: 1_000_000_000)
    let record = ["--record", scratch.path("record")]
    let reset = ["-r", "--sidecars", "update", "--on-conflict", "reset-tag"]
    for arguments in [["-r", scratch.path("tree")], [photo], []] {
      try scratch.write(former, to: "tree/a.xmp")
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: sidecar)
      let dry = try upright(["normalize", "-n"] + reset + [photo])
      #expect(dry.status == 0)
      #expect(dry.text.contains("a.xmp will be set to 1"), "\(dry.text)")
      #expect(try upright(["normalize"] + record + reset + [scratch.path("tree")]).status == 0)
      #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(1, width: 96, height: 64))
      if arguments.isEmpty {
        let alone = try upright(["undo", "--without-sidecars"] + record)
        #expect(try scratch.read("tree/a.xmp") != former, "\(alone.text)")
      }
      let undo = try upright(["undo"] + record + arguments)
      #expect(undo.status == 0, "\(undo.errorText)")
      #expect(try scratch.read("tree/a.xmp") == former, "\(arguments): \(undo.text)")
      let attributes = try FileManager.default.attributesOfItem(atPath: sidecar)
      #expect(attributes[.modificationDate] as? Date == time)
      try FileManager.default.removeItem(atPath: scratch.path("record"))
    }
  }

  @Test func `In a directory, the reset sidecar of a HEIC file is restored, too`() throws {
    let photo = try scratch.copy("formats/agree.heic", as: "tree/a.heic")
    try scratch.write(Sidecars.packet(8), to: "tree/a.xmp")
    let record = ["--record", scratch.path("record")]
    #expect(try upright(["normalize", "--on-conflict", "reset-tag", photo] + record).status == 0)
    #expect(try orientation(of: "tree/a.xmp") == "1")
    #expect(try upright(["undo", "-r", scratch.path("tree")] + record).status == 0)
    #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(8))
  }

  @Test func `A sidecar is not restored for a photo that is not the original`() throws {
    let record = ["--record", scratch.path("record")]
    let update = ["-r", "--sidecars", "update", scratch.path("tree")]
    for name in ["a", "b"] {
      try scratch.copy(rotatedFixture, as: "tree/\(name).jpg")
      try scratch.write(Sidecars.packet(6), to: "tree/\(name).xmp")
    }
    #expect(try upright(["normalize"] + record + update).status == 0)
    // Others have the content of what was written, and b was edited and moved.
    let photo = try scratch.read("tree/a.jpg")
    try scratch.write(photo + [0], to: "tree/a.jpg")
    try scratch.copy("formats/exif.png", as: "tree/a.png")
    try scratch.copy(uprightFixture, as: "tree/c.jpg")
    try scratch.write(Sidecars.packet(1), to: "tree/c.xmp")
    let moves = ["b.jpg", "b.xmp"].map { (scratch.path("tree/\($0)"), scratch.path("moved-\($0)")) }
    for (old, new) in moves { try FileManager.default.moveItem(atPath: old, toPath: new) }
    try scratch.write(photo + [0], to: "moved-b.jpg")
    let others = [scratch.path("moved-b.jpg"), scratch.path("tree/a.png")]
    for paths in [["-r", scratch.path("tree")], others] {
      #expect(try upright(["undo"] + record + paths).status == 1)
      for name in ["tree/a.xmp", "tree/c.xmp", "moved-b.xmp"] {
        #expect(try scratch.read(name) == Sidecars.packet(1), "\(name)")
      }
    }
  }

  @Test(arguments: [".xmp", ".jpg.xmp"])
  func `Names that are not UTF-8 find their sidecar`(ending: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let sidecar = try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let script = """
      cd "$1" && mkdir odd && mv "$2" "odd/$(printf 'a\\377.jpg')" \
      && mv "$3" "odd/$(printf 'a\\377')$5" && "$4" normalize -r --sidecars update odd \
      && cp odd/*.xmp after.xmp
      """
    let arguments = [scratch.url.path, photo, sidecar, uprightBinary.path, ending]
    let result = try Tool.run("sh", ["-c", script, "sh"] + arguments)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try scratch.read("after.xmp") == Sidecars.packet(1))
  }

  /// Whatever limits a file's size ends a write as a full disk does.
  @Test func `If the sidecar cannot be written, the photo is not replaced either`() throws {
    let photo = try scratch.copy("sample/portrait.jpg", as: "a.jpg")
    let packet = Sidecars.packet(6) + [UInt8](repeating: 0x20, count: 200_000)
    try scratch.write(packet, to: "a.xmp")
    let command = "ulimit -f 100; exec \"$0\" normalize --sidecars update \"$1\""
    let result = try Tool.run("sh", ["-c", command, uprightBinary.path, photo])
    #expect(result.status == 2, "\(result.text)")
    #expect(result.errorText.contains("sidecar"))
    #expect(try scratch.read("a.jpg") == Fixture.bytes("sample/portrait.jpg"))
    #expect(try scratch.read("a.xmp") == packet)
    #expect(try scratch.files() == ["a.jpg", "a.xmp"])
  }

  @Test func `An output gets its sidecar even if neither needs a change`() throws {
    let photos = [
      try scratch.copy(uprightFixture, as: "a.jpg"), try scratch.copy(rotatedFixture, as: "b.jpg"),
    ]
    try scratch.write(Sidecars.packet(1), to: "a.xmp")
    try scratch.write(Sidecars.packet(nil), to: "b.jpg.xmp")
    let output = ["--output-dir", scratch.path("out")]
    #expect(try normalize(["--sidecars", "report"] + photos + output).status == 0)
    #expect(try scratch.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg", "out/b.jpg"])
    #expect(try normalize(photos + output).status == 0)
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1))
    #expect(try scratch.read("out/b.jpg.xmp") == Sidecars.packet(nil))
  }

  @Test func `A link to a photo is no other photo`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path("a.jpeg"),
      withDestinationPath: "a.jpg"
    )
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    #expect(try normalize("--sidecars", "update", photo).status == 0)
    #expect(try orientation(of: "a.xmp") == "1")
  }

  @Test func `A copy of a sidecar is predicted, and needs none beside itself`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(1), to: "a.xmp")
    try scratch.write(Array("another".utf8), to: "out/a.xmp")
    let elsewhere = ["--sidecars", "update", "--output-dir", scratch.path("out"), photo]
    #expect(try normalize(["-n"] + elsewhere).status == 2)
    #expect(try normalize(elsewhere).status == 2)
    let beside = ["--sidecars", "update", photo, "-o", scratch.path("b.jpg")]
    #expect(try normalize(beside).status == 0)
  }

  @Test func `Outputs do not overwrite the sidecars of each other`() throws {
    let photos = try ["x/a.jpg", "y/a.jpeg"].map { try scratch.copy(rotatedFixture, as: $0) }
    try scratch.write(Sidecars.packet(6, width: 96), to: "x/a.xmp")
    try scratch.write(Sidecars.packet(1), to: "y/a.xmp")
    let output = ["--output-dir", scratch.path("out"), "--overwrite", "-j", "1"]
    for dry in [["-n"], []] {
      let result = try normalize(["--sidecars", "update"] + dry + photos + output)
      #expect(try result.json().map(\.error?.id) == [nil, "output-collision"])
    }
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1, width: 64))
    #expect(try scratch.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg", "out/a.xmp"])
  }

  @Test func `An output is not created if its sidecar cannot be`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.write(Array("another".utf8), to: "out/a.xmp")
    let arguments = ["--sidecars", "update", "--output-dir", scratch.path("out"), photo]
    #expect(try upright(["normalize", "-n"] + arguments).status == 2)
    #expect(try upright(["normalize"] + arguments).status == 2)
    #expect(try scratch.files() == ["a.jpg", "a.xmp", "out/a.xmp"])
    #expect(try upright(["normalize", "--overwrite"] + arguments).status == 0)
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(1))
    #expect(try scratch.read("out/a.jpg") == normalized(rotatedFixture))
  }

  @Test(arguments: ["a.XMP", "a.jpg.XMP"])
  func `A sidecar with an ending in capitals is updated and restored`(name: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: name)
    let record = scratch.path("record")
    #expect(try upright(["normalize", "-n", photo]).text.contains(name))
    _ = try upright(["normalize", "--record", record, "--sidecars", "update", photo])
    #expect(try orientation(of: name) == "1")
    #expect(try upright(["undo", "--record", record]).status == 0)
    #expect(try scratch.read(name) == Sidecars.packet(6))
  }

  @Test func `An undo by path restores the sidecar, too`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    let record = scratch.path("record")
    for path in [photo, scratch.path("tree")] {
      try scratch.copy(rotatedFixture, as: "tree/a.jpg")
      try scratch.write(Sidecars.packet(6), to: "tree/a.xmp")
      _ = try upright(["normalize", "--record", record, "--sidecars", "update", photo])
      #expect(try orientation(of: "tree/a.xmp") == "1")
      let result = try upright(["undo", "-r", "--record", record, path])
      #expect(result.status == 0)
      #expect(result.text.contains("a.xmp was restored"))
      #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
      #expect(try scratch.read("tree/a.xmp") == Sidecars.packet(6))
    }
  }

  @Test func `An undo that was killed between the two is completed`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let record = scratch.path("record")
    _ = try upright(["normalize", "--record", record, "--sidecars", "update", photo])
    try scratch.copy(rotatedFixture, as: "a.jpg")
    let result = try upright(["undo", "-r", "--record", record, photo])
    #expect(result.status == 0)
    #expect(result.text.contains("a.xmp was restored"), "\(result.text)")
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
  }

  @Test func `A sidecar that was edited or deleted since is not forgotten`() throws {
    let record = scratch.path("record")
    let photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/a.xmp")
    _ = try upright(["normalize", "--record", record, "--sidecars", "update", photo])
    let result = try scratch.read("tree/a.jpg")
    let edited = try scratch.read("tree/a.xmp") + Array("<!-- caption -->".utf8)
    try scratch.write(edited, to: "tree/a.xmp")
    let undo = ["undo", "--record", record, "--format", "ndjson"]
    let skipped = try upright(undo + [photo])
    #expect(skipped.status == 1)
    #expect(try skipped.json().map(\.reason?.id) == ["sidecar-changed"])
    #expect(try scratch.read("tree/a.jpg") == result)
    #expect(try upright(undo + ["--without-sidecars", photo]).status == 0)
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("tree/a.xmp") == edited)

    try scratch.write(result, to: "tree/a.jpg")
    try FileManager.default.removeItem(atPath: scratch.path("tree/a.xmp"))
    let restored = try upright(undo + [photo])
    #expect(restored.status == 2)
    #expect(try restored.json().first?.companion("a.xmp")?.reason == "missing")
    #expect(try scratch.read("tree/a.jpg") == Fixture.bytes(rotatedFixture))
  }

  /// A rewritten photo with two XMP files and a world file, and the arguments of its undo.
  private func rewrittenPhoto() throws -> (path: String, undo: [String]) {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    for name in ["a.jpg.xmp", "a.xmp"] { try scratch.write(Sidecars.packet(6), to: name) }
    try scratch.write(Sidecars.worldFile, to: "a.jgw")
    let record = scratch.path("record")
    #expect(try normalize("--record", record, "--sidecars", "update", photo).status == 0)
    return (photo, ["undo", "--format", "ndjson", "--record", record])
  }

  @Test func `A missing sidecar does not hide one that was changed`() throws {
    let (photo, undo) = try rewrittenPhoto()
    try FileManager.default.removeItem(atPath: scratch.path("a.jpg.xmp"))
    let edited = try scratch.read("a.xmp") + Array("<!-- caption -->".utf8)
    try scratch.write(edited, to: "a.xmp")
    let before = try scratch.read("a.jpg")
    for arguments in [["-n"], []] {
      let reason = try upright(undo + arguments + [photo]).json().first?.reason
      #expect(reason?.id == "sidecar-changed" && reason?.text.contains("a.xmp was") == true)
    }
    #expect(try scratch.read("a.jpg") == before)
    try FileManager.default.removeItem(atPath: scratch.path("a.xmp"))
    let companions = try upright(undo + [photo]).json().first?.companions
    #expect(companions?.filter { $0.reason == "missing" }.count == 2)
  }

  @Test func `A sidecar that is named is restored alone`() throws {
    let (_, undo) = try rewrittenPhoto()
    let before = try ["a.jpg", "a.jpg.xmp", "a.jgw"].map { try scratch.read($0) }
    let result = try upright(undo + [scratch.path("a.xmp")])
    #expect(try result.json().first?.companions == nil, "\(result.text)")
    #expect(try orientation(of: "a.xmp") == "6")
    #expect(try ["a.jpg", "a.jpg.xmp", "a.jgw"].map { try scratch.read($0) } == before)
  }

  @Test func `Of the last rewrite, only the sidecars that it changed are undone`() throws {
    let (photo, undo) = try rewrittenPhoto()
    let names = ["a.jpg", "a.jpg.xmp", "a.xmp", "a.jgw"]
    let first = try names.map { try scratch.read($0) }
    let record = scratch.path("record")
    let again = ["rotate", "90", "--record", record, "--sidecars", "ignore", photo]
    #expect(try upright(again).status == 0)
    #expect(try upright(undo + ["--last", photo]).status == 0)
    #expect(try names.map { try scratch.read($0) } == first)
    #expect(try upright(undo + ["--last", photo]).status == 0)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try orientation(of: "a.xmp") == "6")
  }

  @Test func `What is no world file, under the name of one, is no sidecar`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let path = scratch.path("a.wld")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let record = ["--record", scratch.path("record")]
    #expect(try normalize(["--sidecars", "update"] + record + [photo]).status == 0)
    #expect(try orientation(of: "a.xmp") == "1")
    #expect(try upright(["undo"] + record + [photo]).status == 0)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try orientation(of: "a.xmp") == "6")
  }

  @Test func `An undo into another directory writes the sidecar there`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/a.xmp")
    let record = scratch.path("record")
    _ = try upright(["normalize", "--record", record, "--sidecars", "update", photo])
    let out = ["--output-dir", scratch.path("out")]
    #expect(
      try upright(["undo", "-r", "--record", record] + out + [scratch.path("tree")]).status == 0
    )
    #expect(try scratch.read("out/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("out/a.xmp") == Sidecars.packet(6))
    #expect(try orientation(of: "tree/a.xmp") == "1")
  }
}

/// XMP packets for tests.
enum Sidecars {
  static func packet(_ orientation: Int?, width: Int? = nil, height: Int? = nil) -> [UInt8] {
    let values = [("Orientation", orientation), ("ImageWidth", width), ("ImageLength", height)]
    let attributes = values.compactMap { name, value in value.map { " tiff:\(name)=\"\($0)\"" } }
    return Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"\(attributes.joined())/>\
      </rdf:RDF></x:xmpmeta>
      """.utf8
    )
  }

  static let worldFile = Array("0.25\n0.125\n-0.0625\n-0.5\n412345.125\n5812345.875\n".utf8)

  static func orientation(_ packet: [UInt8]) -> String? {
    String(decoding: packet, as: UTF8.self).firstMatch(of: /Orientation="([^"]*)"/)
      .map { String($0.output.1) }
  }
}

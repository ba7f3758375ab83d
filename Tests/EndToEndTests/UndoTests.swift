import Fixtures
import Foundation
import Testing

private let packRecords = URL(filePath: #filePath).deletingLastPathComponent()
  .appending(path: "../../tools/records/upright-pack-records").standardized.path

/// What comes back, each time from another process that sees only the result and the record.
struct UndoTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func normalize(_ arguments: String...) throws -> Tool {
    try upright(["normalize", "--record", scratch.path("record.ndjson")] + arguments)
  }

  private func undo(_ arguments: String...) throws -> Tool {
    let record = ["--record", scratch.path("record.ndjson")]
    return try upright(["undo", "-r"] + record + arguments, in: scratch.url.path)
  }

  @Test func `Every rewritten fixture is restored, byte for byte`() throws {
    for fixture in Fixture.all { try scratch.write(try fixture.bytes(), to: "photos/\(fixture)") }
    let folder = scratch.path("photos")
    _ = try normalize("-r", "--on-conflict", "trust-tag", "--content-credentials", "keep", folder)
    let changed = try Fixture.all.filter {
      try scratch.read("photos/\($0)") != $0.bytes()
    }
    #expect(changed.count > 180)
    #expect(try RecordFile(scratch).count == changed.count)

    let result = try undo()
    #expect(result.status == 0, "\(result.errorText)")
    for fixture in Fixture.all {
      #expect(try scratch.read("photos/\(fixture)") == fixture.bytes(), "\(fixture)")
    }
    #expect(try scratch.files().count == Fixture.all.count + 1)
    let again = try undo()
    #expect(again.status == 0)
    #expect(again.lines.last == "\(changed.count) files: \(changed.count) unchanged")
  }

  @Test func `Recorded files whose directory is not in the record are counted, and found by name`()
    throws
  {
    for name in ["a", "b"] { try scratch.copy(rotatedFixture, as: "photos/\(name).jpg") }
    // Paths are relative to the working directory, which has a line of its own.
    let command = ["normalize", "--record", "record.ndjson", "-r", "photos"]
    _ = try upright(command, in: scratch.url.path)
    let lines = try scratch.read("record.ndjson").split(separator: UInt8(ascii: "\n"))
    #expect(lines.count == 3)
    try scratch.write(
      Array(lines.dropFirst().joined(separator: [UInt8(ascii: "\n")])),
      to: "record.ndjson"
    )
    let verify = ["verify", "--record", "record.ndjson"]
    #expect(try upright(verify, in: scratch.url.path).text.contains("the line with its directory"))
    let result = try undo("--format", "ndjson")
    #expect(result.status == 2)
    #expect(try result.json().map(\.error?.id) == ["record-path"])
    #expect(result.text.contains("2 of 2 recorded files"))
    #expect(try undo(scratch.path("photos")).status == 0)
    #expect(try scratch.read("photos/b.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `Originals are restored from a packed record, to which nothing is appended`() throws {
    let names = (0..<3).map { "photos/\($0).jpg" }
    for name in names { _ = try scratch.copy(rotatedFixture, as: name) }
    let folder = scratch.path("photos")
    _ = try normalize("-r", folder)
    let packed = try Tool.run("python3", [packRecords, scratch.path("record.ndjson")])
    #expect(packed.status == 0, "\(packed.errorText)")
    #expect(!scratch.exists("record.ndjson"))

    let record = ["--record", scratch.path("record.ndjson.gz")]
    let verified = try upright(["verify"] + record + [folder])
    #expect(verified.status == 0, "\(verified.text)\(verified.errorText)")
    let appended = try upright(["normalize"] + record + [try scratch.copy(rotatedFixture)])
    #expect(appended.status == 2)
    let undone = try upright(["undo", "-r"] + record + [folder])
    #expect(undone.lines.last == "3 files: 3 restored", "\(undone.errorText)")
    for name in names { #expect(try scratch.read(name) == Fixture.bytes(rotatedFixture)) }
  }

  @Test func `A sidecar beside a link through which the photo was rewritten is restored`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let link = scratch.path("links/z.jpg")
    try scratch.write(Sidecars.packet(6), to: "links/z.xmp")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../a.jpg")
    let record = ["--record", scratch.path("record")]
    #expect(try upright(["normalize", photo] + record).status == 0)
    let rotate = ["rotate", "90", "--sidecars", "update", link]
    #expect(try upright(rotate + record).status == 0)
    #expect(try scratch.read("links/z.xmp") != Sidecars.packet(6))
    let result = try upright(["undo"] + record, in: scratch.url.path)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(result.text.contains("the sidecar links/z.xmp was restored"), "\(result.text)")
    #expect(try scratch.read("links/z.xmp") == Sidecars.packet(6))
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `The original is restored with its mode and time`() throws {
    let file = try scratch.copy(rotatedFixture)
    let date = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: date],
      ofItemAtPath: file
    )
    _ = try normalize(file)
    #expect(try undo(file).status == 0)
    #expect(try scratch.read(rotatedFixture) == Fixture.bytes(rotatedFixture))
    let after = try FileManager.default.attributesOfItem(atPath: file)
    #expect(after[.posixPermissions] as? Int == 0o640)
    #expect(after[.modificationDate] as? Date == date)
  }

  @Test func `A dry run reports what can be restored and writes nothing`() throws {
    let file = try scratch.copy(rotatedFixture)
    _ = try normalize(file)
    let transformed = try scratch.read(rotatedFixture)
    let result = try undo("--dry-run", "--format", "ndjson")
    #expect(result.status == 0)
    let lines = try result.json()
    #expect(lines.map(\.status) == ["restorable"])
    #expect(lines.map(\.size) == [try Fixture.bytes(rotatedFixture).count])
    #expect(try scratch.read(rotatedFixture) == transformed)
  }

  @Test func `A dry run reports what cannot be restored`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    _ = try normalize("--sidecars", "update", file)
    try FileManager.default.linkItem(atPath: file, toPath: scratch.path("b.jpg"))
    try FileManager.default.linkItem(atPath: scratch.path("a.xmp"), toPath: scratch.path("x"))
    let out = ["--output-dir", scratch.path("out"), "-r", scratch.url.path]
    try scratch.copy(uprightFixture, as: "out/a.jpg")
    func errors(_ arguments: [String]) throws -> [[String?]] {
      try [["-n"], []].map { option in
        let options = ["--format", "ndjson", "--record", scratch.path("record.ndjson")]
        return try upright(["undo"] + options + option + arguments).json()
          .map { $0.reason?.id ?? $0.error?.id }
      }
    }
    #expect(try errors([file]) == [["hard-linked"], ["hard-linked"]])
    try FileManager.default.removeItem(atPath: scratch.path("b.jpg"))
    #expect(try errors([file]) == [["hard-linked"], ["hard-linked"]], "the sidecar")
    #expect(try errors(out) == [["exists"], ["exists"]])
  }

  @Test func `The record of a dry run is not kept`() throws {
    let file = try scratch.copy(rotatedFixture)
    #expect(try normalize("--dry-run", file).status == 0)
    #expect(try scratch.files() == [rotatedFixture])
  }

  @Test
  func `Two rewrites of a file, with a change between them, are distinguished by their hashes`()
    throws
  {
    let file = try scratch.copy(rotatedFixture)
    _ = try normalize(file)
    // Another program sets a tag, which makes the file another one; that is taken back by hand.
    let once = try scratch.read(rotatedFixture)
    var tagged = once
    let entry = try #require(
      tagged.firstRange(of: [0x12, 0x01, 3, 0, 1, 0, 0, 0])
        ?? tagged.firstRange(of: [0x01, 0x12, 0, 3, 0, 0, 0, 1])
    )
    let isBig = tagged[entry.lowerBound] == 0x01
    tagged[entry.upperBound + (isBig ? 1 : 0)] = 3
    try scratch.write(tagged, to: rotatedFixture)
    _ = try normalize(file)
    #expect(try RecordFile(scratch).count == 2)
    #expect(try undo().status == 0)
    #expect(try scratch.read(rotatedFixture) == tagged)
    try scratch.write(once, to: rotatedFixture)
    #expect(try undo().status == 0)
    #expect(try scratch.read(rotatedFixture) == Fixture.bytes(rotatedFixture))
  }

  /// The last rewrite gives the file a content that it had before.
  @Test func `A file that was rewritten several times is restored to its first original`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    let record = scratch.path("record.ndjson")
    _ = try normalize(file)
    let once = try scratch.read("a.jpg")
    for degrees in ["90", "270"] {
      #expect(try upright(["rotate", degrees, "--record", record, file]).status == 0)
    }
    #expect(try scratch.read("a.jpg") == once)
    #expect(try undo("--last", file).status == 0)
    #expect(try scratch.read("a.jpg") != once)
    try scratch.write(once, to: "a.jpg")
    #expect(try undo(file).status == 0)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try undo(file).text.contains("already the original"))
  }

  @Test func `A copy of a recorded file is restored only on request`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photos/a.jpg")
    _ = try normalize(file)
    let result = try scratch.read("photos/a.jpg")
    try scratch.write(result, to: "export/b.jpg")
    let export = scratch.path("export")
    for isRestored in [false, true] {
      if isRestored { #expect(try undo(scratch.path("photos")).status == 0) }
      let skipped = try undo("--format", "ndjson", export)
      #expect(skipped.status == 1)
      #expect(try skipped.json().map(\.reason?.id) == ["copy"])
      #expect(try scratch.read("export/b.jpg") == result)
    }
    for arguments in [["--copies", export], [scratch.path("export/b.jpg")]] {
      try scratch.write(result, to: "export/b.jpg")
      let record = ["--record", scratch.path("record.ndjson")]
      #expect(try upright(["undo", "-r"] + record + arguments).status == 0)
      #expect(try scratch.read("export/b.jpg") == Fixture.bytes(rotatedFixture))
    }
  }

  @Test func `A private record is undone from anywhere`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photos/a.jpg")
    let record = scratch.path("record.ndjson")
    try FileManager.default.createDirectory(
      atPath: scratch.path("elsewhere"),
      withIntermediateDirectories: true
    )
    let command = ["undo", "--record", record]
    for isPrivate in [false, true] {
      _ = try normalize(file)
      let permissions = isPrivate ? 0o600 : 0o644
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: record)
      let result = try upright(command, in: scratch.path("elsewhere"))
      #expect(result.status == (isPrivate ? 0 : 2))
      if !isPrivate {
        let advice = "upright undo --record \(record) -r \(scratch.path("photos"))"
        #expect(result.errorText.contains(advice), "\(result.errorText)")
        #expect(result.errorText.split(separator: "\n").count == 1)
        #expect(try undo(scratch.path("photos")).status == 0)
      }
      #expect(try scratch.read("photos/a.jpg") == Fixture.bytes(rotatedFixture))
    }
  }

  @Test func `A run whose record vanished says so`() throws {
    for number in 0..<200 {
      try scratch.write(
        try Fixture.bytes(rotatedFixture) + [UInt8(number)],
        to: "photos/\(number).jpg"
      )
    }
    let (photos, record) = (scratch.path("photos"), scratch.path("record.ndjson"))
    // A photo is in place when the line of the next one is written, after that of the base.
    let script = """
      (until test "$(cat "$1" 2> /dev/null | wc -l)" -ge 3; do sleep 0.01; done; rm "$1") &
      exec "$0" normalize -j1 -r --record "$1" "$2"
      """
    let result = try Tool.run("sh", ["-c", script, uprightBinary.path, record, photos])
    #expect(result.status == 2, "\(result.text)")
    #expect(result.text.contains("\n0 of "), "\(result.text)")
    #expect(result.errorText.contains("removed or replaced"))
  }

  @Test func `A file that was moved is found by its hash`() throws {
    _ = try normalize(try scratch.copy(rotatedFixture, as: "old/a.jpg"))
    try FileManager.default.createDirectory(
      atPath: scratch.path("new"),
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(
      atPath: scratch.path("old/a.jpg"),
      toPath: scratch.path("new/b.jpg")
    )
    try scratch.copy(uprightFixture, as: "new/c.jpg")
    let missing = try undo()
    #expect(missing.status == 2)
    #expect(try undo(scratch.path("new")).status == 0)
    #expect(try scratch.read("new/b.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("new/c.jpg") == Fixture.bytes(uprightFixture))
  }

  @Test func `Originals can be written elsewhere`() throws {
    try scratch.copy(rotatedFixture, as: "photos/2020/a.jpg")
    try scratch.copy("sample/portrait.jpg", as: "photos/b.jpg")
    _ = try normalize("-r", scratch.path("photos"))
    let (a, b) = (try scratch.read("photos/2020/a.jpg"), try scratch.read("photos/b.jpg"))
    let result = try undo("--output-dir", scratch.path("out"), scratch.path("photos"))
    #expect(result.status == 0, "\(result.errorText)")
    #expect(try scratch.read("out/2020/a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("out/b.jpg") == Fixture.bytes("sample/portrait.jpg"))
    #expect(try scratch.read("photos/2020/a.jpg") == a)
    #expect(try undo("-o", scratch.path("one.jpg"), scratch.path("photos/b.jpg")).status == 0)
    #expect(try scratch.read("one.jpg") == Fixture.bytes("sample/portrait.jpg"))
    #expect(try undo("-o", scratch.path("one.jpg"), scratch.path("photos/b.jpg")).status == 0)
    #expect(
      try undo("-o", scratch.path("one.jpg"), scratch.path("photos/2020/a.jpg")).status == 2
    )
    #expect(try scratch.read("photos/b.jpg") == b)
    #expect(try undo("--output-dir", scratch.path("all")).status == 0)
    #expect(try scratch.files().filter { $0.hasPrefix("all/") }.count == 2)
  }

  @Test func `The record of an output file names that file`() throws {
    let file = try scratch.copy(rotatedFixture, as: "in.jpg")
    _ = try normalize(file, "-o", scratch.path("out.jpg"))
    #expect(try undo().status == 0)
    #expect(try scratch.read("out.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A result on standard output has a record, too`() throws {
    let original = try Fixture.bytes(rotatedFixture)
    let record = scratch.path("record.ndjson")
    let result = try upright(["normalize", "--record", record, "-"], input: original)
    #expect(result.status == 0)
    let file = try scratch.write(result.output, to: "out.jpg")
    #expect(try undo(file).status == 0)
    #expect(try scratch.read("out.jpg") == original)
  }

  @Test func `An updated sidecar is restored with its image`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      <rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>\
      </rdf:RDF></x:xmpmeta>
      """
    try scratch.write(Array(packet.utf8), to: "a.xmp")
    _ = try normalize("--sidecars", "update", file)
    #expect(try scratch.read("a.xmp") != Array(packet.utf8))
    #expect(try undo().status == 0)
    #expect(try scratch.read("a.xmp") == Array(packet.utf8))
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test(
    .enabled(
      if: FileManager.default.isWritableFile(atPath: "/dev/shm"),
      "/dev/shm cannot be written: mount a tmpfs there"
    )
  )
  func `A copy of the tree on another file system is restored, too`() throws {
    let disk = try Scratch(in: Scratch.disk)
    try disk.copy(rotatedFixture, as: "photos/a.jpg")
    try disk.copy("sample/portrait.jpg", as: "photos/b.jpg")
    _ = try normalize("-r", disk.path("photos"))
    let transformed = try disk.read("photos/a.jpg")
    let copy = "/dev/shm/upright-tests-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.copyItem(atPath: disk.path("photos"), toPath: copy)
    let result = try undo("--copies", copy)
    #expect(result.status == 0, "\(result.errorText)")
    for (name, fixture) in [("a.jpg", rotatedFixture), ("b.jpg", "sample/portrait.jpg")] {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(copy)/\(name)")))
      #expect(try bytes == Fixture.bytes(fixture))
    }
    #expect(try disk.read("photos/a.jpg") == transformed)
  }

  @Test func `With --require-undo a file without undo data is skipped`() throws {
    let file = try scratch.copy(unalignedFixture)
    let left = try normalize("--require-undo", "--unaligned", "trim", "--format", "ndjson", file)
    #expect(left.status == 1)
    #expect(try left.json().map(\.reason?.id) == ["no-undo"])
    #expect(try scratch.read(unalignedFixture) == Fixture.bytes(unalignedFixture))
    #expect(try RecordFile(scratch).count == 0)

    let copy = try scratch.copy(unalignedFixture, as: "copy.jpg")
    let none = try normalize("--require-undo", "--unaligned", "trim", file, copy)
    #expect(none.lines.last == "2 files: 2 skipped (2 no-undo)", "none of none is not counted")

    let transformed = try scratch.copy(rotatedFixture)
    let done = try normalize("--unaligned", "trim", "--jobs", "1", file, transformed)
    #expect(done.status == 1)
    #expect(done.text.contains("trimmed by 13 rows (90×61 → 48×90); there is no undo data"))
    #expect(
      done.lines.last == "1 of 2 rewritten files can be restored identically from the record"
    )
    let result = try undo("--format", "ndjson")
    #expect(result.status == 1)
    #expect(try result.json().map(\.status) == ["skipped", "restored"])
    #expect(try result.json().map(\.reason?.id) == ["no-undo-data", nil])
  }

  @Test func `Contradicting options are wrong usage`() throws {
    #expect(try upright(["normalize", "--require-undo", "a.jpg"]).status == 64)
    #expect(try normalize("--require-undo", "--no-verify", "a.jpg").status == 64)
    #expect(try undo("-o", "a", "b.jpg", "c.jpg").status == 64)
    for option in [["--include", "a"], ["--exclude", "a"], ["--shard", "0/2"]] {
      #expect(try upright(["undo", "--record", "record.ndjson"] + option).status == 64)
    }
    #expect(try upright(["undo"]).status == 64)
  }
}

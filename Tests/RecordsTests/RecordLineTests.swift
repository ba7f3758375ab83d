import FileSystem
import Fixtures
import Foundation
import Records
import SystemPackage
import Testing
import Upright

/// Lines of files that are not trusted.
struct RecordLineTests {
  private static func record(_ fixture: String, path: FilePath = "photos/a.jpg") throws -> Record {
    let original = try Fixture.bytes(fixture)
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else {
      throw Tool.Failure("\(fixture) is not rewritten")
    }
    return Record(
      of: original,
      rewrite,
      path: path,
      output: nil,
      in: RecordContext(tool: "upright 0", base: "/archive")
    )
  }

  private static func line(_ record: Record) throws -> [UInt8] {
    let bytes = RecordLine.bytes(of: record)
    #expect(bytes.last == UInt8(ascii: "\n"))
    #expect(bytes.firstIndex(of: UInt8(ascii: "\n")) == bytes.count - 1)
    return bytes.dropLast()
  }

  @Test(arguments: ["orientation/aligned-6.jpg", "orientation/unaligned-6.jpg"])
  func `A record is equal to the one parsed from its line`(fixture: String) throws {
    let record = try Self.record(fixture)
    let read = try RecordLine.record(try Self.line(record))
    #expect(read == record)
    #expect(read.place == "/archive/photos/a.jpg")
    #expect((read.reencoded?.components == [0, 1, 2]) == fixture.contains("unaligned"))
    let original = try Fixture.bytes(fixture)
    #expect(read.before == Record.Content(original))
    let (before, after) = (try #require(read.imageBefore), try #require(read.imageAfter))
    #expect(before.orientation == 6 && after.orientation == 1)
    #expect((before.width, before.height) == (after.height, after.width))
  }

  @Test func `Paths below the base are relative to it`() throws {
    let record = try Self.record("orientation/aligned-6.jpg")
    for (base, written) in [
      ("/archive", "photos/a.jpg"), ("/archive/photos", "a.jpg"), ("/", "archive/photos/a.jpg"),
    ] {
      let base = RecordBase(FilePath(base))
      let line = RecordLine.bytes(of: record, in: base).dropLast()
      #expect(String(decoding: line, as: UTF8.self).contains("\"path\":\"\(written)\""))
      guard case .base(let read) = try RecordLine.content(of: base.line.dropLast(), bases: [:])
      else { throw Tool.Failure("the line is not that of a base") }
      #expect(read == base)
      #expect(try RecordLine.record(Array(line), bases: [base.id: base.path]) == record)
      let unplaced = try RecordLine.record(Array(line))
      #expect(unplaced.place == nil && unplaced.missingBase == base.id)
      #expect(try RecordLine.record(Self.line(unplaced), bases: [base.id: base.path]) == record)
    }
    let elsewhere = RecordLine.bytes(of: record, in: RecordBase("/other"))
    #expect(elsewhere == RecordLine.bytes(of: record))
  }

  @Test func `A relative path without a base, and a relative base, are refused`() throws {
    let line = String(decoding: try Self.line(try Self.record(rotated)), as: UTF8.self)
    let relative = Self.checked(
      Array((line.dropLast(28) + "}").replacing("/archive/", with: "").utf8)
    )
    #expect(throws: RecordLine.Problem.unusablePath) { try RecordLine.record(relative) }
    let base = Self.checked(Array(#"{"schema":"upright-record/1","base":"photos"}"#.utf8))
    #expect(throws: RecordLine.Problem.unusablePath) {
      try RecordLine.content(of: base, bases: [:])
    }
  }

  @Test func `An absolute path does not need the line of the base`() throws {
    var record = try Self.record(rotated)
    record.output = "/out/b.jpg"
    let line = RecordLine.bytes(of: record, in: RecordBase("/archive")).dropLast()
    let text = String(decoding: line.dropLast(28), as: UTF8.self) + "}"
    let read = try RecordLine.record(
      Self.checked(Array(text.replacing("/out/b.jpg", with: "/out/c/../b.jpg").utf8))
    )
    #expect(read.place == "/out/b.jpg" && read.origin == nil)
  }

  @Test func `JSON that the format refuses is refused, although a decoder accepts it`() throws {
    let record = try Self.record(rotated)
    let body = String(decoding: try Self.line(record).dropLast(28), as: UTF8.self) + "}"
    func read(_ old: String, _ new: String) throws -> Record {
      let changed = body.replacing(old, with: new)
      #expect(changed != body)
      return try RecordLine.record(Self.checked(Array(changed.utf8)))
    }
    let (size, hash) = ("\"size\":\(record.before.size)", record.after.sha256.hexadecimal)
    let path = #""path":"/archive/photos/a.jpg""#
    for (old, new) in [
      ("{\"schema\"", "{\"check\":\"\",\"schema\""),
      ("\"tool\"", "\"tool\":\"upright 0\",\"tool\""),
      ("\"tool\"", "\"t\\u006fol\":\"upright 0\",\"tool\""),
      ("\"width\"", "\"width\":1,\"width\""), (size, size + ".0"), (size, size + "e0"),
      ("\"width\":", "\"width\":0"), ("\"tool\":\"", "\"tool\":\"\u{1}"),
      ("{\"schema\"", "{\"other\":[-01],\"schema\""),
      (hash, hash.uppercased()), (path, #""path":{"bytes":"2F61"}"#),
    ] {
      #expect(throws: RecordLine.Problem.damaged, "\(new)") { try read(old, new) }
    }
    // Fields that are not defined may have any value.
    let other = #"{"other":[{"size":1.5,"a":"}"},{"size":2e1}],"schema""#
    #expect(try read("{\"schema\"", other) == record)
    #expect(try read(path, #""path":{"bytes":"2f61"}"#).place == "/a")
    let invalid = Array(body.utf8).split(separator: UInt8(ascii: "{"), maxSplits: 1)[0]
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
      let line = Array("{\"other\":\"".utf8) + bytes + Array("\",".utf8) + invalid
      #expect(throws: RecordLine.Problem.damaged) { try RecordLine.record(Self.checked(line)) }
    }
  }

  @Test func `Fields that restoring does not need may be missing or unknown`() throws {
    let record = try Self.record(rotated)
    let body = String(decoding: try Self.line(record).dropLast(28), as: UTF8.self) + "}"
    for (old, new) in [
      ("\"tool\":", "\"x\":"), ("\"date\":", "\"x\":"), ("\"action\":", "\"x\":"),
      ("\"action\":\"transformed\"", "\"action\":\"painted\""),
      ("\"action\":\"transformed\"", "\"action\":7"),
      ("\"width\":", "\"width\":\"a\",\"x\":"),
      ("{\"schema\"", "{\"reencoded\":1,\"trimmed\":[],\"schema\""),
    ] {
      let changed = body.replacing(old, with: new)
      #expect(changed != body)
      let read = try RecordLine.record(Self.checked(Array(changed.utf8)))
      #expect(read.undo == record.undo && read.after == record.after && read.place == record.place)
    }
  }

  private let rotated = "orientation/aligned-6.jpg"

  @Test func `A path that is not UTF-8 keeps its bytes`() throws {
    let path = try #require(FilePath(bytes: [0x61, 0xFF, 0x2F, 0x62]))
    let read = try RecordLine.record(
      try Self.line(try Self.record("orientation/aligned-6.jpg", path: path))
    )
    #expect(read.path.path == FilePath("/archive").pushing(path))
    #expect(read.place?.bytes == Array("/archive/a".utf8) + [0xFF] + Array("/b".utf8))
  }

  @Test func `The undo data of a line restores the original`() throws {
    let original = try Fixture.bytes("sample/portrait.jpg")
    let read = try RecordLine.record(try Self.line(try Self.record("sample/portrait.jpg")))
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else { return }
    let undo = try #require(try read.undo?.record(forResultOf: rewrite.bytes.count))
    #expect(try undo.restoreOriginal(from: rewrite.bytes) == original)
    #expect(try #require(read.undo).size < 1000)
  }

  @Test func `A line truncated anywhere is refused`() throws {
    let line = try Self.line(try Self.record("orientation/aligned-6.jpg"))
    for count in 1..<line.count {
      #expect(throws: RecordLine.Problem.self) {
        try RecordLine.record(Array(line[..<count]))
      }
    }
  }

  @Test func `No altered line is accepted as a record or ends the process`() throws {
    let line = try Self.line(try Self.record("orientation/unaligned-6.jpg"))
    var generator = SeededGenerator(seed: 11)
    var accepted = 0
    for _ in 0..<10_000 {
      let damaged = line.damaged(using: &generator)
      if damaged != line, (try? RecordLine.record(damaged)) != nil { accepted += 1 }
    }
    #expect(accepted == 0)
  }

  /// The checksum is not a signature: anybody can compute a valid one.
  @Test func `Lines with a valid checksum never end the process, whatever their content`() throws {
    let original = try Fixture.bytes("orientation/unaligned-6.jpg")
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else { return }
    let line = try Self.line(try Self.record("orientation/unaligned-6.jpg"))
    let body = line.dropLast(28) + [UInt8(ascii: "}")]
    var generator = SeededGenerator(seed: 12)
    var (read, restored) = (0, 0)
    for _ in 0..<10_000 {
      var damaged = Array(body)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        // Replaces a letter or digit: the line mostly remains JSON and base64.
        let place = Int.random(in: damaged.indices, using: &generator)
        guard Self.alphabet.contains(damaged[place]) else { continue }
        damaged[place] = Self.alphabet.randomElement(using: &generator) ?? 0x41
      }
      guard let record = try? RecordLine.record(Self.checked(damaged)) else { continue }
      read += 1
      guard let undo = try? record.undo?.record(forResultOf: rewrite.bytes.count) else { continue }
      if (try? undo.restoreOriginal(from: rewrite.bytes)) == original { restored += 1 }
    }
    #expect(read > 1000)
    #expect(restored < read)
  }

  private static let alphabet = Array("0123456789abcdefABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  private static func checked(_ body: [UInt8]) -> [UInt8] {
    let check = Digest(of: body).hexadecimal.prefix(16)
    return body.dropLast() + Array(",\"check\":\"\(check)\"}".utf8)
  }

  @Test func `A line of another version is reported as such`() throws {
    let text = String(
      decoding: try Self.line(try Self.record("orientation/aligned-6.jpg")),
      as: UTF8.self
    )
    let other = Array(text.replacing("upright-record/1", with: "upright-record/2").utf8)
    #expect(throws: RecordLine.Problem.unknownVersion("upright-record/2")) {
      try RecordLine.record(other)
    }
    #expect(throws: RecordLine.Problem.unknownVersion("upright-record/2")) {
      try RecordLine.record(Self.checked(other.dropLast(28) + [UInt8(ascii: "}")]))
    }
    #expect(throws: RecordLine.Problem.damaged) { try RecordLine.record(Array("{}".utf8)) }
  }

  @Test func `A line of 0.2.0 is refused with its version`() throws {
    let line = String(decoding: try Self.line(try Self.record(rotated)), as: UTF8.self)
    let former = Self.checked(
      Array((line.dropLast(28) + "}").replacing(#""path":"#, with: #""base":"/tmp","path":"#).utf8)
    )
    #expect(throws: RecordLine.Problem.formerVersion) { try RecordLine.record(former) }
  }

  @Test func `A compressed record that expands to too many bytes is refused`() throws {
    // 64 MiB of zeros in 64 KiB: more than any record of a file of 1000 bytes.
    let bomb = [UInt8](repeating: 0, count: 64 << 20)
    let body = try #"{"undo":""# + Self.deflatedBase64(bomb) + #""}"#
    let record = try Self.record("orientation/aligned-6.jpg")
    var text = String(decoding: try Self.line(record).dropLast(28), as: UTF8.self) + "}"
    let start = try #require(text.range(of: "\"undo\":\""))
    let end = try #require(text[start.upperBound...].firstIndex(of: "\""))
    text.replaceSubrange(start.lowerBound...end, with: body.dropFirst().dropLast())
    let read = try RecordLine.record(Self.checked(Array(text.utf8)))
    #expect(throws: UprightError.self) { try read.undo?.record(forResultOf: 1000) }
  }

  private static func deflatedBase64(_ bytes: [UInt8]) throws -> String {
    let script =
      "import sys,zlib,base64;d=sys.stdin.buffer.read();"
      + "print(base64.b64encode(zlib.compress(d,9)).decode(),end='')"
    return try Tool.run("python3", ["-c", script], input: bytes).text
  }
}

import Fixtures
import Foundation
import Testing

/// Files of 5 GiB, which are holes for the most part, in a process that may have 2 GB.
@Suite(.serialized) struct HugeFileTests {
  private let scratch: Scratch
  private static let size: UInt64 = 5 << 30

  init() throws {
    scratch = try Scratch()
    for name in ["a.jpg", "e.jpg"] { try scratch.copy(rotatedFixture, as: "tree/\(name)") }
    // A photo to be transformed with much after it, one that is upright, a header without an end, and a video.
    try huge("tree/b.jpg", try Fixture.bytes(rotatedFixture))
    try huge("tree/c.jpg", try Fixture.bytes(uprightFixture))
    try huge("tree/d.jpg", [0xFF, 0xD8, 0xFF])
    try huge("video.mov", Array("\0\0\0\u{14}ftypqt  ".utf8))
  }

  private func huge(_ name: String, _ beginning: [UInt8]) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: scratch.write(beginning, to: name)))
    try file.truncate(atOffset: Self.size)
    try file.close()
  }

  /// Runs the command with little memory.
  private func run(
    _ arguments: [String],
    from input: String = "/dev/null",
    in directory: String = "/"
  ) throws -> Tool {
    let script = "ulimit -v 2000000; cd \"$1\"; shift; exec \"$@\" < \"$0\""
    return try Tool.run("sh", ["-c", script, input, directory, uprightBinary.path] + arguments)
  }

  private static let commands: [[String]] = [
    ["normalize"], ["normalize", "-n"], ["normalize", "--memory", "1000", "-j4"],
    ["normalize", "--check-unchanged", "-n"], ["rotate", "90"], ["flip", "vertical", "--tag-only"],
    ["crop", "16x16+0+0", "--backup", ".orig"], ["tag", "set", "3"], ["tag", "remove"], ["audit"],
  ]

  @Test(arguments: commands)
  func `A huge file fails, and the files after it do not`(command: [String]) throws {
    let isWalking = command[0] == "audit" ? [] : ["-r"]
    let tree = scratch.path("tree")
    let lines = try run(command + isWalking + ["--format", "ndjson", "-v", tree]).json()
    #expect(lines.map { $0.path.suffix(5) } == ["a.jpg", "b.jpg", "c.jpg", "d.jpg", "e.jpg"])
    #expect(lines[0].status != "failed" && lines[4].status == lines[0].status)
    #expect(lines[1].error?.id == "limit")
    #expect(lines[1].error?.text.contains("--max-bytes") == true)
    #expect(lines[3].error?.id == "limit")
    // What is upright needs no more than its header.
    if ["normalize", "audit"].contains(command[0]), !command.contains("--check-unchanged") {
      #expect(lines[2].status == "already-upright")
    } else if command != ["tag", "remove"] {
      #expect(lines[2].error?.id == "limit")
    }
  }

  @Test func `A huge file is not copied`() throws {
    let output = scratch.path("out")
    for dry in [["-n"], []] {
      let arguments = ["-r", scratch.path("tree"), "--output-dir", output, "--format", "ndjson"]
      let lines = try run(["normalize"] + dry + arguments).json()
      #expect(lines.map(\.error?.id) == [nil, "limit", "limit", "limit", nil])
    }
    #expect(try scratch.files().filter { $0.hasPrefix("out/") } == ["out/a.jpg", "out/e.jpg"])
  }

  @Test(arguments: ["video.mov", "tree/b.jpg"])
  func `A file that is not JPEG is recognized by its first bytes`(name: String) throws {
    let (file, small) = (scratch.path(name), scratch.path("tree/a.jpg"))
    let expected = name == "video.mov" ? "not-jpeg" : "limit"
    let planned = name == "video.mov" ? "truncated" : "limit"
    for arguments in [[], ["-n"], ["-o", scratch.path("x.jpg")], ["-o", "-"]] {
      let result = try run(["normalize", "--format", "ndjson", file] + arguments)
      let lines = arguments == ["-o", "-"] ? result.errorText : result.text
      #expect(result.status == 2)
      #expect(lines.contains("\"id\":\"\(planned)\""))
    }
    for files in [[file, small], [small, file]] {
      let result = try run(["verify", "--format", "ndjson"] + files)
      #expect(result.status == 2)
      #expect(result.text.contains("\"id\":\"\(expected)\""))
    }
    let text = expected == "limit" ? "--max-bytes" : "not a JPEG: "
    #expect(try run(["inspect", file]).errorText.contains(text))
    #expect(!scratch.exists("x.jpg"))
  }

  @Test func `An undo does not read a huge file, and restores the others`() throws {
    let record = scratch.path("record")
    _ = try run(["normalize", "-r", scratch.path("tree"), "--record", record])
    try huge("tree/a.jpg", try scratch.read("tree/a.jpg"))
    for paths in [[], [scratch.path("tree/a.jpg"), scratch.path("tree/e.jpg")]] {
      let command = ["undo", "-r", "--record", record, "--format", "ndjson", "-n"] + paths
      let lines = try run(command, in: paths.isEmpty ? scratch.path("tree") : "/").json()
      #expect(lines.map(\.error?.id) == ["limit", nil])
      #expect(lines.last?.status == "restorable")
    }
    let verified = try run(["verify", "--record", record, scratch.path("tree/a.jpg")])
    #expect(verified.text.contains("--max-bytes"))
  }

  @Test func `A huge sidecar is reported, and not read`() throws {
    let file = try scratch.copy(rotatedFixture, as: "photo.jpg")
    try huge("photo.xmp", Array("<x:xmpmeta".utf8))
    let updated = try run(["normalize", "--format", "ndjson", file])
    #expect(try updated.json().map(\.reason?.id) == ["sidecar-unreadable"])
    let reported = try run(["normalize", "--sidecars", "report", file])
    #expect(reported.status == 0)
    #expect(reported.text.contains("larger than the limit"))
  }

  @Test func `Standard input has a limit, too, and is read only while it may be a JPEG`() throws {
    let zeros = try run(["normalize", "-", "--format", "ndjson"], from: "/dev/zero")
    #expect(zeros.errorText.contains("\"id\":\"not-jpeg\""))
    let endless = try run(
      ["normalize", "-", "--format", "ndjson", "--max-bytes", "50000000"],
      from: scratch.path("tree/b.jpg")
    )
    #expect(endless.errorText.contains("\"id\":\"limit\""))
    #expect(endless.errorText.contains("--max-bytes"))
  }

  @Test func `The limit can be chosen`() throws {
    let file = scratch.path("tree/a.jpg")
    let size = try scratch.read("tree/a.jpg").count
    let low = ["--max-bytes", "\(size - 1)"]
    #expect(try run(["normalize", file] + low).status == 2)
    #expect(try run(["verify", file, file] + low).status == 2)
    #expect(try run(["inspect", file] + low).status == 2)
    #expect(try run(["normalize", file, "--max-bytes", "\(size)"]).status == 0)
  }
}

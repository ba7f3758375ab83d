import Fixtures
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The command as a child process that can be killed.
private func start(_ arguments: [String]) throws -> Process {
  let process = Process()
  process.executableURL = uprightBinary
  process.arguments = arguments
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  try process.run()
  return process
}

/// The files after a process was killed, interrupted or out of disk space (specification, section 7).
@Suite(.serialized) struct CrashTests {
  private static let fixtures =
    (2...8).map { "orientation/aligned-\($0).jpg" } + [
      "sample/portrait.jpg", "coding/progressive.jpg", "orientation/unaligned-6.jpg",
    ]

  /// The old and the new content of every file of a tree.
  private let versions: [String: (old: [UInt8], new: [UInt8])]

  init() throws {
    var versions: [String: (old: [UInt8], new: [UInt8])] = [:]
    for path in Self.fixtures {
      versions["tree/" + path] = (try Fixture.bytes(path), try normalized(path))
    }
    self.versions = versions
  }

  @Test
  func `Temporary files of killed runs are removed, those of other running processes are not`()
    throws
  {
    let scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    try scratch.write([1], to: "tree/.a.jpg.upright-abc123.tmp")
    let held = try scratch.write([2], to: "tree/.a.jpg.upright-def456.tmp")
    try scratch.write([3], to: "tree/.a.jpg.upright-toolong.tmp")
    let descriptor = unsafe open(held, O_RDWR)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
    #expect(try upright(["normalize", "-r", "-n", scratch.path("tree")]).status == 0)
    #expect(scratch.exists("tree/.a.jpg.upright-abc123.tmp"), "a dry run removes nothing")
    #expect(try upright(["normalize", "-r", scratch.path("tree")]).status == 0)
    #expect(
      try scratch.files() == [
        "tree/.a.jpg.upright-def456.tmp", "tree/.a.jpg.upright-toolong.tmp", "tree/a.jpg",
      ]
    )
  }

  @Test func `Two runs at once on the same tree keep every file intact`() throws {
    let scratch = try Scratch()
    for round in 0..<5 {
      for (name, version) in versions { try scratch.write(version.old, to: name) }
      let runs = try (0..<3).map { _ in try start(["normalize", "-r", scratch.path("tree")]) }
      for run in runs { run.waitUntilExit() }
      for (name, version) in versions {
        #expect(try scratch.read(name) == version.new, "round \(round): \(name)")
      }
      #expect(try scratch.files() == versions.keys.sorted())
    }
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `An interrupt ends the run between two files`(signal: Int32) throws {
    let scratch = try Scratch()
    let old = try Fixture.bytes("sample/portrait.jpg")
    // On a busy machine the process may be done before it is interrupted; then it gets more to do.
    for count in [600, 1200, 2400, 4800] {
      for number in 0..<count { try scratch.write(old, to: "tree/\(number).jpg") }
      let record = scratch.path("record-\(count)")
      let result = try Tool.run(
        uprightBinary,
        ["normalize", "-r", scratch.path("tree"), "--record", record, "--embed-undo"]
      ) { process in
        while (try? scratch.read("tree/0.jpg")) == old { usleep(1_000) }
        kill(process, signal)
      }
      #expect(result.signal == nil)
      if result.status == 0 { continue }
      #expect(result.status == 128 + signal)
      let files = try scratch.files().filter { $0.hasPrefix("tree/") }
      let contents = try files.map { try scratch.read($0) }
      #expect(contents.count == count)
      #expect(contents.contains(old))
      let results = contents.filter { $0 != old }
      #expect(Set(results).count == 1)
      let done = results.count
      // The text counts the same files, and each of them in both ways to restore it.
      #expect(result.lines.contains { $0.contains(": \(done) rotated") }, "\(result.text)")
      let restorable = result.lines.filter { $0.hasPrefix("\(done) of \(done) rewritten ") }
      #expect(restorable.count == 2, "\(result.text)")
      let undo = try upright(["undo", "-r", scratch.path("tree")])
      #expect(undo.status == 0)
      #expect(try files.allSatisfy { try scratch.read($0) == old })
      return
    }
    Issue.record("the process was always done before the interrupt")
  }

  @Test(.enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"))
  func `An interrupt after the first file is followed by a summary`() throws {
    let scratch = try Scratch()
    for name in ["a.jpg", "b.jpg"] { try scratch.copy(rotatedFixture, as: "tree/\(name)") }
    let rename = SystemCall(number: 1, name: "renameat2", file: "a.jpg")
    let result = try FaultLibrary.run(
      ["normalize", "-r", "-j", "1", scratch.path("tree")],
      below: scratch.url,
      fault: Fault(call: rename, way: .term)
    )
    #expect(result.status == 128 + SIGTERM)
    #expect(try scratch.read("tree/a.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("tree/b.jpg") == Fixture.bytes(rotatedFixture))
    #expect(result.lines.contains { $0.hasPrefix("1 file: 1 rotated") }, "\(result.text)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `What an interrupted run says is true of the files and the record`(signal: Int32) throws {
    let scratch = try Scratch()
    let (old, new) = (
      try Fixture.bytes("sample/portrait.jpg"), try normalized("sample/portrait.jpg")
    )
    for count in [300, 600, 1200, 2400] {
      for number in 0..<count { try scratch.write(old, to: "tree/\(number).jpg") }
      let record = scratch.path("record-\(count)")
      let result = try Tool.run(
        uprightBinary,
        ["normalize", "-r", scratch.path("tree"), "--record", record, "--format", "json"]
      ) { process in
        while (try? scratch.read("tree/0.jpg")) == old { usleep(1_000) }
        kill(process, signal)
      }
      if result.status == 0 { continue }
      #expect(result.status == 128 + signal)
      #expect(result.errorLines.count == 1, "\(result.errorText)")
      #expect(result.errorText.hasPrefix("interrupted; "))
      let files = try scratch.files().filter { $0.hasPrefix("tree/") }
      let done = try files.filter { try scratch.read($0) == new }
      struct Document: Decodable {
        struct Summary: Decodable { var statuses: [String: Int] }
        var files: [Line]
        var summary: Summary
      }
      let document = try JSONDecoder().decode(Document.self, from: Data(result.output))
      #expect(document.summary.statuses["normalized"] == done.count)
      #expect(Set(document.summary.statuses.keys).isSubset(of: ["normalized", "interrupted"]))
      for line in document.files {
        let content = try Data(contentsOf: URL(filePath: line.path))
        #expect([UInt8](content) == (line.status == "normalized" ? new : old))
      }
      let undo = try upright(["undo", "--record", record])
      // An undo of one file has no total.
      let restored = undo.lines.count { $0.contains(": restored") }
      #expect(restored == done.count, "\(undo.text)\(undo.errorText)")
      #expect(try files.allSatisfy { try scratch.read($0) == old })
      return
    }
    Issue.record("the process was always done before the interrupt")
  }

  /// Whether a private file system can be mounted.
  private static let canMount =
    (try? Tool.run("unshare", ["-m", "sh", "-c", "mount -t tmpfs none /mnt"]))?.status == 0

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `A full disk leaves the original and nothing else`() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy("sample/portrait.jpg", as: "photo.jpg")
    try FileManager.default.createDirectory(
      atPath: scratch.path("disk"),
      withIntermediateDirectories: true
    )
    let binary = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0]))
      .deletingLastPathComponent().appending(path: "upright").path
    let script = """
      set -e
      mount -t tmpfs -o size=64k none "$1/disk"
      cp "$2" "$1/disk/photo.jpg"
      dd if=/dev/zero of="$1/disk/full" bs=1k 2> /dev/null || true
      "$3" normalize --format ndjson "$1/disk/photo.jpg" || echo "status $?"
      cmp "$2" "$1/disk/photo.jpg" && echo whole
      ls -A "$1/disk"
      """
    let result = try Tool.run(
      "unshare",
      ["-m", "sh", "-c", script, "sh", scratch.url.path, photo, binary]
    )
    #expect(result.text.contains("\"id\":\"no-space\""))
    #expect(result.lines.suffix(4) == ["status 2", "whole", "full", "photo.jpg"])
  }

  @Test func `A backup keeps the original and is never overwritten`() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let old = try scratch.read("a.jpg")
    #expect(try upright(["normalize", "--backup", ".orig", photo]).status == 0)
    #expect(try scratch.read("a.jpg.orig") == old)
    #expect(try scratch.read("a.jpg") == normalized(rotatedFixture))
    #expect(try scratch.files() == ["a.jpg", "a.jpg.orig"])

    try scratch.write([1, 2, 3], to: "a.jpg.orig")
    try scratch.write(old, to: "a.jpg")
    let second = try upright(["normalize", "--format", "ndjson", "--backup", ".orig", photo])
    #expect(second.status == 2)
    #expect(try second.json().first?.error?.id == "backup-exists")
    #expect(try scratch.read("a.jpg") == old)
    #expect(try scratch.read("a.jpg.orig") == [1, 2, 3])

    // A run that was killed between the backup and the replacement left two names of one file.
    try FileManager.default.removeItem(atPath: scratch.path("a.jpg.orig"))
    try FileManager.default.linkItem(atPath: photo, toPath: scratch.path("a.jpg.orig"))
    #expect(try upright(["normalize", "--backup", ".orig", photo]).status == 0)
    #expect(try scratch.read("a.jpg.orig") == old)
    #expect(try upright(["normalize", "--backup", "a/b", photo]).status == 64)
  }

  @Test func `Times are kept`() throws {
    let scratch = try Scratch()
    let photo = try scratch.copy(rotatedFixture)
    let past = Date(timeIntervalSince1970: 1_000_000_000)
    try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: photo)
    #expect(try upright(["normalize", photo]).status == 0)
    #expect(
      try FileManager.default.attributesOfItem(atPath: photo)[.modificationDate] as? Date == past
    )
  }

  @Test func `Of hundreds of damaged files only the reported ones are written`() throws {
    let scratch = try Scratch()
    var generator = SeededGenerator(seed: 0xF11E)
    var contents: [String: [UInt8]] = [:]
    for (number, path) in Self.fixtures.enumerated() {
      let original = try Fixture.bytes(path)
      for copy in 0..<40 {
        var bytes = original.damaged(using: &generator)
        if copy % 4 == 0 {
          bytes = Array(bytes[..<Int.random(in: bytes.indices, using: &generator)])
        }
        let name = scratch.path("tree/\(number)-\(copy).jpg")
        try scratch.write(bytes, to: "tree/\(number)-\(copy).jpg")
        contents[name] = bytes
      }
    }
    let lines = try upright(["normalize", "-r", "--format", "ndjson", scratch.path("tree")]).json()
    #expect(lines.count == contents.count)
    var written = 0
    for line in lines {
      let now = [UInt8](try Data(contentsOf: URL(filePath: line.path)))
      let isWritten = ["normalized", "reset"].contains(line.status)
      #expect((now == contents[line.path]) != isWritten, "\(line.path) is \(line.status)")
      if isWritten { written += 1 }
    }
    #expect(written > 0 && written < lines.count)
    #expect(try scratch.files().count == contents.count)
  }
}

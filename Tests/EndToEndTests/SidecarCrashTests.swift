import Fixtures
import Foundation
import SystemPackage
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Photos and sidecars of runs that stop between the two.
@Suite(.serialized) struct SidecarCrashTests {
  /// Whether mounts of our own can be made, where nobody else sees them.
  private static let canMount =
    (try? Tool.run("unshare", ["-m", "sh", "-c", "mount -t tmpfs none /mnt"]))?.status == 0

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Runs the command where the sidecar `a.xmp` can be read and not be replaced.
  private func runWithFixedSidecar(_ arguments: [String]) throws -> Tool {
    try runWithFixed("a.xmp", arguments)
  }

  /// Runs the command where a file can be read and not be replaced or removed: it is a mount.
  private func runWithFixed(_ name: String, _ arguments: [String]) throws -> Tool {
    let script = """
      mount --bind "$1" "$1" || exit 99; shift; exec "$@"
      """
    return try Tool.run(
      "unshare",
      ["-m", "sh", "-c", script, "sh", scratch.path(name), uprightBinary.path] + arguments
    )
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `A half-done pair is reported, and completed by the next run`()
    throws
  {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let update = ["normalize", "--journal", scratch.path("journal"), "--sidecars", "update"]
    let first = try runWithFixedSidecar(update + ["--backup", ".orig", photo])
    #expect(first.status == 2, "\(first.errorText)")
    #expect(try scratch.read("a.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))

    for command in ["audit", "normalize"] {
      let report = ["--sidecars", "report", "--format", "ndjson"]
      let result = try upright([command, photo] + report)
      #expect(result.status == 1, "\(command)")
      #expect(try result.json().map(\.reason?.id) == ["stale-sidecar"])
    }
    #expect(try upright(["audit", "--check", photo]).status == 1)
    let dry = try upright(["normalize", "-n", photo])
    #expect(dry.status == 0)
    #expect(dry.text.contains("a.xmp will be updated, to complete an interrupted run"))
    // The journal must not have taken the pair for done.
    let second = try upright(update + [photo])
    #expect(second.status == 0)
    #expect(second.text.contains("a.xmp was updated"), "\(second.text)")
    #expect(try scratch.read("a.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
    #expect(try scratch.files() == ["a.jpg", "a.jpg.orig", "a.xmp", "a.xmp.orig", "journal"])
    #expect(try upright(update + ["--format", "ndjson", photo]).output.isEmpty, "it is done")
    #expect(try upright(["audit", photo]).status == 0)
  }

  @Test(
    .enabled(if: canMount, "needs the right to mount: run the tests as root"),
    arguments: [["rotate", "90"], ["flip", "horizontal"], ["normalize"]]
  )
  func `A journal knows a photo whose sidecar could not be replaced`(command: [String]) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let options = ["--sidecars", "update", "--journal", scratch.path("journal"), photo]
    #expect(try runWithFixedSidecar(command + options).status == 2)
    let new = try scratch.read("a.jpg")
    #expect(try new != Fixture.bytes(rotatedFixture))
    // It is not asked for otherwise, and a copy of the photo has another time.
    let ignoring = command + ["--sidecars", "report"] + options.dropFirst(2)
    #expect(try upright(ignoring).status == 1)
    try scratch.write(new, to: "a.jpg")
    let second = try upright(command + options)
    #expect(second.status == 0)
    #expect(second.text.contains("a.xmp was updated, to complete an interrupted run"))
    #expect(try scratch.read("a.jpg") == new)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
    try scratch.write(new, to: "a.jpg")
    #expect(try upright(command + options).output.isEmpty, "it is done")
    #expect(try scratch.read("a.jpg") == new)
    let other = try upright(["rotate", "180", "--format", "ndjson"] + options)
    let error = command == ["normalize"] ? nil : "journal-differs"
    #expect(try other.json().map(\.error?.id) == [error])
    #expect(try (scratch.read("a.jpg") == new) == (error != nil))
    #expect(try scratch.files() == ["a.jpg", "a.xmp", "journal"])
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `A half-done pair is kept where another photo has the names of its sidecars`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let other = try scratch.copy("formats/exif-after.png", as: "a.png")
    try scratch.write(Sidecars.worldFile, to: "a.jgw")
    let record = ["--record", scratch.path("record")]
    let update = ["normalize", "--sidecars", "update", photo]
    #expect(try runWithFixed("a.jgw", update + record).status == 2)
    #expect(try upright(["undo", other] + record).status == 1)
    #expect(try scratch.read("a.jgw") == Sidecars.worldFile)
    // A protected sidecar is not completed, either.
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444],
      ofItemAtPath: scratch.path("a.jgw")
    )
    for command in [["audit", photo], update + ["-n"], update] {
      let result = try upright(command + ["--format", "ndjson"])
      #expect(result.status == 1, "\(command)")
      #expect(try result.json().map(\.reason?.id) == ["write-protected"], "\(command)")
    }
    #expect(try scratch.read("a.jgw") == Sidecars.worldFile)
    #expect(try upright(update + ["--read-only", "rewrite"]).status == 0)
    #expect(try scratch.read("a.jgw") != Sidecars.worldFile)
    #expect(try scratch.files() == ["a.jgw", "a.jpg", "a.png", "record"])
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `Of several sidecars, that which could not be replaced is completed by the next run`() throws
  {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    for name in ["a.xmp", "a.jpg.xmp"] { try scratch.write(Sidecars.packet(6), to: name) }
    try scratch.write(Sidecars.worldFile, to: "a.jgw")
    let update = ["normalize", "--sidecars", "update", photo]
    let first = try runWithFixedSidecar(update)
    #expect(first.status == 2)
    #expect(first.errorText.contains("a.jpg.xmp was updated\n"))
    let text = "a.xmp was not updated (the next run with --sidecars update completes it): "
    #expect(first.errorText.contains(text), "\(first.errorText)")
    #expect(try scratch.read("a.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    #expect(try scratch.read("a.jpg.xmp") == Sidecars.packet(1))
    let map = try scratch.read("a.jgw")
    #expect(map != Sidecars.worldFile)

    let audit = try upright(["audit", "--format", "ndjson", "--sidecars", "report", photo])
    #expect(try audit.json().map(\.reason?.id) == ["stale-sidecar"])
    let second = try upright(update)
    #expect(second.status == 0)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
    #expect(try scratch.read("a.jgw") == map)
    #expect(try scratch.files() == ["a.jgw", "a.jpg", "a.jpg.xmp", "a.xmp"])
  }

  @Test(.enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"))
  func `If it is not known whether the photo was replaced, the next run completes the pair`() throws
  {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let update = ["normalize", "-j", "1", "--format", "ndjson", "--sidecars", "update", photo]
    let rename = SystemCall(number: 1, name: "renameat2", file: "a.jpg")
    let fault = Fault(call: rename, way: .blind, error: .ioError)
    let first = try FaultLibrary.run(update, below: scratch.url, fault: fault)
    #expect(try first.json().map(\.error?.id) == ["outcome-unknown"])
    #expect(try scratch.read("a.jpg") == normalized(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    #expect(try upright(update).status == 0)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
  }

  @Test(.enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"))
  func `An undo reports of a half-done pair that it is completed, and then restored`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let record = ["--record", scratch.path("record"), photo]
    let rename = SystemCall(number: 1, name: "renameat2", file: "a.jpg")
    let fault = Fault(call: rename, way: .blind, error: .ioError)
    let command = ["normalize", "-j", "1"] + record
    #expect(try FaultLibrary.run(command, below: scratch.url, fault: fault).status == 2)
    let undo = try upright(["undo", "--format", "ndjson"] + record)
    let companions = try #require(try undo.json().first?.companions)
    #expect(companions.map(\.action) == ["complete", "restore"])
    #expect(companions.map(\.done) == [true, true], "\(undo.text)")
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
  }

  @Test(.enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"))
  func `A sidecar that was written before its photo failed is reported`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let command = [
      "normalize", "-j", "1", "--format", "ndjson", photo, "-o", scratch.path("b.jpg"),
    ]
    let rename = SystemCall(number: 1, name: "renameat2", file: "b.jpg")
    let fault = Fault(call: rename, way: .fail, error: .ioError)
    let first = try FaultLibrary.run(command, below: scratch.url, fault: fault)
    let line = try #require(try first.json().first)
    #expect(line.status == "failed" && line.error?.id == "input-output")
    let companion = try #require(line.companion("a.xmp"))
    #expect(companion.done && companion.output == scratch.path("b.xmp"))
    #expect(try scratch.files() == ["a.jpg", "a.xmp", "b.xmp"])
    #expect(try upright(command).status == 0)
  }

  @Test(
    .enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"),
    arguments: [
      ["normalize"], ["normalize", "--sidecars", "update"], ["rotate", "90"], ["audit"],
    ],
    ["a.dng", "a.heic"]
  )
  func `Nothing is done where it is not known whose a sidecar is`(
    command: [String],
    other: String
  ) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    // The photo is replaced, and its sidecar is not.
    let update = ["normalize", "-j", "1", "--sidecars", "update", photo]
    let rename = SystemCall(number: 1, name: "renameat2", file: "a.jpg")
    let blind = Fault(call: rename, way: .blind, error: .ioError)
    _ = try FaultLibrary.run(update, below: scratch.url, fault: blind)
    let files = try scratch.files()
    #expect(files.contains { $0.hasSuffix(".pair") })
    let status = SystemCall(number: 1, name: "fstatat", file: other)
    let result = try FaultLibrary.run(
      command + ["--format", "ndjson", photo],
      below: scratch.url,
      fault: Fault(call: status, way: .fail, error: .ioError)
    )
    let error = try #require(try result.json().first?.error, "\(result.text)")
    #expect(error.id == "input-output" && error.text.contains("\(other): cannot read"), "\(error)")
    #expect(try scratch.files() == files)
    #expect(try scratch.read("a.jpg") == normalized(rotatedFixture))
    #expect(try upright(update).status == 0)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `A sidecar that was changed after a half-done pair is not overwritten`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    _ = try runWithFixedSidecar(["normalize", "--sidecars", "update", photo])
    try scratch.write(Sidecars.packet(6, width: 1), to: "a.xmp")
    let result = try upright(["normalize", "--format", "ndjson", "--sidecars", "update", photo])
    #expect(result.status == 1)
    #expect(try result.json().map(\.reason?.id) == ["sidecar-conflict"])
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6, width: 1))
    #expect(try scratch.files() == ["a.jpg", "a.xmp"])
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `A half-done pair does not change a photo that was changed since`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    _ = try runWithFixedSidecar(["normalize", "--sidecars", "update", photo])
    try scratch.copy("orientation/aligned-8.jpg", as: "a.jpg")
    #expect(try upright(["normalize", "--sidecars", "update", photo]).status == 0)
    #expect(try scratch.read("a.jpg") == normalized("orientation/aligned-8.jpg"))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
    #expect(try scratch.files() == ["a.jpg", "a.xmp"])
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `A pair whose file cannot be written is an error before the photo is replaced`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    // The name has a digest of the sidecar's.
    let pair = ".upright-cc5a42f2dbe1f077.pair"
    try scratch.write([], to: pair)
    let result = try runWithFixed(pair, ["normalize", "--sidecars", "update", photo])
    #expect(result.status == 2)
    #expect(result.errorText.contains(pair), "\(result.errorText)")
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    #expect(try scratch.files() == [pair, "a.jpg", "a.xmp"])
  }

  @Test(
    .enabled(if: canMount, "needs the right to mount: run the tests as root"),
    arguments: ["undo", "normalize"]
  )
  func `A half-done undo is reported, and completed by the next run of either command`(
    next: String
  ) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    for name in ["a.jgw", "a.wld"] { try scratch.write(Sidecars.worldFile, to: name) }
    let record = scratch.path("record")
    let commands = [
      "undo": ["undo", "--record", record, photo],
      "normalize": ["normalize", "--sidecars", "update", "--record", record, photo],
    ]
    let (undo, update) = try (#require(commands["undo"]), #require(commands["normalize"]))
    #expect(try upright(update).status == 0)
    let names = ["a.jgw", "a.wld", "a.jpg"]
    let new = try names.map { try scratch.read($0) }
    let failed = try runWithFixed("a.jgw", undo)
    #expect(failed.status == 2)
    let text = "a.jgw was not restored (the next undo completes it): "
    #expect(failed.errorText.contains(text), "\(failed.errorText)")
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("a.jgw") == new[0])

    // A photo of which a run has left half is not rewritten, and its outputs get what is missing.
    for command in [["audit"], ["normalize"], ["rotate", "90"]] {
      let report = ["--format", "ndjson", "--sidecars", "report", photo]
      let result = try upright(command + report)
      #expect(try result.json().map(\.reason?.id) == ["stale-sidecar"], "\(command)")
    }
    let dry = try upright(update + ["-n"])
    #expect(dry.status == 0 && dry.text.contains("a.jgw will be updated"), "\(dry.text)")
    let output = ["normalize", "--sidecars", "update", "--output-dir", scratch.path("out"), photo]
    #expect(try upright(output).status == 0)
    #expect(try names.map { try scratch.read("out/\($0)") } == new)
    #expect(try upright(undo + ["--output-dir", scratch.path("undone")]).status == 0)
    #expect(try scratch.read("undone/a.jgw") == Sidecars.worldFile)

    let completed = try upright(#require(commands[next]))
    #expect(completed.status == 0)
    #expect(completed.text.contains("a.jgw was updated, to complete"), "\(completed.text)")
    let old = try [Sidecars.worldFile, Sidecars.worldFile, Fixture.bytes(rotatedFixture)]
    #expect(try names.map { try scratch.read($0) } == (next == "undo" ? old : new))
    #expect(try scratch.files().filter { $0.hasSuffix(".pair") } == [])
  }

  @Test(
    .enabled(if: FaultLibrary.isUsable, "no library can be preloaded: install a C compiler"),
    arguments: ["normalize", "undo"],
    ["normalize", "undo"]
  )
  func `After a kill at any call, either command completes the pair`(
    killed: String,
    next: String
  ) throws {
    let old: Snapshot = [
      "tree/a.jpg": .original(try Fixture.bytes(rotatedFixture)),
      "tree/a.jpg.xmp": .original(Sidecars.packet(6, width: 96)),
      "tree/a.jgw": .original(Sidecars.worldFile),
    ]
    func run(_ command: String, _ fault: Fault? = nil, log: String? = nil) throws -> Tool {
      let record = ["-r", "--record", scratch.path("record"), "-j", "1", scratch.path("tree")]
      let update = command == "normalize" ? ["--sidecars", "update"] : []
      let arguments = [command] + update + record
      return try FaultLibrary.run(arguments, below: scratch.url, fault: fault, log: log)
    }
    try scratch.restore(old)
    #expect(try run("normalize").status == 0)
    let new = try scratch.snapshot()
    let start = killed == "undo" ? new : old
    try scratch.restore(start)
    let log = try Scratch().write([], to: "log")
    #expect(try run(killed, log: log).status == 0)
    let end = next == "undo" ? old : new
    for call in try SystemCall.list(log) where call.changes && !call.isOutput {
      try scratch.restore(start)
      #expect(try run(killed, Fault(call: call, way: .kill)).signal == SIGKILL, "\(call)")
      let second = try run(next)
      #expect(second.status == 0, "\(call): \(second.errorText)")
      let now = try scratch.snapshot().filter { $0.key.hasPrefix("tree/") }
      #expect(now.keys.sorted() == old.keys.sorted(), "\(call)")
      for name in old.keys {
        #expect(now[name]?.bytes == end[name]?.bytes, "\(call): \(name)")
        if next == "undo" { #expect(now[name] == end[name], "\(call): \(name)") }
      }
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: [SIGKILL, SIGTERM])
  func `After a kill at any time the next run completes every pair`(signal: Int32) throws {
    let (old, new) = (try Fixture.bytes(rotatedFixture), try normalized(rotatedFixture))
    let before = [
      ".xmp": Sidecars.packet(6, width: 96), ".jpg.xmp": Sidecars.packet(6),
      ".jgw": Sidecars.worldFile,
    ]
    let arguments = [
      "normalize", "-r", "-q", "--sidecars", "update", "--backup", ".orig", scratch.path("tree"),
    ]
    var (kills, halves) = (0, 0)
    let names = (0..<12).map { "tree/\($0)" }
    func fill() throws {
      try? FileManager.default.removeItem(atPath: scratch.path("tree"))
      for name in names {
        try scratch.write(old, to: name + ".jpg")
        for (ending, sidecar) in before { try scratch.write(sidecar, to: name + ending) }
      }
    }
    try fill()
    let started = ContinuousClock.now
    #expect(try upright(arguments).status == 0)
    var after: [String: [UInt8]] = [:]
    for ending in before.keys { after[ending] = try scratch.read(names[0] + ending) }
    #expect(after[".xmp"] == Sidecars.packet(1, width: 64))
    #expect(after[".jpg.xmp"] == Sidecars.packet(1) && after[".jgw"] != before[".jgw"])
    // A busy machine may be slower now than later, so the delay adapts to the runs.
    var delay = UInt32((ContinuousClock.now - started) / .microseconds(1))
    for round in 0..<60 where round < Effort.rounds(25) || kills < 6 {
      try fill()
      let process = Process()
      process.executableURL = uprightBinary
      process.arguments = arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      usleep(UInt32.random(in: delay / 10..<delay))
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      if process.terminationStatus != 0 { kills += 1 } else { delay = max(delay * 3 / 4, 2000) }
      for name in names {
        let photo = try scratch.read(name + ".jpg")
        #expect(photo == old || photo == new)
        for ending in before.keys {
          let sidecar = try scratch.read(name + ending)
          #expect(sidecar == before[ending] || sidecar == after[ending])
          if (photo == new) != (sidecar == after[ending]) { halves += 1 }
        }
      }
      // An interrupt that is asked for politely finishes the pair.
      if signal == SIGTERM, process.terminationReason == .exit { #expect(halves == 0) }
      #expect(try upright(arguments).status == 0)
      for name in names {
        #expect(try scratch.read(name + ".jpg") == new)
        #expect(try scratch.read(name + ".jpg.orig") == old)
        for ending in before.keys {
          #expect(try scratch.read(name + ending) == after[ending])
          #expect(try scratch.read(name + ending + ".orig") == before[ending])
        }
      }
      #expect(try scratch.files().count == 8 * names.count)
    }
    #expect(kills > 5)
  }
}

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

/// A process that waits for input which does not come.
struct WaitingTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "a.jpg")
  }

  private static let commands = [
    ["normalize", "-"], ["normalize", "-", "-n"], ["tag", "set", "3", "-"],
    ["normalize", "--files-from", "-"], ["normalize", "--files-from", "-", "-j1"],
    ["audit", "--files-from", "-"],
  ]

  @Test(arguments: commands, [SIGINT, SIGTERM])
  func `One signal ends a process that waits for standard input`(
    command: [String],
    signal: Int32
  ) throws {
    let input = Pipe()
    let status = try status(of: command, input: input, after: signal)
    #expect(status == 128 + signal)
    try input.fileHandleForWriting.close()
  }

  @Test func `One signal ends a process that waits for the rest of its input`() throws {
    let photo = Pipe()
    try photo.fileHandleForWriting.write(contentsOf: Data(try scratch.read("a.jpg").prefix(100)))
    #expect(try status(of: ["normalize", "-"], input: photo, after: SIGTERM) == 143)
    // What was listed is done, what is not a whole line is not.
    let list = Pipe()
    try scratch.copy(rotatedFixture, as: "b.jpg")
    let text = "\(scratch.path("a.jpg"))\n\(scratch.path("b.jpg"))"
    try list.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    let command = ["normalize", "--files-from", "-"]
    #expect(
      try status(of: command, input: list, after: SIGTERM) {
        try scratch.read("a.jpg") == normalized(rotatedFixture)
      } == 143
    )
    #expect(try scratch.read("b.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test(arguments: [false, true])
  func `One signal ends a process that waits for a named pipe`(hasWriter: Bool) throws {
    let fifo = scratch.path("fifo")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    let writer = unsafe hasWriter ? open(fifo, O_RDWR) : -1
    #expect(
      try status(of: ["audit", "--files-from", fifo], input: Pipe(), after: SIGTERM) == 143
    )
    if hasWriter { close(writer) }
  }

  @Test func `A named pipe whose writer comes later is read to its end`() throws {
    let fifo = scratch.path("fifo")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    let script = "\"$0\" audit --files-from \"$1\" & sleep 0.3; echo \"$2\" > \"$1\"; wait"
    let arguments = ["-c", script, uprightBinary.path, fifo, scratch.path("a.jpg")]
    #expect(try Tool.run("sh", arguments).text.contains("1 file: 1 to rotate"))
  }

  /// The exit status of a command that gets a signal while it waits; nil where it goes on waiting.
  private func status(
    of command: [String],
    input: Pipe,
    after signal: Int32,
    when isReady: () throws -> Bool = { true }
  ) throws -> Int32? {
    let process = Process()
    process.executableURL = uprightBinary
    process.arguments = command
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try wait { try catches(signal, process.processIdentifier) && isReady() }
    usleep(50_000)
    kill(process.processIdentifier, signal)
    try wait { !process.isRunning }
    guard process.isRunning else {
      return process.terminationReason == .exit ? process.terminationStatus : nil
    }
    kill(process.processIdentifier, SIGKILL)
    return nil
  }

  /// Waits until something is so, but not for ever.
  private func wait(_ isSo: () throws -> Bool) throws {
    for _ in 0..<1000 {
      if try isSo() { return }
      usleep(10_000)
    }
  }

  /// Whether a process has a handler for a signal.
  private func catches(_ signal: Int32, _ process: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
    return mask >> UInt64(signal - 1) & 1 == 1
  }
}

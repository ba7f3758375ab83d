import Fixtures
import Foundation
import Records
import Testing

/// Standard streams that are closed or not writable.
@Suite(.serialized) struct ClosedStreamsTests {
  /// The number of files in each run.
  private static let count = Effort.rounds(60)

  /// Every combination of the three streams, as a shell closes them.
  private static let closings = (0..<8).map { bits in
    (0..<3).filter { bits >> $0 & 1 == 1 }.map { $0 == 0 ? "0<&-" : "\($0)>&-" }
      .joined(separator: " ")
  }

  /// The operation on the directory `in`.
  enum Work: String, CaseIterable, Sendable {
    case normalize, rotate, flip, crop, tag, undo, output, record, journal

    var arguments: [String] {
      switch self {
      case .normalize: ["normalize", "-r", "in"]
      case .rotate: ["rotate", "90", "-r", "in"]
      case .flip: ["flip", "horizontal", "--tag-only", "-r", "in"]
      case .crop: ["crop", "16x16+0+0", "--backup", ".orig", "-r", "in"]
      case .tag: ["tag", "set", "3", "-r", "in"]
      case .undo: ["undo", "-r", "--record", "former.record"]
      case .output: ["normalize", "-r", "in", "--output-dir", "out"]
      case .record: ["normalize", "-r", "in", "--record", "new.record"]
      case .journal: ["normalize", "-r", "in", "--journal", "new.journal"]
      }
    }
  }

  /// A directory to work in.
  private func start(_ work: Work) throws -> Scratch {
    let scratch = try Scratch()
    let names = (0..<Self.count).map { "in/\($0 % 7)/\($0).jpg" }
    for name in names { try scratch.copy(rotatedFixture, as: name) }
    guard work == .undo else { return scratch }
    let record = ["normalize", "-r", "in", "--record", "former.record"]
    guard try run(record, in: scratch).status == 0 else { throw Tool.Failure("no record") }
    return scratch
  }

  /// Runs the command in a directory, with redirections of a shell.
  private func run(
    _ arguments: [String],
    in scratch: Scratch,
    _ redirections: String = ""
  ) throws -> Tool {
    let script = "cd \"$1\" && shift && exec \"$@\" \(redirections)"
    return try Tool.run(
      "sh",
      ["-c", script, "sh", scratch.url.path, uprightBinary.path] + arguments
    )
  }

  /// Every file but records and journals, which hold times, by name.
  private func images(_ scratch: Scratch) throws -> [String: [UInt8]] {
    let names = try scratch.files().filter { !$0.hasSuffix(".record") && !$0.hasSuffix(".journal") }
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try scratch.read($0)) })
  }

  @Test(arguments: Work.allCases)
  func `Output for a closed stream is not written to any file`(work: Work) throws {
    let undisturbed = try start(work)
    #expect(try run(work.arguments + ["-j4"], in: undisturbed).status == 0)
    let expected = try images(undisturbed)
    let place = try #require(Work.allCases.firstIndex(of: work))
    for closing in Effort.part(Self.closings, of: place) {
      // One job opens its files in the same order every time, several write while others open.
      for jobs in work == .record || work == .journal ? ["-j1", "-j4"] : ["-j4"] {
        let scratch = try start(work)
        let result = try run(work.arguments + [jobs], in: scratch, closing)
        // Results that cannot be written are an error; the other streams are not used.
        #expect(result.status == (closing.contains("1>") ? 2 : 0), "\(closing) \(jobs)")
        #expect(try images(scratch) == expected, "\(closing) \(jobs)")
        let lines = try scratch.files().filter { $0.hasPrefix("new.") }
          .flatMap { try scratch.read($0).split(separator: UInt8(ascii: "\n")) }
        for line in lines where line != Array("upright-journal/1".utf8)[...] {
          switch work {
          case .record:
            // The first line has the base of the paths.
            guard line != lines.first else { continue }
            #expect(throws: Never.self) { try RecordLine.record(Array(line)) }
          default: #expect(line.split(separator: UInt8(ascii: "\t")).count == 10)
          }
        }
        // A record and a journal begin with a line of their own.
        #expect(lines.count == (work == .record || work == .journal ? Self.count + 1 : 0))
      }
    }
  }

  /// Commands that print something on success.
  private static let printing: [[String]] =
    [
      ["--help"], ["--version"], ["help", "normalize"], ["audit", "--help"],
      ["normalize", "in/a.jpg"], ["normalize", "-n", "in/a.jpg"], ["rotate", "90", "in/a.jpg"],
      ["crop", "16x16+0+0", "in/a.jpg", "-o", "b.jpg"],
      ["tag", "get", "in/a.jpg"], ["tag", "get", "in"], ["tag", "set", "4", "in/a.jpg"],
      ["tag", "remove", "in/a.jpg"], ["inspect", "in/a.jpg"],
      ["verify", "in/a.jpg", "done/a.jpg"], ["verify", "in", "done"],
      ["verify", "in", "done", "--format", "ndjson"],
      ["verify", "--record", "record", "done/a.jpg"],
      ["undo", "-r", "--record", "record"], ["undo", "-rn", "--record", "record", "done"],
      ["--generate-completion-script", "bash"],
    ]
    + ["text", "table", "csv", "ndjson", "json"].flatMap { format in
      [["audit", "in", "--format", format], ["normalize", "-r", "in", "--format", format]]
    }

  @Test(arguments: printing, ["1>&-", "> /dev/full"])
  func `Output that cannot be written is status 2`(arguments: [String], stream: String) throws {
    let scratch = try Scratch()
    for folder in ["in", "done"] { try scratch.copy(rotatedFixture, as: "\(folder)/a.jpg") }
    #expect(try run(["normalize", "done/a.jpg", "--record", "record"], in: scratch).status == 0)
    let result = try run(arguments, in: scratch, stream)
    #expect(result.status == 2)
    #expect(result.errorText.contains("output is incomplete"))
  }

  @Test func `A message that cannot be written is status 2, and wrong usage stays 64`() throws {
    let scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "a.jpg")
    for stream in ["2>&-", "2> /dev/full"] {
      #expect(try run(["normalize", "none.jpg"], in: scratch, stream).status == 2)
      #expect(try run(["normalize", "-v", "-r", "."], in: scratch, stream).status == 0)
      // The report of an image on standard output goes to standard error.
      #expect(try run(["normalize", "a.jpg", "-o", "-"], in: scratch, stream).status == 2)
      #expect(try run(["normalize", "a.jpg", "-o", "-", "-q"], in: scratch, stream).status == 0)
      #expect(try run(["normalize"], in: scratch, stream).status == 64)
    }
  }

  @Test func `A closed pipe ends the output of every command without an error`() throws {
    let scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "in/a.jpg")
    for arguments in [
      ["inspect", "in/a.jpg"], ["audit", "in"], ["tag", "get", "in"], ["--help"],
    ] {
      let script = "cd \"$1\" && shift && { sleep 0.2; \"$@\"; echo $? > status; } | true"
      let binary = uprightBinary.path
      _ = try Tool.run("bash", ["-c", script, "bash", scratch.url.path, binary] + arguments)
      #expect(try scratch.read("status") == Array("0\n".utf8), "\(arguments)")
    }
  }

  @Test(arguments: [["normalize", "-"], ["tag", "set", "3", "-"]])
  func `A closed standard input is an error`(arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "a.jpg")
    let result = try run(arguments, in: scratch, "0<&-")
    #expect(result.status == 2)
    #expect(result.errorText.contains("the standard stream is closed"))
    let list = ["normalize", "--files-from", "-", "--format", "ndjson"]
    let listed = try run(list, in: scratch, "0<&-")
    #expect(listed.status == 2)
    #expect(try listed.json().map(\.error?.id) == ["closed"])
  }
}

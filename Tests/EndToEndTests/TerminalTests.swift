#if os(Linux)
import Fixtures
import Foundation
import Testing

/// What a person at a terminal sees.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: Terminal.program),
    "there is no script: install bsdutils"
  )
)
struct TerminalTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.copy(damagedFixture, as: "b.jpg")
    try scratch.copy(skippedFixture, as: "c.jpg")
    try scratch.copy("orientation/unaligned-6.jpg", as: "re-encoded.jpg")
  }

  @Test func `Words that name a status are in color, and nothing else is`() throws {
    let text = try Terminal.run("normalize -r .", in: scratch)
    let colored = text.matches(of: /\u{1B}\[(\d+)m([^\u{1B}]*)\u{1B}\[0m/)
      .map { "\($0.output.1) \($0.output.2)" }
    #expect(
      colored == [
        "32 rotated 90° clockwise", "31 error", "33 skipped", "32 rotated 90° clockwise",
        "33 re-encoded", "33 re-encoded", "33 1 skipped", "31 1 failed",
      ],
      "\(text)"
    )
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func `There are no colors where nobody wants them`(environment: [String: String]) throws {
    let text = try Terminal.run("normalize -r .", in: scratch, environment)
    #expect(text.contains("skipped: "))
    #expect(!text.contains("\u{1B}[3"), "\(text)")
  }

  @Test func `Of many files, those that need attention are listed`() throws {
    for number in 0..<25 { try scratch.copy(rotatedFixture, as: "many/\(number).jpg") }
    try scratch.copy(skippedFixture, as: "many/skipped.jpg")
    func lines(_ arguments: String) throws -> [Substring] {
      try Terminal.run("normalize -n -j 1 \(arguments) many", in: scratch, ["NO_COLOR": "1"])
        .split(separator: "\r\n").map { $0 }
    }
    let brief = try lines("-r")
    #expect(brief.filter { $0.contains("would rotate") || $0.contains("rotate 90") }.count == 20)
    #expect(brief.filter { $0.hasPrefix("…: of further files") }.count == 1)
    #expect(brief.filter { $0.contains("skipped.jpg: skipped") }.count == 1)
    #expect(brief.contains { $0.hasPrefix("26 files: 25 to rotate") }, "\(brief)")
    #expect(try lines("-rv").filter { $0.contains("rotate 90") }.count == 25)
    #expect(
      try lines("-r --format text many | cat; :").filter { $0.contains("rotate 90") }.count == 25
    )
  }

  @Test(arguments: ["normalize", "rotate 90", "flip vertical", "tag set 3"])
  func `A person is warned if nothing was kept to undo what was replaced`(command: String) throws {
    func isWarned(_ options: String) throws -> Bool {
      try scratch.copy(rotatedFixture, as: "new/a.jpg")
      return try Terminal.run("\(command) \(options) new/a.jpg", in: scratch)
        .contains("nothing was kept to undo this")
    }
    #expect(try isWarned(""))
    for options in ["--record r", "--embed-undo", "--backup .old", "-o new/b.jpg", "-n", "-q"] {
      #expect(try !isWarned(options), "\(options)")
    }
    #expect(try !isWarned("--format ndjson 2>&1 | cat; :"))
    // Nothing is replaced.
    let skipped = try Terminal.run("normalize c.jpg", in: scratch)
    #expect(!skipped.contains("nothing was kept"))
  }

  @Test(arguments: ["-r . > text; cat text", "-r . | cat", "-r --format ndjson . 2> /dev/null"])
  func `What programs read has no colors`(arguments: String) throws {
    let text = try Terminal.run("normalize -n \(arguments)", in: scratch)
    #expect(text.contains("skipped"))
    #expect(!text.contains("\u{1B}[3"), "\(text)")
  }
}

private enum Terminal {
  static let program = "/usr/bin/script"

  /// Runs the command in a folder, with a terminal as its input and output; returns what the terminal gets.
  static func run(
    _ arguments: String,
    in scratch: Scratch,
    _ environment: [String: String] = [:]
  ) throws -> String {
    let command = "cd \(scratch.url.path) && \(uprightBinary.path) \(arguments)"
    return try Tool.run(
      URL(filePath: program),
      ["-qec", command, "/dev/null"],
      environment: ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
    ).text
  }
}
#endif

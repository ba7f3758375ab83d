import Fixtures
import Foundation
import Testing

/// The file to which each run appends the reports.
struct ReportFileTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func lines(_ name: String) throws -> [String] {
    String(decoding: try scratch.read(name), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func fill() throws {
    for name in ["a", "b", "c,\"d"] { try scratch.copy(rotatedFixture, as: "tree/\(name).jpg") }
    try scratch.copy(uprightFixture, as: "tree/e.jpg")
    try scratch.write(Array("no photo".utf8), to: "tree/f.jpg")
  }

  @Test(arguments: ["csv", "ndjson"], [["normalize"], ["rotate", "90"]])
  func `A continued run completes the report of an interrupted one`(
    format: String,
    command: [String]
  ) throws {
    try fill()
    let name = "report.\(format)"
    let logs = [
      "--journal", scratch.path("journal"), "--report", scratch.path(name),
      "--record", scratch.path("record"), "-j", "1",
    ]
    _ = try upright(command + logs + [scratch.path("tree/a.jpg"), scratch.path("tree/b.jpg")])
    let heading = format == "csv" ? 1 : 0
    #expect(try lines(name).count == heading + 2)
    // A run that was killed between the report and the journal, and between the photo and the report.
    let cut = try lines(name).dropLast()
    try scratch.write(Array((cut.joined(separator: "\n") + "\n").utf8), to: name)
    for _ in 0..<2 {
      #expect(try upright(command + logs + ["-r", scratch.path("tree")]).status == 2)
    }
    let rows = try lines(name)
    #expect(rows.count == heading + 5, "\(rows)")
    for file in ["a", "b", "d", "e", "f"] {
      #expect(rows.filter { $0.contains("\(file).jpg") }.count == 1, "\(file): \(rows)")
    }
    let status = command[0] == "rotate" ? "rotated" : "normalized"
    #expect(rows.filter { $0.contains(status) }.count == (command[0] == "rotate" ? 4 : 3))
  }

  @Test(arguments: ["csv", "ndjson"])
  func `A continued run reports a file again only if its result is another`(format: String) throws {
    let skipped = try scratch.copy(skippedFixture, as: "a.jpg")
    let name = "report.\(format)"
    let journal = ["--journal", scratch.path("journal"), "--report", scratch.path(name)]
    for _ in 0..<2 { #expect(try upright(["normalize", skipped] + journal).status == 1) }
    let heading = format == "csv" ? 1 : 0
    #expect(try lines(name).count == heading + 1)
    #expect(
      try upright(["normalize", skipped, "--reset-invalid"] + journal).status == 0
    )
    #expect(try lines(name).count == heading + 2)
    // Without a journal, each run is one of its own.
    for _ in 0..<2 { _ = try upright(["normalize", skipped] + journal.suffix(2)) }
    #expect(try lines(name).count == heading + 4)
  }

  @Test(arguments: ["csv", "ndjson"])
  func `A row that was cut by a kill is reported again`(format: String) throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let name = "report.\(format)"
    let command =
      ["rotate", "90", photo, "--journal", scratch.path("journal"), "--report", scratch.path(name)]
    #expect(try upright(command).status == 0)
    try scratch.write(Array(scratch.read(name).dropLast(40)), to: name)
    #expect(try upright(command).status == 0)
    let rows = try lines(name)
    #expect(rows.count == (format == "csv" ? 3 : 2), "\(rows)")
    #expect(rows.last?.contains("a.jpg") == true && rows.last?.contains("rotated") == true)
  }

  @Test func `A recorded rewrite is reported with the hashes before and after`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    let before = try Tool.run("sha256sum", [photo]).text.prefix(64)
    let logs = ["--record", scratch.path("record"), "--report", scratch.path("r.ndjson")]
    #expect(try upright(["normalize", photo] + logs).status == 0)
    let after = try Tool.run("sha256sum", [photo]).text.prefix(64)
    let line = try #require(try lines("r.ndjson").first)
    #expect(line.contains("\"sha256After\":\"\(after)\""))
    #expect(line.contains("\"sha256Before\":\"\(before)\""))
    #expect(
      try upright(["undo", "--record", scratch.path("record"), photo] + logs.suffix(2)).status == 0
    )
    #expect(try lines("r.ndjson").last?.contains("\"sha256\":\"\(before)\"") == true)
  }

  @Test func `A file that is no report, and a name without a format, are refused`() throws {
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    for name in ["notes.csv", "notes.ndjson"] {
      try scratch.write(Array("mine\n".utf8), to: name)
      #expect(try upright(["normalize", photo, "--report", scratch.path(name)]).status == 2)
      #expect(try scratch.read(name) == Array("mine\n".utf8))
    }
    #expect(try upright(["normalize", photo, "--report", scratch.path("r.txt")]).status == 64)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }
}

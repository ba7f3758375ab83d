import Fixtures
import Foundation
import Testing

/// What batches print.
@Suite struct FormatTests {
  private let scratch: Scratch
  /// A folder with a copy of every fixture.
  private let fixtures: String

  init() throws {
    scratch = try Scratch()
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "fixtures/" + fixture.path) }
    fixtures = scratch.path("fixtures")
  }

  @Test func `CSV has a heading and as many columns in every row`() throws {
    let csv = try upright(["audit", "--format", "csv", fixtures]).text
    let lines = csv.split(separator: "\n")
    let columns = lines[0].split(separator: ",")
    #expect(columns.starts(with: ["path", "status", "transform"]))
    let files = try upright(["audit", "--format", "ndjson", fixtures]).lines
    #expect(lines.count == files.count + 1)
    for line in lines {
      var (count, isQuoted) = (1, false)
      for character in line {
        if character == "\"" { isQuoted.toggle() }
        if character == ",", !isQuoted { count += 1 }
      }
      #expect(count == columns.count, "\(line)")
    }
  }

  @Test func `No cell of CSV is a formula, and no name breaks a line or steers a terminal`() throws
  {
    let names = [
      "=cmd|' !A0'.jpg", "+1.jpg", "-1.jpg", "@SUM(1).jpg", "＝1.jpg", "\t=1.jpg", "\r=1.jpg",
      "\n=1.jpg", "\u{1B}[2J.jpg", "\u{202E}gpj.jpg", "\";=1.jpg", "'1.jpg", " =1.jpg",
    ]
    let photo = try Fixture.bytes("orientation/aligned-6.jpg")
    for name in names { try scratch.write(photo, to: "names/" + name) }
    let script =
      "cd \"$1\" && find . -name '*.jpg' -printf '%P\\0' | \"$0\" audit --format csv -0 --files-from -"
    let csv = try Tool.run("sh", ["-c", script, uprightBinary.path, scratch.path("names")])
    let lines = csv.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == names.count + 2, "a heading, a row for each file, and the last line end")
    #expect(csv.output.allSatisfy { $0 == 0x0A || $0 >= 0x20 && $0 != 0x7F })
    for cell in csv.text.split(separator: "\n").flatMap({ $0.split(separator: ",") }) {
      let text = cell.hasPrefix("\"") ? cell.dropFirst() : cell
      #expect(!"=+-@＝＋－＠".contains(text.first ?? " ") || lines[0].contains(cell), "\(cell)")
    }
    let cells = Set(lines.map { String($0.prefix { $0 != "," }) })
    for cell in [
      "'=cmd|' !A0'.jpg", "'+1.jpg", "'-1.jpg", "'@SUM(1).jpg", "'＝1.jpg", "\\u{9}=1.jpg",
      "\\u{d}=1.jpg", "\\u{a}=1.jpg", "\\u{1b}[2J.jpg", "\\u{202e}gpj.jpg", "'1.jpg", " =1.jpg",
      "\"\"\";=1.jpg\"",
    ] {
      #expect(cells.contains(cell), "\(cell)")
    }
  }

  @Test func `JSON is one document with the objects of NDJSON`() throws {
    struct Document: Decodable {
      struct Summary: Decodable {
        var files: Int
        var statuses: [String: Int]
      }

      var schema: String
      var files: [Line]
      var summary: Summary
    }
    let json = try upright(["audit", "--format", "json", fixtures]).output
    let document = try JSONDecoder().decode(Document.self, from: Data(json))
    let lines = try upright(["audit", "--format", "ndjson", fixtures]).json()
    #expect(document.schema == "upright-report/2")
    #expect(document.files == lines)
    #expect(document.summary.files == lines.count)
    #expect(document.summary.statuses.values.reduce(0, +) == lines.count)
    try scratch.write([0], to: "none/x")
    let none = try upright(["audit", "--format", "json", scratch.path("none")]).output
    #expect(try JSONDecoder().decode(Document.self, from: Data(none)).files.isEmpty)
  }

  @Test func `The audit of a directory prints a table, that of a file a line`() throws {
    let table = try upright(["audit", fixtures + "/sample"]).text
    #expect(table.contains("What would be done"))
    #expect(table.contains("rotate, lossless"))
    let troubled = try upright(["audit", fixtures + "/bad"]).text
    // One file, and the first of several.
    #expect(troubled.contains("empty.jpg\n             the file is empty"))
    #expect(troubled.contains("             first: the file ends"))
    let line = try upright(["audit", fixtures + "/sample/portrait.jpg"]).text
    #expect(line.contains("rotate 90° clockwise"))
  }

  @Test func `A check finds files that need a transform`() throws {
    let transformed = fixtures + "/orientation/aligned-6.jpg"
    let upright = fixtures + "/orientation/aligned-1.jpg"
    #expect(try EndToEndTests.upright(["audit", "--check", transformed]).status == 1)
    #expect(try EndToEndTests.upright(["audit", transformed]).status == 0)
    #expect(try EndToEndTests.upright(["audit", "--check", upright]).status == 0)
  }

  @Test func `An existing output with the same content is not a failure`() throws {
    try scratch.write(try Fixture.bytes("orientation/aligned-6.jpg"), to: "in/a.jpg")
    let arguments = ["normalize", "-r", scratch.path("in"), "--output-dir", scratch.path("out")]
    #expect(try upright(arguments).status == 0)
    #expect(try upright(arguments).status == 0)
    try scratch.write([1, 2, 3], to: "out/a.jpg")
    #expect(try upright(arguments).status == 2)
    #expect(try scratch.read("out/a.jpg") == [1, 2, 3])
  }

  @Test func `Files that together need more memory than allowed take turns`() throws {
    for number in 0..<12 {
      try scratch.write(try Fixture.bytes("sample/portrait.jpg"), to: "tree/\(number).jpg")
    }
    let result = try upright([
      "normalize", "-r", scratch.path("tree"), "--memory", "2", "-j6", "--format", "ndjson",
    ])
    #expect(try result.json().map(\.status) == Array(repeating: "normalized", count: 12))
  }
}

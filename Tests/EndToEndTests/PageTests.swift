import Fixtures
import Foundation
import Testing

/// The page of `audit --html`; `tools/check-page` opens it in a browser.
@Suite struct PageTests {
  private let scratch: Scratch
  private let page: String

  init() throws {
    scratch = try Scratch()
    page = scratch.path("page.html")
  }

  /// What the page knows of a file, as far as tests look at it.
  private struct Row: Decodable {
    var path: String
    var kind: String
    var attention: Bool?
    var risks: [String]?
    var picture: Data?
  }

  private struct Page: Decodable {
    var files: [Row]
  }

  /// The text of the data in the page.
  private func data() throws -> Substring {
    let text = String(decoding: try scratch.read("page.html"), as: UTF8.self)
    let opening = try #require(
      text.firstRange(of: "<script id=\"data\" type=\"application/json\">")
    )
    let rest = text[opening.upperBound...]
    return rest[..<(try #require(rest.firstRange(of: "</script>")).lowerBound)]
  }

  private func rows() throws -> [Row] {
    try JSONDecoder().decode(Page.self, from: Data(try data().utf8)).files
  }

  private func copyFixtures() throws -> String {
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "tree/" + fixture.path) }
    return scratch.path("tree")
  }

  @Test(arguments: ["text", "table", "csv", "ndjson", "json"])
  func `A page is written besides the report, and changes nothing of it`(format: String) throws {
    let arguments = ["audit", "--format", format, try copyFixtures()]
    let plain = try upright(arguments)
    let result = try upright(arguments + ["--html", page])
    #expect(result.output == plain.output)
    #expect(result.errorOutput == plain.errorOutput)
    #expect(result.status == plain.status && result.status == 2)
    #expect(try rows().count == Fixture.all.count)
  }

  @Test func `The page has the files of NDJSON, in their order, and what is wrong with them`()
    throws
  {
    let result = try upright(["audit", "--format", "ndjson", try copyFixtures(), "--html", page])
    for (row, line) in zip(try rows(), try result.json()) {
      #expect(row.path == line.path)
      switch line.status {
      case "nothing": #expect(row.kind == "nothing")
      case "planned": #expect(["exact", "redrawn"].contains(row.kind))
      default:
        #expect(row.kind == line.status)
        #expect(row.attention == true)
        #expect(row.risks?.first == (line.reason ?? line.error)?.id)
      }
    }
  }

  @Test func `Thumbnails are shown of files that need attention`() throws {
    let file = try scratch.copy("conflict/thumbnail-tag-8.jpg")
    try scratch.copy("sample/portrait.jpg", as: "upright.jpg")
    _ = try upright(["audit", file, scratch.path("upright.jpg"), "--html", page])
    let rows = try rows()
    let picture = try #require(rows[0].picture)
    #expect(picture.starts(with: [0xFF, 0xD8, 0xFF]))
    let original = Data(try scratch.read("conflict/thumbnail-tag-8.jpg"))
    #expect(original.firstRange(of: picture) != nil)
    #expect(rows[1].attention == nil && rows[1].picture == nil)
  }

  @Test func `The number of thumbnails is bounded`() throws {
    let bytes = try Fixture.bytes("conflict/thumbnail-tag-8.jpg")
    for number in 0..<520 { try scratch.write(bytes, to: "tree/\(number).jpg") }
    _ = try upright(["audit", scratch.path("tree"), "--html", page])
    let rows = try rows()
    #expect(rows.count == 520)
    #expect(rows.map { $0.picture != nil } == (0..<520).map { $0 < 500 })
  }

  @Test func `No name becomes markup`() throws {
    let name = "<!--</script><script>alert(1)</script>.jpg"
    try scratch.write(try Fixture.bytes(turnedFixture), to: "tree/" + name)
    _ = try upright(["audit", scratch.path("tree"), "--html", page])
    #expect(try !data().contains("<"))
    #expect(try rows().map(\.path) == [scratch.path("tree/" + name)])
  }

  @Test func `A page is replaced, and nothing else`() throws {
    let file = try scratch.copy(turnedFixture)
    #expect(try upright(["audit", file, "--html", page]).status == 0)
    #expect(try rows().map(\.path) == [file])
    let other = try scratch.copy(uprightFixture)
    #expect(try upright(["audit", other, "--html", page]).status == 0)
    #expect(try rows().map(\.path) == [other])
    let photograph = try scratch.read(turnedFixture)
    let notes = try scratch.write(Array("notes".utf8), to: "notes.html")
    let result = try upright(["audit", other, "--html", notes])
    #expect(result.status == 2)
    #expect(result.errorText.hasPrefix("\(notes): not created: "))
    #expect(try upright(["audit", other, "--html", file]).status == 64)
    #expect(try upright(["audit", file, "--html", file]).status == 64)
    #expect(try scratch.read(turnedFixture) == photograph)
    let nowhere = try upright(["audit", file, "--html", scratch.path("none/page.html")])
    #expect(nowhere.status == 2 && nowhere.output.isEmpty)
    #expect(try upright(["audit", file, "--html", "-"]).status == 64)
  }

  @Test func `An audit that is interrupted leaves no page`() throws {
    let script = """
      (while echo "$1"; do sleep 0.02; done) 2>/dev/null | "$0" audit --html "$2" --files-from - &
      sleep 0.7; kill -TERM $!; wait $!
      """
    let file = try scratch.copy(turnedFixture)
    let result = try Tool.run("sh", ["-c", script, uprightBinary.path, file, page])
    #expect(result.status == 143)
    #expect(try scratch.files() == [turnedFixture])
  }
}

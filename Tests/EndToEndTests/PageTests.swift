import Fixtures
import Foundation
import Testing

/// The pages of `--html`; `tools/check/page` opens them in a browser.
@Suite struct PageTests {
  private let scratch: Scratch
  private let page: String

  init() throws {
    scratch = try Scratch()
    page = scratch.path("page.html")
  }

  /// What the page shows of a file, as far as tests look at it.
  private struct Row: Decodable {
    var name: String
    var folder: String?
    var raw: String?
    var disposition: String
    var text: String?
    var decide: Bool?
    var risks: [String]?
    var orientation: Int?
    var before: Int?
    var output: String?
    var proof: String?
    var misfits: [String]?
    var exceptions: [String]?
    var sidecarOrientation: Int?
    var remedies: [Remedy]?
    /// The embedded thumbnail.
    var thumbnailImage: Data?
    /// A small rendition of the image.
    var rendition: Data?

    var path: String { (folder ?? "") + name }
  }

  private struct Remedy: Decodable {
    var policy: String?
    var action: String?
  }

  private struct Page: Decodable {
    var files: [Row]
    var command: String
    var policies: [String: String]
    var nonDefault: [String: String]
    var safeguards: [String]
    var links: Links
    var kind: String
    var request: String
    var record: String?
    var undo: Undo?
    var earlierPage: Earlier?
    var earlierRuns: [Run]
    var copied: Int
    var earlier: Int
    var interrupted: Bool
  }

  private struct Earlier: Decodable, Equatable {
    var name: String
    var link: String
  }

  private struct Run: Decodable {
    var command: String
  }

  private struct Undo: Decodable {
    var text: String
    var command: String?
  }

  /// How a browser gets from the page to the files.
  private struct Links: Decodable {
    var working: String
    var directory: String?
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

  private func contents() throws -> Page {
    try JSONDecoder().decode(Page.self, from: Data(try data().utf8))
  }

  /// The rows, each with its folder.
  private func rows() throws -> [Row] {
    var folder = ""
    return try contents().files.map { row in
      var row = row
      folder = row.folder ?? folder
      row.folder = folder
      return row
    }
  }

  private func copyFixtures() throws -> String {
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "tree/" + fixture.path) }
    return scratch.path("tree")
  }

  @Test(arguments: ["text", "table", "csv", "ndjson", "json"])
  func `A page is written besides the report, which stays the same`(format: String) throws {
    let arguments = ["audit", "--format", format, try copyFixtures()]
    let plain = try upright(arguments)
    let result = try upright(arguments + ["--html", page])
    #expect(result.output == plain.output)
    #expect(result.errorOutput == plain.errorOutput)
    #expect(result.status == plain.status && result.status == 2)
    #expect(try rows().count == Fixture.all.count)
  }

  @Test func `The page has the files of NDJSON in their order, with their problems`()
    throws
  {
    let result = try upright(["audit", "--format", "ndjson", try copyFixtures(), "--html", page])
    for (row, line) in zip(try rows(), try result.json()) {
      #expect(row.path == line.path)
      #expect(row.text?.contains("--") != true)
      switch line.status {
      case "already-upright": #expect(row.disposition == "upright")
      case "planned": #expect(["lossless", "re-encoded"].contains(row.disposition))
      default:
        #expect(row.disposition == (line.status == "failed" ? "failed" : "skipped"))
        // Something can be decided only where a policy helps, or a command that the page has.
        let helps =
          line.reason?.remedies?.contains {
            $0.policy != nil || $0.action == "correct-orientation"
          } == true
        #expect(row.decide == (helps ? true : nil), "\(row.path)")
        #expect(row.risks?.first == (line.reason ?? line.error)?.id)
      }
    }
  }

  @Test func `The page shows the image itself where a tag may be stale, and thumbnails elsewhere`()
    throws
  {
    let stale = try scratch.copy("conflict/thumbnail-tag-8.jpg")
    let rotated = try scratch.copy("sample/portrait.jpg")
    let bare = try scratch.copy("orientation/aligned-6.jpg")
    let untouched = try scratch.copy(uprightFixture)
    let arguments = ["audit", stale, rotated, bare, untouched, "--html", page]
    _ = try upright(arguments)
    let rows = try rows()
    #expect(rows.map { $0.rendition != nil } == [true, false, true, false])
    #expect(rows.map { $0.thumbnailImage != nil } == [false, true, false, false])
    for image in rows.compactMap({ $0.rendition ?? $0.thumbnailImage }) {
      #expect(image.starts(with: [0xFF, 0xD8, 0xFF]))
    }
    let original = Data(try scratch.read("sample/portrait.jpg"))
    #expect(original.firstRange(of: try #require(rows[1].thumbnailImage)) != nil)
  }

  @Test(arguments: ["none", "embedded"])
  func `--html-images selects the images of the page`(images: String) throws {
    let stale = try scratch.copy("conflict/thumbnail-tag-8.jpg")
    let bare = try scratch.copy("orientation/aligned-6.jpg")
    let arguments = ["audit", stale, bare, "--html-images", images]
    _ = try upright(arguments + ["--html", page])
    let rows = try rows()
    #expect(rows.allSatisfy { $0.rendition == nil })
    #expect(rows.map { $0.thumbnailImage != nil } == [images == "embedded", false])
    #expect(try upright(arguments).status == 64)
  }

  @Test func `The bytes of images are bounded`() throws {
    let bytes = try Fixture.bytes("sample/portrait.jpg")
    for number in 0..<700 { try scratch.write(bytes, to: "tree/\(number).jpg") }
    _ = try upright(["audit", scratch.path("tree"), "--html", page])
    let images = try rows().map { $0.thumbnailImage?.count ?? 0 }
    #expect(images.reduce(0, +) <= 5 << 18)
    #expect(images.first != 0 && images.last == 0)
  }

  @Test func `The page gives its command line and the paths of the files`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a b/two\nlines.jpg")
    _ = try upright(["audit", "--unaligned", "skip", file, "--html", page])
    let contents = try contents()
    #expect(contents.command.hasPrefix("upright audit --unaligned skip '"))
    #expect(contents.policies["--unaligned"] == "skip")
    #expect(contents.nonDefault == ["--unaligned": "skip"])
    #expect(contents.links.directory == scratch.path(""))
    let row = try #require(try rows().first)
    #expect(row.name == "two\\u{a}lines.jpg")
    #expect(row.raw?.hasSuffix("/a%20b/two%0Alines.jpg") == true)
  }

  @Test func `Names are not interpreted as markup`() throws {
    let name = "<!--</script><script>alert(1)</script>.jpg"
    try scratch.write(try Fixture.bytes(rotatedFixture), to: "tree/" + name)
    _ = try upright(["audit", scratch.path("tree/" + name), "--html", page])
    #expect(try !data().contains("<"))
    #expect(try rows().map(\.path) == [scratch.path("tree/" + name)])
  }

  @Test func `Only a page is replaced`() throws {
    let file = try scratch.copy(rotatedFixture)
    #expect(try upright(["audit", file, "--html", page]).status == 0)
    #expect(try rows().map(\.path) == [file])
    let other = try scratch.copy(uprightFixture)
    #expect(try upright(["audit", other, "--html", page]).status == 0)
    #expect(try rows().map(\.path) == [other])
    let photo = try scratch.read(rotatedFixture)
    let notes = try scratch.write(Array("notes".utf8), to: "notes.html")
    let result = try upright(["audit", other, "--html", notes])
    #expect(result.status == 2)
    #expect(result.errorText.hasPrefix("\(notes): cannot write: the file exists. "))
    #expect(try upright(["audit", other, "--html", file]).status == 64)
    #expect(try upright(["audit", file, "--html", file]).status == 64)
    #expect(try scratch.read(rotatedFixture) == photo)
    let nowhere = try upright(["audit", file, "--html", scratch.path("none/page.html")])
    #expect(nowhere.status == 2 && nowhere.output.isEmpty)
    #expect(try upright(["audit", file, "--html", "-"]).status == 64)
  }

  @Test func `An audit that is interrupted leaves no page`() throws {
    let script = """
      (while echo "$1"; do sleep 0.02; done) 2>/dev/null | "$0" audit --html "$2" --files-from - &
      sleep 0.7; kill -TERM $!; wait $!
      """
    let file = try scratch.copy(rotatedFixture)
    let result = try Tool.run("sh", ["-c", script, uprightBinary.path, file, page])
    #expect(result.status == 143)
    #expect(try scratch.files() == [rotatedFixture])
  }

  // What was done

  @Test func `A report has each photo as it was and is, its check, and the command that undoes it`()
    throws
  {
    let names = ["orientation/aligned-6.jpg", "orientation/aligned-2.jpg", uprightFixture]
    for name in names + ["conflict/thumbnail-tag-8.jpg"] {
      try scratch.copy(name, as: "tree/" + name)
    }
    let record = scratch.path("my record")
    let tree = scratch.path("tree")
    let arguments = ["normalize", "-r", tree, "--record", record, "--html", page]
    #expect(try upright(arguments).status == 1)
    let contents = try contents()
    #expect(contents.kind == "report" && contents.request == "normalize")
    #expect(contents.record == "'\(record)'")
    #expect(contents.undo?.command == "upright undo --record '\(record)'")
    let rows = Dictionary(uniqueKeysWithValues: try rows().map { ($0.name, $0) })
    #expect(rows.count == 4)
    #expect(rows["aligned-6.jpg"]?.before == 8)
    #expect(rows["aligned-2.jpg"]?.before == 2)
    for name in ["aligned-6.jpg", "aligned-2.jpg"] {
      let row = try #require(rows[name])
      #expect(row.disposition == "lossless" && row.proof == "restored" && row.orientation == 1)
      #expect(row.text?.contains("lossless") == true)
      #expect(row.rendition != nil || row.thumbnailImage != nil)
    }
    #expect(rows["thumbnail-tag-8.jpg"]?.decide == true)
    #expect(rows["thumbnail-tag-8.jpg"]?.before == nil)
    let first = try scratch.read("page.html")
    let undone = try upright(["undo", "--record", record, "--html", page])
    #expect(undone.errorText.contains("page-2.html: the page of this run; "))
    #expect(try scratch.read("page.html") == first)
    try scratch.write(scratch.read("page-2.html"), to: "page.html")
    #expect(try self.contents().request == "undo")
    #expect(try self.rows().map(\.disposition) == ["restored", "restored"])
    #expect(try self.rows().map(\.proof) == ["original", "original"])
  }

  @Test func `Commands of a report keep what its run keeps, and tell what decides`() throws {
    try scratch.copy("exif/orientation-9.jpg", as: "tree/a.jpg")
    try scratch.copy(uprightFixture, as: "tree/b.jpg")
    try scratch.write(Sidecars.packet(6), to: "tree/b.xmp")
    let (record, journal) = (scratch.path("record"), scratch.path("my journal"))
    let kept = ["--require-undo", "--record", record, "--journal", journal]
    let run = ["normalize", "-r", scratch.path("tree"), "--html", page]
    _ = try upright(run + kept + ["--sidecars", "report"])
    let contents = try contents()
    #expect(
      contents.safeguards
        == ["--require-undo", "--record", record, "--journal", "'\(journal)'"]
    )
    #expect(contents.nonDefault == ["--sidecars": "report"])
    let rows = try rows()
    #expect(rows.map(\.decide) == [true, true])
    #expect(rows.first?.remedies?.map(\.policy) == ["reset-invalid", nil])
    #expect(rows.last?.remedies?.map(\.action) == ["reset-sidecar", "correct-orientation"])
    #expect(rows.last?.sidecarOrientation == 6)
  }

  @Test func `The page names what is kept and may not fit, and what is not lossless`() throws {
    let photo = try scratch.copy("regions/subject-area-2.jpg", as: "tree/a.jpg")
    try scratch.copy("exif/thumbnail-unaligned.jpg", as: "tree/b.jpg")
    let tree = scratch.path("tree")
    let result = try upright(["normalize", "-r", tree, "--html", page])
    let rows = try rows()
    #expect(rows.first?.path == photo)
    #expect(rows.first?.misfits == ["subject areas in Exif"])
    #expect(rows.first?.risks?.contains("misfit") == true)
    #expect(rows.last?.misfits == nil && rows.last?.exceptions == ["thumbnail"])
    #expect(rows.map(\.disposition) == ["lossless", "lossless"])
    let summary = "2 files: 2 rotated (2 lossless, 1 of these except for the thumbnail)"
    #expect(result.lines.contains(summary), "\(result.text)")
  }

  @Test func `A report shows a rotation of the displayed image, and where its result is`() throws {
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    let out = scratch.path("out dir")
    _ = try upright(["rotate", "90", photo, "--output-dir", out, "--html", page])
    let row = try #require(try rows().first)
    #expect(row.before == 8)
    #expect(row.output == (out + "/a.jpg").replacing(" ", with: "%20"))
    #expect(try contents().undo?.command == nil)
    #expect(try contents().undo?.text == "The originals are where they were.")
    _ = try upright(["tag", "set", "3", photo, "--html", page])
    try scratch.write(scratch.read("page-2.html"), to: "page.html")
    let tagged = try #require(try rows().first)
    #expect(tagged.disposition == "tag" && tagged.before == 6 && tagged.orientation == 3)
    #expect(try contents().undo?.text.hasPrefix("Nothing was kept") == true)
  }

  @Test func `A report does not replace the page of an audit, and is not made of a dry run`() throws
  {
    let photo = try scratch.copy(rotatedFixture)
    _ = try upright(["audit", photo, "--html", page])
    let before = try scratch.read("page.html")
    for taken in [page, try scratch.write(Array("notes".utf8), to: "notes.html"), "/dev/full"] {
      #expect(try upright(["normalize", photo, "--html", taken]).status == 2)
    }
    #expect(try scratch.files().count == 3)
    #expect(try scratch.read("page.html") == before)
    let other = scratch.path("other.html")
    let dry = try upright(["normalize", "-n", photo, "--html", other])
    #expect(dry.status == 64 && dry.errorText.contains("upright audit --html"))
    #expect(try upright(["normalize", photo, "--html", other, "--record", other]).status == 64)
    #expect(try scratch.read(rotatedFixture) == Fixture.bytes(rotatedFixture))
  }

  @Test func `A run that is interrupted or continued says so on its page`() throws {
    for number in 0..<3 { try scratch.copy(rotatedFixture, as: "tree/\(number).jpg") }
    let script = """
      (while echo "$3/0.jpg" && echo "$3/1.jpg"; do sleep 0.02; done) 2>/dev/null |
        "$0" normalize --html "$2" --journal "$1" --files-from - &
      sleep 1.5; kill -TERM $!; wait $!
      """
    let journal = scratch.path("journal")
    let tree = scratch.path("tree")
    let result = try Tool.run("sh", ["-c", script, uprightBinary.path, journal, page, tree])
    #expect(result.status == 143)
    #expect(try contents().interrupted)
    #expect(try contents().earlierPage == nil)
    #expect(try rows().count == 2)
    _ = try upright(["normalize", "-r", tree, "--journal", journal, "--html", page])
    #expect(try contents().interrupted)
    try scratch.write(scratch.read("page-2.html"), to: "page.html")
    #expect(try !contents().interrupted)
    #expect(try contents().earlierPage == Earlier(name: "page.html", link: "./page.html"))
    #expect(try contents().earlier == 2)
    #expect(try rows().map(\.name) == ["2.jpg"])
  }

  @Test func `The page of a record has the photos of all its runs`() throws {
    for name in ["a/0.jpg", "b/1.jpg"] { try scratch.copy(rotatedFixture, as: "tree/" + name) }
    try scratch.copy("conflict/thumbnail-tag-8.jpg", as: "tree/a/stale.jpg")
    let tree = scratch.path("tree")
    let first = ["normalize", "-r", tree + "/a", "--record", scratch.path("record")]
    let second = ["normalize", "-r", tree, "--record", scratch.path("record")]
    #expect(try upright(first + ["--html", page]).status == 1)
    #expect(try contents().copied == 0 && contents().earlierRuns.isEmpty)
    _ = try Tool.run("chmod", ["640", page])
    let decided = try upright(second + ["--on-conflict", "trust-tag", "--html", page])
    #expect(decided.status == 0 && decided.errorText.isEmpty)
    #expect(try rows().prefix(2).map(\.disposition) == ["lossless", "skipped"])
    #expect(
      try rows().map { $0.path.dropFirst(tree.count + 1) }
        == ["a/0.jpg", "a/stale.jpg", "a/0.jpg", "a/stale.jpg", "b/1.jpg"]
    )
    #expect(try rows().dropFirst(2).map(\.disposition) == ["upright", "lossless", "lossless"])
    #expect(try contents().copied == 2 && contents().earlier == 0)
    #expect(try contents().links.directory != nil)
    // A third run has the rows of both.
    _ = try upright(second + ["--html", page])
    #expect(try contents().copied == 5 && rows().count == 8)
    #expect(try contents().earlierRuns.map { $0.command.contains("trust-tag") } == [false, true])
    #expect(try Tool.run("stat", ["-c", "%a", page]).text == "640\n")
    #expect(!scratch.exists("page-2.html"))
  }

  @Test(arguments: ["record", "request", "directory", "version"])
  func `A page of another record, request, directory or version is kept`(other: String) throws {
    let photo = try scratch.copy("orientation/aligned-6.jpg", as: "a.jpg")
    try scratch.copy(rotatedFixture, as: "below/a.jpg")
    let record = scratch.path("record")
    _ = try upright(["normalize", photo, "--record", record, "--html", page])
    if other == "version" {
      let text = String(decoding: try scratch.read("page.html"), as: UTF8.self)
      try scratch.write(Array(text.replacing("</style>", with: " </style>").utf8), to: "page.html")
    }
    let before = try scratch.read("page.html")
    let request = other == "request" ? ["rotate", "90"] : ["normalize"]
    let log = ["--record", other == "record" ? scratch.path("other") : record, "--html", page]
    let folder = other == "directory" ? scratch.path("below") : nil
    let result = try upright(request + [photo] + log, in: folder)
    #expect(result.status == 0)
    #expect(result.errorText.contains("page-2.html: the page of this run; "))
    #expect(try scratch.read("page.html") == before)
    // The next run of the same goes on with its own page.
    _ = try upright(request + [photo] + log, in: folder)
    #expect(!scratch.exists("page-3.html"))
    try scratch.write(scratch.read("page-2.html"), to: "page.html")
    #expect(try contents().copied == 1)
    #expect(try contents().earlierPage == Earlier(name: "page.html", link: "./page.html"))
  }
}

import Fixtures
import Foundation
import Testing

struct ReportTests {
  let scratch: Scratch

  /// The folder of a copy of all fixtures, lest a test that fails changes the originals.
  private let fixtures: String

  init() throws {
    scratch = try Scratch()
    for fixture in Fixture.all { try scratch.copy(fixture.path, as: "fixtures/" + fixture.path) }
    fixtures = scratch.path("fixtures")
  }

  private func fixture(_ path: String) throws -> Fixture {
    try #require(Fixture.all.first { path.hasSuffix("/" + $0.path) })
  }

  @Test(arguments: [["audit"], ["normalize", "-r", "--dry-run"]])
  func `Every line of NDJSON is an object with path and status`(command: [String]) throws {
    let lines = try upright(command + ["--format", "ndjson"] + [fixtures]).json()
    #expect(lines.count == Fixture.all.count)
    #expect(Set(lines.map(\.path)).count == lines.count)
    for line in lines {
      let fixture = try fixture(line.path)
      #expect(line.schema == "upright/2")
      #expect(
        ["already-upright", "unchanged", "planned", "skipped", "failed"].contains(line.status)
      )
      #expect((line.error != nil) == (line.status == "failed"))
      #expect((line.transform != nil) == (line.status == "planned"))
      guard line.status != "failed" else { continue }
      #expect(line.width == fixture.width)
      #expect(line.height == fixture.height)
      if fixture.expect == .lossless || fixture.expect == .reencoded {
        #expect(line.status == "planned")
        #expect(line.edges == fixture.expect.rawValue)
        #expect(line.transform == fixture.transform)
        #expect(line.orientation == fixture.orientation)
      } else if fixture.path != "exif/cut-before-orientation.jpg",
        // These show in the scans alone, which an audit does not read.
        fixture.expect != .damaged, fixture.path != "bad/no-eoi-upright.jpg",
        // What a thumbnail shows, too.
        !fixture.path.hasPrefix("conflict/content-")
      {
        #expect(line.reason?.id == fixture.reason)
      }
    }
  }

  @Test func `An audit and a dry run say the same`() throws {
    let audit = try upright(["audit", "--formats", "jpeg", "--format", "ndjson"] + [fixtures])
    let dryRun = try upright(["normalize", "-rn", "--format", "ndjson"] + [fixtures])
    #expect(try audit.json() == dryRun.json())
    #expect(audit.status == dryRun.status)
    #expect(audit.status == 2)
  }

  @Test func `The description lists the identifiers of notes`() throws {
    struct Description: Decodable {
      struct Term: Decodable { var name: String }
      var notes: [Term]
    }
    let json = Data(try upright(["describe"]).output)
    let known = Set(try JSONDecoder().decode(Description.self, from: json).notes.map(\.name))
    let lines = try upright(["normalize", "-rn", "--format", "ndjson"] + [fixtures]).json()
    let found = Set(lines.flatMap { $0.notes ?? [] }.map(\.id))
    #expect(!found.isEmpty && found.isSubset(of: known), "\(found.subtracting(known))")
  }

  @Test func `The description lists the columns of CSV in their order`() throws {
    struct Description: Decodable { var columns: [String] }
    let json = Data(try upright(["describe"]).output)
    let columns = try JSONDecoder().decode(Description.self, from: json).columns
    let photo = try scratch.copy(rotatedFixture)
    let rows = try upright(["audit", "--format", "csv", photo]).lines
    #expect(rows.first == columns.joined(separator: ","))
    #expect(Set(columns).count == columns.count)
  }

  @Test func `NDJSON, CSV and text agree on every file`() throws {
    let json = try upright(["normalize", "-rn", "--format", "ndjson"] + [fixtures])
    let text = try upright(["normalize", "-rnv"] + [fixtures])
    let csv = try upright(["normalize", "-rn", "--format", "csv"] + [fixtures]).text
    #expect(json.status == text.status)
    #expect(json.errorText.isEmpty)
    var words: [String: String] = [:]
    for line in text.lines + text.errorLines {
      guard let separator = line.firstRange(of: ".jpg: ") else { continue }
      words[line[..<separator.lowerBound] + ".jpg"] = String(line[separator.upperBound...])
    }
    for line in try json.json() {
      let said = try #require(words[line.path])
      switch line.status {
      case "already-upright": #expect(said == "already upright: " + (line.reason?.text ?? "?"))
      case "skipped": #expect(said == "skipped: " + (line.reason?.text ?? "?"))
      case "failed":
        let error = line.error?.text ?? "?"
        #expect(said == "error: " + error)
        #expect(csv.contains(error.replacing("\"", with: "\"\"")), "\(error)")
      default: #expect(said.contains("\(line.width ?? 0)×\(line.height ?? 0)"))
      }
    }
    let statuses = try Dictionary(grouping: json.json(), by: \.status).mapValues(\.count)
    let summary = try #require(
      text.lines.last { $0.contains(" files: ") && $0.first?.isNumber == true }
    )
    for (status, phrase) in [
      ("planned", "to rotate"), ("already-upright", "already upright"), ("skipped", "skipped"),
      ("failed", "failed"),
    ] {
      #expect(summary.contains("\(statuses[status] ?? 0) \(phrase)"))
    }
  }

  @Test func `Re-encoding is reported with the components that stay lossless`() throws {
    let file = try scratch.copy("sampling/420-luma-aligned.jpg", as: "photo.jpg")
    let arguments = ["normalize", "--format", "ndjson", file]
    let plan = try #require(try upright(arguments + ["--dry-run"]).json().first)
    let line = try #require(try upright(arguments).json().first)
    for line in [plan, line] {
      #expect(line.edges == "re-encoded")
      #expect(line.keptComponents == [0])
    }
    #expect(plan.redraw == nil && plan.verification == nil)
    #expect(line.verification == "restored")
    let redraw = try #require(line.redraw)
    #expect(try #require(redraw.psnr) > 34)
    #expect(redraw.sizeAfter > 0 && redraw.sizeBefore > 0)
  }

  @Test(arguments: ["trailer/motion-photo.jpg", unalignedFixture])
  func `The changes that are reported are those that were made`(path: String) throws {
    let file = try scratch.copy(path, as: "photo.jpg")
    let original = try scratch.read("photo.jpg")
    let result = try upright(["normalize", "--format", "ndjson", file])
    let line = try #require(try result.json().first)
    #expect(line.status == "normalized")
    let new = try scratch.read("photo.jpg")
    #expect(line.size == new.count)
    var (position, shift) = (0, 0)
    for change in try #require(line.changes) {
      let kept = original[position..<change.offset]
      #expect(kept.elementsEqual(new[position + shift..<change.offset + shift]))
      position = change.offset + change.oldLength
      shift += change.newLength - change.oldLength
    }
    #expect(original[position...].elementsEqual(new[(position + shift)...]))
  }

  @Test func `Names that are not UTF-8 keep the report valid`() throws {
    let names = ["two\nlines.jpg", "\u{1B}[31mred.jpg", "Grüße aus Köln.jpg", "quote\".jpg"]
    let files = try names.map { try scratch.copy(rotatedFixture, as: $0) }
    let json = try upright(["normalize", "-n", "--format", "ndjson"] + files)
    #expect(try json.json().map(\.path) == files)
    let text = try upright(["normalize", "-n"] + files)
    #expect(text.lines.count == files.count + 1)
    #expect(!text.text.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `Only the text format has a summary of a batch`() throws {
    let files = try [rotatedFixture, uprightFixture].map { try scratch.copy($0) }
    let text = try upright(["normalize"] + files)
    #expect(text.lines.last == "2 files: 1 rotated, 1 already upright")
    let json = try upright(["normalize", "--format", "ndjson"] + files)
    #expect(try json.json().map(\.status) == ["already-upright", "already-upright"])
  }

  @Test
  func `With --format ndjson and an image on standard output the report goes to standard error`()
    throws
  {
    let result = try upright(
      ["normalize", "-", "--format", "ndjson"],
      input: try Fixture.bytes(rotatedFixture)
    )
    #expect(result.output == (try normalized(rotatedFixture)))
    let line = try #require(result.errorLines.first)
    let report = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    #expect(report.path == "-")
    #expect(report.status == "normalized")
  }

  @Test func `Inspect shows the segments and every change`() throws {
    let result = try upright(["inspect", fixtures + "/sample/portrait.jpg"])
    #expect(result.status == 0)
    for word in [
      "480×320", "Orientation 6", "APP1", "Exif", "XMP", "ICC profile", "SOF0",
      "entropy-coded data",
      "exif.ifd0.orientation", "frame.dimensions", "scan.0",
    ] {
      #expect(result.text.contains(word), "\(word)")
    }
    let trailer = try upright(["inspect", fixtures + "/trailer/text.jpg"])
    #expect(trailer.text.contains("bytes after the image"))
    #expect(trailer.text.contains("fill"))
    #expect(try upright(["inspect", fixtures + "/bad/text.jpg"]).status == 2)
  }
}

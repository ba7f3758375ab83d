import Fixtures
import Foundation
import Testing

/// The audit of folders with images of several formats.
struct OtherFormatsTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Report: Decodable {
    struct Reason: Decodable { var id: String }
    struct Facts: Decodable { var format: String }

    var path: String
    var status: String
    var reason: Reason?
    var facts: Facts?
    var expectedName: String?
  }

  private func audit(_ arguments: String...) throws -> [String: Report] {
    let result = try upright(["audit", "--format", "ndjson"] + arguments)
    var reports: [String: Report] = [:]
    for line in result.lines {
      let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
      reports[URL(filePath: report.path).lastPathComponent] = report
    }
    return reports
  }

  private func fill() throws {
    for name in ["agree.heic", "exif-alone.heic", "big.tif"] {
      try scratch.copy("formats/\(name)", as: "in/\(name)")
    }
    try scratch.copy("orientation/aligned-6.jpg", as: "in/photo.heic")
    try scratch.copy("formats/exif.png", as: "in/photo.jpg")
    try scratch.copy("orientation/aligned-1.jpg", as: "in/upright.jpg")
    try scratch.copy("orientation/aligned-6.jpg", as: "in/tagged.jpg")
    try scratch.write([1, 2, 3], to: "in/clip.mp4")
  }

  @Test func `The totals of a folder name formats, contradictions and misleading names`() throws {
    try fill()
    let result = try upright(["audit", scratch.path("in")])
    #expect(result.status == 1)
    let line = try #require(result.lines.dropFirst().first)
    #expect(
      line
        == "1 JPEG upright · 1 JPEG to normalize · 1 HEIC agree · 1 HEIC contradict themselves"
        + " · 1 JPEG named .heic · 1 PNG named .jpg · 1 TIFF with Orientation 3"
    )
    #expect(result.lines.last?.contains("1 ignored (1 video)") == true)
  }

  @Test func `A file whose content is of another format is reported with its name`() throws {
    try fill()
    let reports = try audit(scratch.path("in"))
    #expect(reports["photo.heic"]?.expectedName == "photo.jpg")
    #expect(reports["photo.heic"]?.reason?.id == "misnamed")
    #expect(reports["photo.heic"]?.facts?.format == "jpeg")
    #expect(reports["photo.jpg"]?.expectedName == "photo.png")
    #expect(reports["photo.jpg"]?.status == "skipped")
    #expect(reports["agree.heic"]?.status == "unchanged")
    #expect(reports["tagged.jpg"]?.status == "planned")
    // Named, or with --all-names, commands process it.
    #expect(try audit(scratch.path("in/photo.heic"))["photo.heic"]?.status == "planned")
    #expect(try audit("--all-names", scratch.path("in"))["photo.heic"]?.status == "planned")
  }

  @Test func `--formats selects the formats`() throws {
    try fill()
    #expect(try audit("--formats", "tiff", scratch.path("in")).keys.sorted() == ["big.tif"])
    let reports = try audit("--formats", "jpeg", scratch.path("in"))
    #expect(reports.keys.sorted() == ["photo.jpg", "tagged.jpg", "upright.jpg"])
    #expect(reports["photo.jpg"]?.status == "failed")
    #expect(try upright(["audit", "--formats", "gif", scratch.path("in")]).status == 64)
  }

  @Test func `An audit of all formats writes nothing`() throws {
    try fill()
    let before = try scratch.read("in/exif-alone.heic")
    _ = try upright(["audit", "--deep", "--html", scratch.path("page.html"), scratch.path("in")])
    #expect(try scratch.read("in/exif-alone.heic") == before)
    let page = String(decoding: try scratch.read("page.html"), as: UTF8.self)
    #expect(page.contains("\"sampling\":\"HEIC\"") && page.contains("orientations-disagree"))
  }
}

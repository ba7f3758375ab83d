import Fixtures
import Foundation
import Testing

/// The comparison of image and thumbnail in `audit --deep` for files that are already upright.
struct ThumbnailAuditTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Report: Decodable {
    struct Facts: Decodable {
      var thumbnailTransform: String?
    }

    var status: String
    var facts: Facts
  }

  private func audit(_ arguments: String...) throws -> [Report] {
    let result = try upright(["audit", "--format", "ndjson"] + arguments)
    #expect(result.status == 0, "\(result.errorText)")
    return try result.lines.map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
  }

  @Test(arguments: [
    (2, "flip-horizontal"), (3, "rotate-180"), (4, "flip-vertical"), (5, "transpose"),
    (6, "rotate-90"), (7, "transverse"), (8, "rotate-270"),
  ])
  func `A thumbnail that was not rotated with its image is found`(
    orientation: Int,
    transform: String
  ) throws {
    let file = try scratch.copy("conflict/content-\(orientation).jpg", as: "photo.jpg")
    #expect(try upright(["tag", "set", "1", file]).status == 0)
    let before = try scratch.read("photo.jpg")
    let report = try #require(try audit("--deep", file).first)
    #expect(report.status == "already-upright")
    #expect(report.facts.thumbnailTransform == transform)
    #expect(try audit(file).first?.facts.thumbnailTransform == nil)
    let text = try upright(["audit", "--deep", file]).lines.joined()
    #expect(
      text.contains("the thumbnail shows the image in another orientation (")
    )
    let table = try upright(["audit", "--deep", "--format", "table", scratch.url.path])
    #expect(table.lines.contains { $0.contains("thumbnail in another orientation") })
    #expect(try scratch.read("photo.jpg") == before)
    #expect(try upright(["normalize", file]).status == 0)
    #expect(try scratch.read("photo.jpg") == before)
  }

  @Test func `A thumbnail that shows the image as it is, or none, is no finding`() throws {
    let file = try scratch.copy("conflict/content-6.jpg", as: "in/photo.jpg")
    #expect(try upright(["normalize", "--on-conflict", "trust-tag", file]).status == 0)
    try scratch.copy("exif/no-exif.jpg", as: "in/none.jpg")
    for name in ["orientation/aligned-1.jpg", "exif/thumbnail-unaligned.jpg"] {
      let copy = try scratch.copy(name, as: "in/\(name)")
      #expect(try upright(["normalize", copy]).status == 0)
    }
    let reports = try audit("--deep", scratch.path("in"))
    #expect(reports.count == 4)
    // The thumbnail of the first was rotated with its image, which was rotated before.
    #expect(reports.map(\.facts.thumbnailTransform).compactMap(\.self).count == 1)
  }
}

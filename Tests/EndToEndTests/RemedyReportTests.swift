import Fixtures
import Testing

/// The remedies in reports.
@Suite struct RemedyReportTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [
    ("conflict/content-6.jpg", [], 2),
    ("convention/phone-unaligned.jpg", ["--unaligned", "skip"], 2),
    ("convention/phone-unaligned.jpg", ["--unaligned", "fail"], 2),
    ("formats/exif-alone.heic", ["--formats", "all"], 2),
  ])
  func `Each remedy of a report is an option with which the file is changed`(
    fixture: String,
    options: [String],
    count: Int
  ) throws {
    let path = try scratch.copy(fixture)
    let command = ["normalize", "--dry-run", "--format", "ndjson", path]
    let report = try #require(try upright(command + options).json().first)
    let remedies = try #require((report.reason ?? report.error)?.remedies)
    #expect(remedies.count == count)
    // The last value of an option counts.
    for remedy in remedies {
      let option = ["--\(try #require(remedy.policy))", try #require(remedy.value)]
      let changed = try upright(command + options + option)
      #expect(changed.status == 0, "\(changed.text)")
      #expect(try changed.json().first?.status == "planned")
      let text = report.reason?.text ?? report.error?.text
      #expect(text?.contains("\(option[0]) \(option[1])") == true)
    }
  }

  @Test func `A limit and an action are remedies, too`() throws {
    let photo = try scratch.copy("conflict/content-6.jpg")
    let limited = try upright(["audit", "--format", "ndjson", "--max-pixels", "1", photo])
    #expect(try limited.json().first?.reason?.remedies?.map(\.limit) == ["max-pixels"])
    let image = try scratch.copy("formats/agree.heic", as: "a.jpg")
    let refused = try upright(["crop", "8x8+0+0", "--dry-run", "--format", "ndjson", image])
    #expect(try refused.json().first?.reason?.remedies?.map(\.action) == ["convert"])
  }
}

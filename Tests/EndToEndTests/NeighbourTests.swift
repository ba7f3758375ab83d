import Fixtures
import Foundation
import Testing

/// Files of other programs beside photos, as the command names and counts them.
struct NeighbourTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func photo(_ name: String) throws -> String {
    try scratch.copy(rotatedFixture, as: name)
  }

  private func text(_ content: String, _ name: String) throws {
    try scratch.write(Array(content.utf8), to: name)
  }

  @Test(arguments: ["AAE", "jgw", "xmp"])
  func `A companion that is made while the run goes on is seen`(ending: String) throws {
    // The first photos keep the only thread busy until the companion is there.
    for number in 10..<20 { _ = try photo("tree/\(number).jpg") }
    let photo = try photo("tree/z.jpg")
    let content = [
      "AAE": "adjustmentData", "jgw": String(decoding: Sidecars.worldFile, as: UTF8.self),
      "xmp": String(decoding: Sidecars.packet(6), as: UTF8.self),
    ]
    let record = scratch.path("record")
    let run = try Tool.run(
      uprightBinary,
      ["normalize", "-r", "-j1", "--record", record, "--format", "ndjson", scratch.path("tree")],
      environment: ["UPRIGHT_SLOW": "3000"],
      preloaded: SlowStorage.library
    ) { _ in
      for _ in 0..<10_000 where !scratch.exists("record") { Thread.sleep(forTimeInterval: 0.001) }
      _ = try? text(content[ending] ?? "", "tree/z.\(ending)")
    }
    let line = try #require(try run.json().first { $0.path == photo })
    switch ending {
    case "xmp": #expect(line.companion("z.xmp")?.done == true)
    case "jgw": #expect(line.companion("z.jgw")?.done == true)
    default: #expect(line.status == "skipped")
    }
  }

  @Test func `A file that may describe the stored image is named, also where the path is a name`()
    throws
  {
    let photo = try photo("set/images/a.jpg")
    try text("0 0.5 0.5 0.25 0.25\n", "set/labels/a.txt")
    for path in [photo, scratch.path("set")] {
      let audit = try upright(["audit", "-v", path])
      #expect((audit.text + audit.errorText).contains("the label file "))
    }
    let done = try upright(["normalize", "-v", "a.jpg"], in: scratch.path("set/images"))
    #expect(done.status == 0)
    #expect(done.text.contains("note: the label file "), "\(done.text)")
  }

  @Test func `A file that is not changed, or is a reason to skip the photo, is named`() throws {
    let photo = try photo("PXL_1.RAW-01.COVER.jpg")
    try text("", "PXL_1.RAW-02.ORIGINAL.dng")
    let rotated = try upright(["rotate", "90", photo]).text
    #expect(rotated.contains("the raw file") && rotated.contains("ORIGINAL.dng is not changed"))
    try text("<key>adjustmentData</key>", "PXL_1.RAW-01.COVER.AAE")
    let skipped = try upright(["rotate", "90", photo])
    #expect(skipped.status == 1)
    #expect(skipped.text.contains("--sidecars ignore"), "\(skipped.text)")
  }

  @Test func `Other files are counted by kind once, and listed on request`() throws {
    for name in ["a", "b", "c"] { _ = try photo("tree/\(name).jpg") }
    try text("0 0.5 0.5 0.25 0.25\n", "tree/a.txt")
    try text("<annotation><object><bndbox>", "tree/b.xml")
    try text("[Crop]\nEnabled=true\n", "tree/c.jpg.pp3")
    try text("[c.jpg]\nfaces=rect64(1),2;\n", "tree/.picasa.ini")
    let tree = scratch.path("tree")
    let counted =
      "files beside the photos that are not changed with them (-v lists them): "
      + "label file (2), edit of RawTherapee (1), list of faces of Picasa (1)"
    #expect(try upright(["audit", tree]).text.contains(counted))
    let audit = try upright(["audit", "-v", tree])
    #expect(audit.errorText.contains("a.jpg: the label file"))
    let lines = try upright(["audit", "--format", "ndjson", tree]).json()
    #expect(lines.map(\.companions?.count) == [1, 1, 2])
    #expect(lines.flatMap { $0.companions ?? [] }.allSatisfy { $0.reason == "may-be-outdated" })
    // The command alone would make the labels wrong.
    let check = try upright(["audit", "--check", tree])
    #expect(
      check.lines.last?.hasPrefix("to normalize them with their labels: python3 -m upright.yolo")
        == true
    )
    let done = try upright(["normalize", "-r", tree])
    #expect(done.text.contains(counted))
    #expect(!done.text.contains("note:"))
  }

  @Test func `A kept subject area is counted once, and named on request`() throws {
    let fixture = "regions/subject-area-2.jpg"
    let photo = try scratch.copy(fixture, as: "a.jpg")
    let result = try upright(["normalize", "-n", photo])
    #expect(!result.text.contains("note: kept, but they describe"))
    #expect(result.text.contains("subject areas in Exif in 1 file: --regions follow"))
    let verbose = try upright(["normalize", "-n", "-v", photo])
    #expect(verbose.text.contains("note: kept, but they describe"))
    let notes = try upright(["normalize", "-n", "--format", "ndjson", photo]).json().first?.notes?
      .map(\.text)
    #expect(notes?.contains { $0.contains("SubjectArea") } == true)
  }
}

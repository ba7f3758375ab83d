import Fixtures
import Foundation
import Testing

/// The audit of folders with images of several formats.
struct OtherFormatsTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Report: Decodable {
    struct Reason: Decodable { var id: String }

    var path: String
    var status: String
    var reason: Reason?
    var format: String?
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
    try scratch.write([1, 2, 3], to: "in/clip.avi")
  }

  @Test func `The totals of a folder name formats, contradictions and misleading names`() throws {
    try fill()
    let result = try upright(["audit", scratch.path("in")])
    #expect(result.status == 1)
    let start = try #require(result.lines.firstIndex { $0.hasPrefix("By format") })
    let table = result.lines[start...].prefix(5).map { $0.split(separator: " ").map(String.init) }
    #expect(
      table == [
        ["By", "format", "files", "upright", "tagged", "agree", "contradict", "misnamed"],
        ["JPEG", "3", "1", "1", "–", "–", "1"], ["HEIC", "2", "–", "–", "1", "1", "–"],
        ["PNG", "1", "–", "–", "–", "–", "1"], ["TIFF", "1", "–", "1", "–", "–", "–"],
      ]
    )
    #expect(result.lines.last?.contains("1 ignored (1 video)") == true)
  }

  @Test func `A file whose content is of another format is reported with its name`() throws {
    try fill()
    let reports = try audit(scratch.path("in"))
    #expect(reports["photo.heic"]?.expectedName == "photo.jpg")
    // Commands that take its name rewrite it, too.
    #expect(reports["photo.heic"]?.status == "planned")
    #expect(reports["photo.heic"]?.format == "jpeg")
    #expect(reports["photo.jpg"]?.expectedName == "photo.png")
    #expect(reports["photo.jpg"]?.status == "skipped")
    #expect(reports["agree.heic"]?.status == "unchanged")
    #expect(reports["tagged.jpg"]?.status == "planned")
    #expect(try audit(scratch.path("in/photo.heic"))["photo.heic"]?.status == "planned")
    #expect(try audit("--all-names", scratch.path("in"))["photo.heic"]?.status == "planned")
  }

  @Test func `All commands give one answer for a JPEG file with the name of another format`() throws
  {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    let names = ["a.heic", "b.TIFF", "c.png"]
    for name in names { try scratch.write(original, to: "in/\(name)") }
    try scratch.write(Array("text, not an image".utf8), to: "in/d.png")
    let record = scratch.path("record.ndjson")
    let folder = scratch.path("in")
    for name in names {
      let one = try audit(scratch.path("in/\(name)"))[name]
      #expect(one?.status == "planned" && one?.expectedName == "\(name.prefix(1)).jpg")
      #expect(try audit(folder)[name]?.status == "planned")
    }
    let row = try upright(["audit", scratch.path("in/a.heic")]).text
    #expect(row.contains("a.heic: rotate 90° clockwise"))
    #expect(row.contains("; the name should be a.jpg"))
    #expect(try upright(["audit", "--check"] + names.map { scratch.path("in/\($0)") }).status == 1)
    for formats in [[], ["--formats", "jpeg,heif"]] {
      let dry = try upright(["normalize", "-r", "--dry-run"] + formats + [folder])
      #expect(dry.text.contains("3 to rotate"))
    }
    let result = try upright(["normalize", "-v", "-r", "--record", record, folder])
    #expect(result.text.contains("note: the content is JPEG; the name should be a.jpg"))
    #expect(result.text.contains("1 ignored (1 image of another format: --formats)"))
    #expect(try upright(["audit", "--check"] + names.map { scratch.path("in/\($0)") }).status == 0)
    #expect(try upright(["undo", "-r", "--record", record, folder]).status == 0)
    for name in names { #expect(try scratch.read("in/\(name)") == original) }
  }

  @Test func `A file of no known format is named by what it is`() throws {
    try scratch.write(Array("text, not an image".utf8), to: "text.png")
    try scratch.write([66, 77, 90, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0], to: "bitmap.jpg")
    let text = try upright(["audit", scratch.url.path])
    #expect(text.text.contains("the file is not PNG: this is text"))
    #expect(text.text.contains("not a JPEG: this is a BMP image"))
    try scratch.write(Array("BMW owners and others".utf8), to: "bitmap.jpg")
    #expect(try upright(["audit", scratch.url.path]).text.contains("not a JPEG: this is text"))
  }

  @Test func `--formats selects the formats`() throws {
    try fill()
    #expect(try audit("--formats", "tiff", scratch.path("in")).keys.sorted() == ["big.tif"])
    let reports = try audit("--formats", "jpeg", scratch.path("in"))
    #expect(reports.keys.sorted() == ["photo.heic", "photo.jpg", "tagged.jpg", "upright.jpg"])
    let all = try audit("--formats", "all", scratch.path("in"))
    #expect(reports["photo.jpg"]?.status == all["photo.jpg"]?.status)
    #expect(try all.keys == audit(scratch.path("in")).keys)
    #expect(try upright(["audit", "--formats", "gif", scratch.path("in")]).status == 64)
  }

  /// The status and the reason of the only file.
  private func answer(_ arguments: [String]) throws -> [String?] {
    let result = try upright(arguments + ["--format", "ndjson"])
    let line = try #require(try result.json().first, "\(arguments): \(result.text)")
    return [line.status == "kept" ? "unchanged" : line.status, line.reason?.id, line.error?.id]
  }

  @Test(arguments: [
    "exif.png", "plain.png", "exif.webp", "plain.webp", "agree.jxl", "big-endian.tif",
    "digital-negative.dng", "rotated.avif",
  ])
  func `A file gets one answer, named or found, planned or done, whatever its name`(
    fixture: String
  ) throws {
    let ending = String(fixture.split(separator: ".")[1])
    for name in ["a.\(ending)", "a.jpeg"] {
      let folder = "\(name)-in"
      let file = try scratch.copy("formats/\(fixture)", as: "\(folder)/\(name)")
      let before = try scratch.read("\(folder)/\(name)")
      let tree = scratch.path(folder)
      let expected = try answer(["audit", file])
      #expect(expected.last == .some(nil))
      for arguments in [
        ["audit", tree], ["audit", "--formats", "jpeg", file], ["normalize", "-n", file],
        ["normalize", file], ["normalize", "-n", "-r", "--formats", "all", tree],
        ["normalize", "-r", "--formats", "all", tree],
      ] + (name == "a.jpeg" ? [["normalize", "-r", tree]] : []) {
        #expect(try answer(arguments) == expected, "\(arguments)")
      }
      guard ending != "avif" else { continue }
      for command in [
        ["rotate", "90"], ["flip", "horizontal"], ["transpose"], ["crop", "8x8+0+0", "-n"],
      ] {
        for arguments in [[file], ["-n", file], ["-r", "--formats", "all", tree]]
        where command.last != "-n" || arguments.first != "-n" {
          #expect(try answer(command + arguments) == ["skipped", "other-format", nil])
        }
      }
      let isTagged = ["png", "tif", "dng"].contains(ending)
      let rotation = try upright(["rotate", "90", file]).text
      #expect(rotation.contains("--tag-only") == isTagged)
      let tag = try answer(["rotate", "90", "--tag-only", "-n", file])
      #expect(tag == (isTagged ? ["planned", nil, nil] : ["skipped", "other-format", nil]))
      #expect(try scratch.read("\(folder)/\(name)") == before)
    }
  }

  @Test func `An audit of all formats writes nothing`() throws {
    try fill()
    let before = try scratch.read("in/exif-alone.heic")
    _ = try upright(["audit", "--deep", "--html", scratch.path("page.html"), scratch.path("in")])
    #expect(try scratch.read("in/exif-alone.heic") == before)
    let page = String(decoding: try scratch.read("page.html"), as: UTF8.self)
    #expect(page.contains("\"sampling\":\"HEIC\"") && page.contains("orientations-disagree"))
  }

  @Test func `A HEIC file whose statements agree is not changed; rotated, they agree again`() throws
  {
    let file = try scratch.copy("formats/agree.heic", as: "a.heic")
    let record = scratch.path("record.ndjson")
    for command in ["normalize", "audit"] {
      let result = try upright([command, file])
      #expect(result.status == 0)
      #expect(result.text.contains("irot and imir give 6, which readers of HEIC apply"))
    }
    #expect(try scratch.read("a.heic") == Fixture.bytes("formats/agree.heic"))
    #expect(try upright(["rotate", "90", "--record", record, file]).status == 0)
    let tags = try Tool.run("exiftool", ["-n", "-s3", "-Orientation", "-Rotation", file])
    #expect(tags.text == "3\n180\n")
    #expect(try upright(["undo", "--record", record], in: scratch.url.path).status == 0)
    #expect(try scratch.read("a.heic") == Fixture.bytes("formats/agree.heic"))
  }

  @Test func `The option for HEIC files whose statements disagree does what it is said to do`()
    throws
  {
    for (policy, tags) in [("trust-tag", "1\n270\n"), ("reset-tag", "1\n90\n")] {
      let file = try scratch.copy("formats/opposite.heic", as: "\(policy).heic")
      for command in ["normalize", "audit"] {
        let result = try upright([command, file])
        #expect(result.status == 1)
        #expect(result.text.contains("to change irot and imir: --on-conflict trust-tag; to set"))
      }
      #expect(try upright(["normalize", "--on-conflict", policy, file]).status == 0)
      let result = try Tool.run("exiftool", ["-n", "-s3", "-Orientation", "-Rotation", file])
      #expect(result.text == tags)
    }
  }

  @Test func `A structure that stops a change is named, without advice`() throws {
    let file = try scratch.copy("formats/shared.heic", as: "a.heic")
    let result = try upright(["rotate", "90", file])
    #expect(result.status == 1)
    #expect(result.text.contains("item 3 (hvc1) is another image"))
    #expect(try upright(["rotate", "90", "--dry-run", file]).text == result.text)
  }

  @Test func `In directories, commands that write take JPEG, and other formats on request`() throws
  {
    try scratch.copy("formats/opposite.heic", as: "in/a.heic")
    try scratch.copy("formats/rotated.avif", as: "in/b.avif")
    try scratch.copy("formats/exif-alone.heic", as: "in/c.heic")
    try scratch.copy("orientation/aligned-6.jpg", as: "in/d.jpg")
    try scratch.copy("formats/exif.png", as: "in/e.png")
    let arguments = ["normalize", "-r", "--format", "ndjson", scratch.path("in"), "--dry-run"]
    #expect(try upright(arguments).json().map { $0.path.suffix(5) } == ["d.jpg"])
    let record = scratch.path("record.ndjson")
    let formats = ["--formats", "jpeg,heif,avif", "--record", record]
    let reports = try upright(arguments.dropLast() + formats).json()
    let results = reports.map { "\($0.path.suffix(6)) \($0.status)" }
    #expect(
      results == ["a.heic skipped", "b.avif unchanged", "c.heic skipped", "/d.jpg normalized"]
    )
    let trusted = try upright(
      ["normalize", "--on-conflict", "trust-tag", "--record", record, scratch.path("in/c.heic")]
    )
    #expect(
      trusted.text.contains(
        "rotated 90° clockwise by irot and imir, no sample changed (96×64 → 64×96)"
      )
    )
    // The record says which names to look for.
    let undo = try upright(["undo", "-r", "--record", record, scratch.path("in")])
    #expect(undo.status == 0)
    #expect(try scratch.read("in/c.heic") == Fixture.bytes("formats/exif-alone.heic"))
    #expect(try scratch.read("in/b.avif") == Fixture.bytes("formats/rotated.avif"))
  }

  @Test func `The tag of PNG and TIFF is set and undone, and their pixels are not rotated`() throws
  {
    let record = scratch.path("record.ndjson")
    for name in ["exif.png", "big-endian.tif"] {
      let file = try scratch.copy("formats/\(name)", as: name)
      #expect(try upright(["tag", "set", "3", "--record", record, file]).status == 0)
      #expect(try upright(["tag", "get", file]).text == "3\n")
      #expect(try upright(["rotate", "90", "--tag-only", "--record", record, file]).status == 0)
      #expect(try Tool.run("exiftool", ["-n", "-s3", "-Orientation", file]).text == "8\n")
      let refused = try upright(["rotate", "90", file])
      #expect(refused.status == 1 && refused.text.contains("does not transform the pixels"))
      #expect(try upright(["undo", "--record", record, file]).status == 0)
      #expect(try scratch.read(name) == Fixture.bytes("formats/\(name)"))
    }
  }

  @Test func `Results name the displayed change, since nothing stored is rotated`() throws {
    let file = try scratch.copy("formats/agree.heic", as: "a.heic")
    let size = try Tool.run("exiftool", ["-n", "-s3", "-ImageWidth", "-ImageHeight", file]).lines
    let (stored, displayed) = (size.joined(separator: "×"), size.reversed().joined(separator: "×"))
    let plan = try upright(["rotate", "90", "--dry-run", file])
    let words = "by irot and imir, no sample change"
    #expect(plan.text.contains("rotate 90° clockwise \(words)s (\(displayed) → \(stored))"))
    let result = try upright(["rotate", "90", file])
    #expect(result.text.contains("rotated 90° clockwise \(words)d (\(displayed) → \(stored))"))
    // Of 96×64 coded pixels, 60×40 are displayed.
    let cropped = try upright(["rotate", "90", scratch.copy("heif/cropped.heic", as: "b.heic")])
    #expect(cropped.text.contains("\(words)d (40×60 → 60×40)"))
  }

  @Test func `Images of formats that are not taken are counted with the option that takes them`()
    throws
  {
    try fill()
    let result = try upright(["normalize", "-r", "--dry-run", scratch.path("in")])
    let summary = result.text + result.errorText
    #expect(summary.contains("images of other formats: --formats"))
    #expect(!summary.contains("--all-names"))
  }

  @Test func `Standard input may be a HEIC file, and no PNG file to rotate`() throws {
    let file = try Fixture.bytes("formats/agree.heic")
    let result = try upright(["rotate", "90", "-"], input: file)
    #expect(result.status == 0 && result.output.count == file.count)
    let path = try scratch.write(result.output, to: "b.heic")
    #expect(
      try Tool.run("exiftool", ["-n", "-s3", "-Orientation", "-Rotation", path]).text == "3\n180\n"
    )
    let tagged = try upright(
      ["tag", "set", "3", "-"],
      input: try Fixture.bytes("formats/exif.png")
    )
    let png = try scratch.write(tagged.output, to: "c.png")
    #expect(try Tool.run("exiftool", ["-n", "-s3", "-Orientation", png]).text == "3\n")
    let audit = try upright(["audit", "--format", "ndjson", "-"], input: file)
    #expect(audit.text.contains(#""format":"heic""#))
    let refused = try upright(["rotate", "90", "-"], input: try Fixture.bytes("formats/exif.png"))
    #expect(refused.status == 2 && refused.errorText.contains("not a JPEG"))
  }

  @Test func `The sidecar of a TIFF file is named, and not changed`() throws {
    let file = try scratch.copy("formats/big-endian.tif", as: "a.tif")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    let result = try upright(["tag", "set", "3", "--sidecars", "update", file])
    #expect(result.status == 0)
    #expect(result.text.contains("a.xmp is not changed with a TIFF file"))
    #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
  }

  @Test func `Other formats are compared, and proven by what was asked for`() throws {
    let file = try scratch.copy("formats/agree.heic", as: "a.heic")
    let original = try scratch.copy("formats/agree.heic", as: "b.heic")
    let record = scratch.path("record.ndjson")
    #expect(try upright(["rotate", "90", "--record", record, file]).status == 0)
    let result = try upright(["verify", original, file])
    #expect(result.status == 1)
    #expect(result.text.contains("wrong-transform: "))
    #expect(try upright(["verify", "--transform", "rotate-90", original, file]).status == 0)
    let recorded = try upright(["verify", "--record", record, file])
    #expect(recorded.status == 0)
    #expect(recorded.text.contains("proven: rotate 90° clockwise, all 3 items are the same"))
    let undo = try upright(["undo", "--dry-run", "--record", record, file])
    #expect(undo.status == 0 && undo.text.contains("can be restored, byte for byte"))
  }

  @Test func `Undo data is not put into files other than JPEG`() throws {
    let file = try scratch.copy("formats/agree.heic", as: "a.heic")
    let result = try upright(["rotate", "90", "--embed-undo", file])
    #expect(result.status == 1)
    #expect(result.text.contains("skipped: only a JPEG file can hold its undo data"))
    #expect(try upright(["crop", "10x10+0+0", "-o", scratch.path("b.heic"), file]).status == 1)
  }
}

import Fixtures
import Testing

struct MisfitTests {
  /// How the line on what is kept begins.
  private static let beginning =
    "kept, but may not fit the transformed image (--format text -v names the files): "

  @Test func `Every run counts what is kept and may not fit, before and after`() throws {
    let scratch = try Scratch()
    for name in ["subject-area-2", "box-microsoft-alone", "box-mwg-stored"] {
      try scratch.copy("regions/\(name).jpg", as: "photos/\(name).jpg")
    }
    try scratch.copy("registered/flir.jpg", as: "photos/flir.jpg")
    let photos = scratch.path("photos")
    let regions =
      "regions in 1 file: --regions follow; subject areas in Exif in 1 file: --regions follow"
    let line = "\(Self.beginning)\(regions)"
    let audit = try upright(["audit", photos])
    #expect(audit.lines.contains(line))
    #expect(audit.text.contains("1  data registered to the pixels"))
    let dry = try upright(["normalize", "-r", "--dry-run", photos])
    #expect(dry.lines.contains(line))
    let keep = ["normalize", "-r", "--registered-data", "keep", photos]
    let data = "\(line); registered data in 1 file: --registered-data skip"
    #expect(try upright(["audit", "--registered-data", "keep", photos]).lines.contains(data))
    #expect(try upright(keep + ["--dry-run"]).lines.contains(data))
    let kept = try upright(keep)
    #expect(kept.status == 0)
    let late = data.replacing(": --", with: ": undo, then --")
    #expect(kept.lines.contains(late))
    #expect(!(try upright(keep).text.contains("may not fit")))
  }

  @Test func `Previews and thumbnails that show the image as it was stored are counted`() throws {
    let scratch = try Scratch()
    try scratch.copy("registered/xmp-thumbnail.jpg", as: "photos/preview.jpg")
    try scratch.copy("thumbnail/broken.jpg", as: "photos/thumbnail.jpg")
    let photos = scratch.path("photos")
    let line = "\(Self.beginning)thumbnails or previews in"
    #expect(try upright(["audit", photos]).lines.contains("\(line) 1 file"))
    #expect(try upright(["rotate", "90", "-r", photos]).lines.contains("\(line) 2 files"))
  }

  @Test func `What is kept of the only file of a directory is counted, too`() throws {
    let scratch = try Scratch()
    let file = try scratch.copy("regions/subject-area-2.jpg", as: "photos/a.jpg")
    let line = "\(Self.beginning)subject areas in Exif in 1 file: --regions follow"
    let run = try upright(["normalize", "-r", "--dry-run", scratch.path("photos")])
    #expect(run.lines.contains(line))
    let named = try upright(["normalize", "--dry-run", file])
    #expect(named.lines.contains(line))
    #expect(!named.text.contains("note: "))
  }

  @Test func `After a rewrite, the note says that the option needs an undo first`() throws {
    let scratch = try Scratch()
    let file = try scratch.copy("regions/subject-area-2.jpg", as: "a.jpg")
    let advice = "(to transform them: --regions follow)"
    #expect(try upright(["normalize", "-v", "--dry-run", file]).text.contains(advice))
    #expect(
      try upright(["normalize", "-v", "--dry-run", "--deep", file]).text.contains(advice)
    )
    let late = try upright(["normalize", "-v", file])
    #expect(late.text.contains("(to transform them: undo, then --regions follow)"))
  }

  @Test func `A file with registered data is skipped, and partly proven if that is accepted`()
    throws
  {
    let scratch = try Scratch()
    try scratch.copy("registered/flir.jpg", as: "old.jpg")
    let (old, new) = (scratch.path("old.jpg"), scratch.path("new.jpg"))
    let skipped = try upright(["normalize", old, "-o", new])
    #expect(skipped.status == 1)
    #expect(skipped.text.contains("FLIR thermal data"))
    let keep = ["normalize", "--registered-data", "keep", "--overwrite", old, "-o", new]
    #expect(try upright(keep).status == 0)
    let rejected = try upright(["verify", old, new])
    #expect(rejected.status == 1)
    #expect(rejected.text.contains("registered-data: "))
    #expect(!rejected.text.contains(": proven"))
    let verified = try upright(["verify", "--registered-data", "keep", old, new])
    #expect(verified.status == 0)
    let fits = "coefficients are the same; no longer fits the image: FLIR thermal data"
    #expect(verified.lines.first?.contains(": partly proven: rotate 90° clockwise, all ") == true)
    #expect(verified.lines.first?.hasSuffix(fits) == true)
    #expect(try upright(["normalize", "--on-conflict", "reset-tag", old]).status == 1)
    #expect(try upright(["tag", "set", "1", old]).status == 0)
  }
}

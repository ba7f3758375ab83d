import Fixtures
import Foundation
import Testing

/// What the command says of mistakes.
@Suite struct MessageTests {
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(arguments: [
    (["nomalize", "a.jpg"], "Did you mean normalize?"),
    (["normalise", "a.jpg"], "Did you mean normalize?"),
    (["fix", "a.jpg"], "Unknown command fix. Did you mean normalize?"),
    (["autorotate", "a.jpg"], "Did you mean normalize?"),
    (["help", "auto-orient"], "Did you mean normalize?"),
    (["exiftran", "-ai", "a b.jpg"], "upright as exiftran -ai 'a b.jpg'"),
    (["normalize", "--lossless", "a.jpg"], "Did you mean '--lossless-only'?"),
    (["photo.jpg"], "upright normalize photo.jpg"),
    (["help", "nosuch"], "Unknown command nosuch"),
    (["tag", "1", "a b.jpg"], "upright tag set 1 'a b.jpg'"),
    (["tag", "right", "a.jpg"], "upright tag set right a.jpg"),
    (["tag", "a.jpg"], "upright tag get a.jpg"),
    (["crop", "200x150", "a.jpg"], "add the position, as in 200x150+0+0"),
    (["crop", "some", "a.jpg"], "as in 200x150+40+60"),
    (["audit", "--html", "a.jpg", "b"], "such as audit.html"),
    (["normalize", "--lossless-only", "--unaligned", "trim", "a.jpg"], "cannot be combined"),
  ])
  func `The message for a wrong command line gives a correct one`(
    arguments: [String],
    hint: String
  ) throws {
    let result = try upright(arguments)
    #expect(result.status == 64)
    #expect(result.errorText.contains(hint), "\(result.errorText)")
  }

  @Test func `A rotation is given in degrees either way, or as a direction`() throws {
    for (angle, transform) in [
      ("-90", "rotate-270"), ("left", "rotate-270"), ("right", "rotate-90"), ("-180", "rotate-180"),
    ] {
      let file = try scratch.copy(uprightFixture)
      let line = try upright(["rotate", angle, "-n", "--format", "ndjson", file]).json().first
      #expect(line?.transform == transform)
    }
  }

  @Test
  func `Photos that are skipped for their content credentials are summed up with the choices`()
    throws
  {
    for name in ["a", "b"] {
      try scratch.copy("credentials/c2pa.jpg", as: "photos/\(name).jpg")
    }
    func run(_ arguments: String...) throws -> Tool {
      try upright(["normalize", "-r", scratch.path("photos")] + arguments)
    }
    let text = try run().text
    #expect(
      text.contains(
        "2 files were skipped, because a change makes their C2PA content credentials invalid"
      )
    )
    #expect(
      text.contains("--content-credentials keep") && text.contains("--content-credentials strip")
    )
    #expect(try !run("--content-credentials", "keep").text.contains("were skipped"))
  }

  @Test func `Two inputs with one output name each other`() throws {
    for folder in ["a", "b"] { try scratch.copy(rotatedFixture, as: "\(folder)/photo.jpg") }
    let (first, second) = (scratch.path("a/photo.jpg"), scratch.path("b/photo.jpg"))
    let output = ["--output-dir", scratch.path("out")]
    let result = try upright(["normalize", "-r", scratch.path("a"), scratch.path("b")] + output)
    #expect(result.status == 2)
    let advice = "has the same output path. Use separate output directories."
    for (input, rival) in [(first, second), (second, first)] {
      #expect(result.errorLines.contains("\(input): error: not created: \(rival) \(advice)"))
    }
  }

  /// Whether mounts of our own can be made, where nobody else sees them.
  private static let canMount =
    (try? Tool.run("unshare", ["-m", "sh", "-c", "mount -t tmpfs none /mnt"]))?.status == 0

  @Test(
    .enabled(if: canMount, "needs the right to mount: run the tests as root"),
    arguments: [["--record", "full/new"], ["--output-dir", "full"]]
  )
  func `A full disk is said of what could not be written`(arguments: [String]) throws {
    try scratch.copy("sample/portrait.jpg", as: "a.jpg")
    try scratch.write([], to: "full/x")
    let script = """
      cd "$0" && mount -t tmpfs -o size=16k none full && : > full/new || exit 99
      dd if=/dev/zero of=full/x bs=4k count=9 2> /dev/null
      exec "$@"
      """
    let result = try Tool.run(
      "unshare",
      ["-m", "sh", "-c", script, scratch.url.path, uprightBinary.path, "normalize", "a.jpg"]
        + arguments
    )
    #expect(result.status == 2)
    let name = arguments[0] == "--record" ? "full/new: cannot append" : "full/a.jpg: not created"
    #expect(
      result.errorLines.contains { $0.hasPrefix("a.jpg: error: \(name): no space left") },
      "\(result.errorText)"
    )
    #expect(try scratch.read("a.jpg") == Fixture.bytes("sample/portrait.jpg"))
  }

  @Test(.enabled(if: canMount, "needs the right to mount: run the tests as root"))
  func `Arguments that cannot be read are an error`() throws {
    let script = "mount -t tmpfs none /proc && exec \"$0\" --version"
    let result = try Tool.run("unshare", ["-m", "sh", "-c", script, uprightBinary.path])
    #expect(result.status == 2 && result.text.isEmpty)
    #expect(result.errorLines == ["cannot read the arguments: /proc is not mounted"])
  }

  @Test func `A limit that is exceeded names its option`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    for option in ["--max-pixels", "--memory"] {
      let result = try upright(["normalize", file, option, option == "--memory" ? "0" : "9"])
      #expect(result.status == 1)
      #expect(result.text.contains(option), "\(result.text)")
    }
    let scans = try scratch.copy("coding/progressive.jpg", as: "b.jpg")
    let refused = try upright(["normalize", scans, "--max-scans", "2"])
    #expect(refused.text.contains("more than the limit of 2 (to raise the limit: --max-scans)"))
  }

  @Test func `inspect refuses a directory and names audit`() throws {
    try scratch.copy(uprightFixture, as: "tree/a.jpg")
    let result = try upright(["inspect", scratch.path("tree")])
    #expect(result.status == 2)
    #expect(result.errorText.contains("upright audit"))
  }

  /// The commands that write one file with `-o`, with their other arguments.
  private static let writing = [
    ["normalize"], ["rotate", "90"], ["transpose"], ["crop", "16x16+0+0"], ["tag", "set", "1"],
    ["tag", "remove"],
  ]

  @Test(arguments: writing)
  func `Advice on an output speaks of the output`(command: [String]) throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    _ = try scratch.write([], to: "folder/x")
    for (output, advice) in [
      ("folder", "the output is a directory. To write into it, use --output-dir."),
      ("none/x.jpg", "the directory of the output does not exist. Create it, or write elsewhere."),
      ("a.jpg/x.jpg", "a component of the output's path is not a directory. Write elsewhere."),
    ] {
      for extra in [[], ["--overwrite"], ["-n"]] {
        let result = try upright(command + [file, "-o", scratch.path(output)] + extra)
        #expect(result.status == 2)
        #expect(result.errorLines == ["\(file): error: not created: \(advice)"])
      }
    }
    let slash = try upright(command + [file, "-o", scratch.path("new") + "/"])
    #expect(slash.status == 64)
    #expect(slash.errorText.contains("use --output-dir"))
    #expect(try scratch.files() == ["a.jpg", "folder/x"])
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `Advice on a directory that is read names -r only if the command has it`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    let record = scratch.path("record")
    let folder = scratch.url.path
    _ = try upright(["normalize", file, "-o", scratch.path("b.jpg"), "--record", record])
    let undo = ["undo", "--record", record, scratch.path("b.jpg"), "-o"]
    let output = try upright(undo + [folder])
    #expect(output.status == 2)
    #expect(
      output.errorText.contains("the output is a directory. To write into it, use --output-dir.")
    )
    #expect(try upright(undo + [scratch.path("none/x")]).errorText.contains("the directory of the"))
    for arguments in [
      ["verify", file, folder], ["verify", folder, file], ["verify", "--record", folder, file],
      ["undo", "--record", folder, file], ["audit", "--files-from", folder],
      ["audit", file, "--html", folder], ["normalize", file, "--record", folder],
    ] {
      let result = try upright(arguments)
      #expect(result.status == 2, "\(arguments)")
      let text = result.text + result.errorText
      #expect(text.contains("it is a directory. Name a file in it."), "\(text)")
    }
    #expect(
      try upright(["normalize", folder]).errorText.contains("To search directories, use -r.")
    )
  }

  @Test func `Options are named by the command, and not where there are none`() throws {
    let file = try scratch.copy("unaligned/17x13-tag-6.jpg")
    let own = try upright(["normalize", "--lossless-only", file, "--format", "ndjson"])
    #expect(
      own.text.contains("(to re-encode the affected components: --unaligned redraw"),
      "\(own.text)"
    )
    let other = try upright(["as", "jpegtran", "-perfect", "-rotate", "90", file])
    #expect(other.status != 0)
    #expect(!other.errorText.contains("--"), "\(other.errorText)")
    let stale = try scratch.copy("conflict/dimensions-tag-6.jpg")
    let skipped = try upright(["as", "jhead", "-autorot", stale])
    #expect(skipped.errorText.contains("stale Orientation tag"), "\(skipped.errorText)")
    // What decides it is a command of Upright.
    #expect(skipped.errorText.contains("upright normalize"), "\(skipped.errorText)")
    // A note of the verification with the identifier of a reason.
    let preview = try scratch.copy("registered/app2-preview.jpg")
    _ = try upright(["normalize", preview, "-o", scratch.path("result.jpg")])
    let verified = try upright(["verify", preview, scratch.path("result.jpg")])
    #expect(verified.text.contains("preview in an APP2 segment (byte"), "\(verified.text)")
  }

  @Test func `An undo of files that were moved says how to find them`() throws {
    let (record, file) = (scratch.path("record"), try scratch.copy(rotatedFixture, as: "a.jpg"))
    _ = try upright(["normalize", "--record", record, file])
    _ = try Tool.run("mv", [file, scratch.path("b.jpg")])
    let result = try upright(["undo", "--record", record], in: scratch.url.path)
    #expect(result.status == 2)
    #expect(
      result.errorText.contains(
        "To restore a file that was moved, use upright undo --record RECORD FILE"
      )
    )
  }

  @Test func `A failure is printed once, also with a table and with --quiet`() throws {
    try scratch.copy("bad/png-header.jpg", as: "tree/a.jpg")
    let tree = scratch.path("tree")
    for (arguments, isError) in [([], false), (["-q"], true), (["-q", "--format", "text"], true)] {
      let result = try upright(["audit", "--formats", "jpeg", tree] + arguments)
      #expect(result.status == 2)
      #expect(result.errorText.contains("the PNG file ends before its image") == isError)
      #expect(result.text.contains("the PNG file ends before its image") != isError)
    }
  }

  @Test func `A record without undo data is reported for one file and for many, and is a finding`()
    throws
  {
    let record = scratch.path("record")
    for count in [1, 2] {
      let files = try (0..<count).map { try scratch.copy(rotatedFixture, as: "\($0).jpg") }
      let result = try upright(["normalize", "--no-verify", "--record", record] + files)
      #expect(result.status == 1)
      let lines = result.lines.filter { $0.contains("there is no undo data") }
      #expect(lines.count == count)
    }
  }

  @Test func `Ignored files are counted with the option that includes them`() throws {
    for name in ["a.jpg", ".hidden/b.jpg", "a.jpg_original"] {
      try scratch.copy(uprightFixture, as: "tree/" + name)
    }
    try scratch.write([1], to: "tree/notes.txt")
    let result = try upright(["audit", "-r", scratch.path("tree")])
    let summary = try #require(result.lines.last)
    for part in [
      "1 hidden folder: --hidden", "1 backup: processed if named",
      "1 file with another name: --all-names",
    ] {
      #expect(summary.contains(part), "\(summary)")
    }
  }

  @Test func `Commands that write walk directories only when asked to`() throws {
    try scratch.copy(rotatedFixture, as: "tree/a.jpg")
    let (tree, record) = (scratch.path("tree"), scratch.path("record"))
    for reading in [["audit", tree], ["tag", "get", tree], ["verify", tree, tree]] {
      #expect(try upright(reading + ["-r"]).text == upright(reading).text)
      #expect(try upright(reading + ["-r"]).status != 64)
    }
    #expect(try upright(["normalize", tree]).status == 2)
    #expect(try upright(["normalize", "-r", "--record", record, tree]).status == 0)
    #expect(try upright(["undo", "--record", record, tree]).status == 64)
    #expect(try upright(["undo", "-r", "--record", record, tree]).status == 0)
  }

  @Test func `A check names the files that fail, and the command that normalizes them`() throws {
    try scratch.copy(rotatedFixture, as: "a tree/a.jpg")
    try scratch.copy(uprightFixture, as: "a tree/b.jpg")
    let tree = scratch.path("a tree")
    let result = try upright(["audit", "--check", tree])
    #expect(result.status == 1)
    #expect(
      result.lines == [
        "\(tree)/a.jpg: rotate 90° clockwise, lossless (96×64 → 64×96)",
        "2 files: 1 to rotate, 1 already upright",
        "to normalize them: upright normalize -r '\(tree)'",
      ]
    )
    _ = try upright(["normalize", "-r", tree])
    let done = try upright(["audit", "--check", tree])
    #expect(done.status == 0)
    #expect(done.lines == ["2 files: 2 already upright"])
  }

  @Test func `A check of a directory without photos fails, also beside one that has some`() throws {
    try scratch.copy(uprightFixture, as: "photos/a.jpg")
    try scratch.write(Array("none".utf8), to: "texts/a.txt")
    let (photos, texts) = (scratch.path("photos"), scratch.path("texts"))
    for arguments in [
      [texts], [photos, texts], ["--all-names", texts], ["--format", "json", texts],
    ] {
      let check = try upright(["audit", "--check"] + arguments)
      #expect(check.status == 2)
      #expect(check.errorText.hasPrefix("\(texts): no photo was found\n"), "\(arguments)")
    }
    let filtered = try upright(["audit", "--check", "--include", "*.png", photos])
    #expect(filtered.status == 2)
    #expect(try upright(["audit", "--check", photos]).status == 0)
    #expect(try upright(["audit", texts]).status == 0)
    // Hooks check the files of a change, which may have no photos.
    try scratch.write([], to: "list")
    let list = try upright(["audit", "--check", "--files-from", scratch.path("list")])
    #expect(list.status == 0)
  }

  @Test func `A dry run says that it read only headers, and a deep one finds more`() throws {
    let file = try scratch.copy("bad/garbled-scan.jpg", as: "a.jpg")
    let before = try scratch.read("a.jpg")
    for command in [["audit"], ["normalize", "-n"]] {
      let plan = try upright(command + [file])
      #expect(plan.status == 0)
      #expect(plan.errorText.contains("only headers were read") == (command != ["audit"]))
      let deep = try upright(command + ["--deep", file])
      #expect(deep.status == 2)
      #expect((deep.text + deep.errorText).contains("error: the scan data is damaged"))
      #expect(!deep.errorText.contains("only headers were read"))
    }
    #expect(try upright(["normalize", file]).status == 2)
    // What just failed is not recommended again.
    let check = try upright(["audit", "--check", file])
    #expect(check.status == 2)
    #expect(!check.text.contains("to normalize them"))
    #expect(try upright(["normalize", "--deep", file]).status == 64)
    #expect(try scratch.read("a.jpg") == before)
  }

  @Test func `A result names the images that are not lossless`() throws {
    let file = try scratch.copy("thumbnail/unaligned.jpg", as: "a.jpg")
    #expect(
      try upright(["normalize", "-n", file]).text.contains(
        "lossless except for the thumbnail (would be re-encoded)"
      )
    )
    #expect(try upright(["normalize", "--lossless-only", file]).status == 1)
    #expect(
      try upright(["normalize", file]).text.contains(
        "lossless except for the thumbnail (re-encoded)"
      )
    )
  }

  @Test func `Standard input is audited, and several files are inspected`() throws {
    let audit = try upright(["audit", "-"], input: try Fixture.bytes(rotatedFixture))
    #expect(audit.text.contains("-: rotate 90° clockwise"))
    let files = [try scratch.copy(rotatedFixture), try scratch.copy(uprightFixture)]
    #expect(try upright(["inspect"] + files).lines.filter { $0 == "Segments" }.count == 2)
    let json = try upright(["inspect", "--format", "json"] + files)
    #expect(json.text.contains("\"schema\":\"upright-inspect/2\""))
    #expect(json.text.contains("\"marker\":\"SOI\""))
  }

  @Test func `Help has common options first, examples last, and no option without effect`() throws {
    for command in ["normalize", "rotate", "crop", "tag set", "audit", "undo"] {
      let words = command.split(separator: " ").map(String.init)
      let help = try upright(["help"] + words).lines
      let headings = help.filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
      #expect(headings.last { $0 != "EXAMPLES:" } == "ADVANCED:", "\(headings)")
    }
    #expect(
      try upright(["help", "normalize"]).lines.last
        == "  upright normalize - < photo.jpg > upright.jpg"
    )
    for (command, option) in [
      ("rotate", "--on-conflict"), ("crop", "--record"), ("crop", "--require-undo"),
    ] {
      #expect(try !upright(["help", command]).text.contains("  \(option)"))
    }
    #expect(try !upright(["help", "tag", "set"]).text.contains("--unaligned"))
  }

  @Test func `With --lossless-only a file that would be re-encoded keeps its tag`() throws {
    let file = try scratch.copy(unalignedFixture, as: "a.jpg")
    #expect(try upright(["audit", file]).text.contains("would be re-encoded"))
    #expect(try upright(["normalize", "--lossless-only", file]).status == 1)
    #expect(try scratch.read("a.jpg") == Fixture.bytes(unalignedFixture))
    let other = try scratch.copy(rotatedFixture, as: "b.jpg")
    let result = try upright(["normalize", file, other])
    let summary = try #require(result.lines.last)
    #expect(summary.hasPrefix("2 files: 2 rotated (1 lossless, 1 re-encoded: "), "\(summary)")
    #expect(result.lines.contains { $0.contains(", re-encoded: ") && $0.contains(" dB") })
  }
}

import Fixtures
import Testing

struct StatusTests {
  @Test(
    arguments: [
      ([rotatedFixture], 0), ([uprightFixture], 0), (["exif/no-exif.jpg"], 0),
      ([rotatedFixture, unalignedFixture], 0), ([rotatedFixture, skippedFixture], 1),
      ([skippedFixture], 1),
      (["conflict/thumbnail-tag-8.jpg", uprightFixture], 1), ([damagedFixture], 2),
      ([skippedFixture, "bad/text.jpg", rotatedFixture], 2), (["no-such-file.jpg"], 2),
    ] as [([String], Int32)]
  )
  func `The exit status is that of the worst file`(fixtures: [String], status: Int32) throws {
    let scratch = try Scratch()
    let files = try fixtures.map {
      $0 == "no-such-file.jpg" ? scratch.path($0) : try scratch.copy($0)
    }
    #expect(try upright(["normalize"] + files).status == status)
  }

  @Test(arguments: Effort.part(Fixture.all, of: 0))
  func `The exit status is that of the manifest`(fixture: Fixture) throws {
    let result = try upright(["normalize", "-"], input: try fixture.bytes())
    let status: Int32 =
      switch fixture.expect {
      case .unchanged, .lossless, .reencoded: 0
      case .refused, .conflict: 1
      case .damaged, .notJPEG: 2
      }
    #expect(result.status == status)
  }

  @Test func `An upright image that cannot be checked is named in a walk, too`() throws {
    let scratch = try Scratch()
    let file = scratch.path("a.jpg")
    try scratch.write(try Fixture.bytes("coding/arithmetic.jpg"), to: "a.jpg")
    #expect(try upright(["tag", "set", "1", file]).status == 0)
    let lines = ["\(file): already upright", "  note: the image was not checked: "]
    for (arguments, count) in [
      (["--check-unchanged"], 2), (["--check-unchanged", "-q"], 0), ([], 0),
    ] {
      let result = try upright(["normalize", "-r", scratch.path("")] + arguments)
      #expect(result.status == 0)
      let found = result.text.split(separator: "\n")
      #expect(zip(found, lines.prefix(count)).allSatisfy { $0.hasPrefix($1) }, "\(found)")
      #expect(result.text.contains("not checked") == (count > 0))
    }
  }

  @Test func `Damage after the header of an upright file is found on request`() throws {
    let scratch = try Scratch()
    var bytes = try Fixture.bytes(uprightFixture)
    let file = scratch.path("whole.jpg")
    try scratch.write(bytes, to: "whole.jpg")
    #expect(try upright(["normalize", "--check-unchanged", file]).status == 0)
    // A part of the scan is missing, and the marker at its end is there.
    bytes.removeSubrange(bytes.count - 400..<bytes.count - 200)
    let damaged = scratch.path("damaged.jpg")
    try scratch.write(bytes, to: "damaged.jpg")
    #expect(try upright(["normalize", damaged]).status == 0)
    for arguments in [
      ["normalize"], ["normalize", "-n"], ["normalize", "-o", scratch.path("out.jpg")],
    ] {
      let result = try upright(arguments + ["--check-unchanged", damaged])
      #expect(result.status == 2)
      #expect(result.errorText.contains("damaged"))
    }
    #expect(try scratch.files() == ["damaged.jpg", "whole.jpg"])
    #expect(try scratch.read("damaged.jpg") == bytes)
  }

  @Test(arguments: [
    [], ["normalize"], ["audit"], ["inspect"], ["frobnicate"], ["normalize", "--bogus", "a.jpg"],
    ["normalize", "a.jpg", "--unaligned", "guess"], ["normalize", "a.jpg", "--format", "xml"],
    ["normalize", "a.jpg", "b.jpg", "-o", "c.jpg"], ["normalize", "-", "a.jpg"],
    ["normalize", "a.jpg", "-o", "b.jpg", "--output-dir", "c"],
    ["normalize", "-", "--output-dir", "c"], ["normalize", "a.jpg", "--max-pixels", "many"],
    ["inspect", "--format", "json", "--record", "b", "a.jpg"],
  ])
  func `Wrong usage is status 64 with a message on standard error`(arguments: [String]) throws {
    // Without a subcommand there is help, which is no mistake.
    let result = try upright(arguments)
    #expect(result.status == (arguments.isEmpty ? 0 : 64))
    #expect(result.errorText.isEmpty == arguments.isEmpty)
    #expect(result.output.isEmpty != arguments.isEmpty)
  }

  @Test(arguments: [
    (uprightFixture, "already upright: Orientation is 1"),
    ("exif/no-exif.jpg", "already upright: there is no Orientation tag"),
    (skippedFixture, "skipped: Orientation is 9"),
    (
      "exif/two-segments-differing.jpg",
      "skipped: the file's Orientation tags contradict each other: 6 and 1"
    ),
    ("conflict/dimensions-tag-6.jpg", "skipped: stale Orientation tag suspected"),
    ("coding/arithmetic.jpg", "skipped: the image is arithmetic-coded"),
  ])
  func `The reason why a file is not transformed is on standard output`(
    fixture: String,
    message: String
  ) throws {
    let scratch = try Scratch()
    let file = try scratch.copy(fixture)
    let result = try upright(["normalize", file])
    #expect(result.text.hasPrefix("\(file): \(message)"))
    #expect(result.lines.count == 1)
    #expect(result.errorText.isEmpty)
  }

  @Test(arguments: [
    ("bad/empty.jpg", "error: the file is empty"),
    ("bad/text.jpg", "error: not a JPEG: this is text"),
    ("bad/png-header.jpg", "error: the PNG file ends before its image"),
    (damagedFixture, "error: the file ends before the end of the image"),
    ("bad/cut-in-exif.jpg", "error: "),
    ("bad/garbled-scan.jpg", "error: the scan data is damaged"),
  ])
  func `The reason why a file fails is on standard error`(
    fixture: String,
    message: String
  ) throws {
    let scratch = try Scratch()
    let file = try scratch.copy(fixture)
    let result = try upright(["normalize", file])
    #expect(result.errorText.hasPrefix("\(file): \(message)"))
    #expect(result.errorLines.count == 1)
    #expect(result.output.isEmpty)
    #expect(try upright(["normalize", "-q", file]).errorText == result.errorText)
  }

  @Test func `Quiet prints only failures`() throws {
    let scratch = try Scratch()
    let files = try [rotatedFixture, uprightFixture, skippedFixture].map { try scratch.copy($0) }
    for format in ["text", "ndjson"] {
      let result = try upright(["normalize", "-q", "--format", format] + files)
      #expect(result.status == 1)
      #expect(result.output.isEmpty && result.errorOutput.isEmpty)
    }
    let failing = try scratch.copy(damagedFixture)
    let result = try upright(["normalize", "-q", "--format", "ndjson"] + files + [failing])
    #expect(result.status == 2)
    #expect(try result.json().map(\.status) == ["failed"])
  }

  @Test(arguments: [
    (
      "normalize",
      [
        "--output", "--output-dir", "--recursive", "--overwrite", "--dry-run", "--unaligned",
        "--redraw-quality", "--regions", "--content-credentials", "--hard-links", "--sidecars",
        "--verify", "--on-conflict", "--max-pixels", "--format", "--quiet", "--verbose",
      ]
    ),
    (
      "audit",
      [
        "--unaligned", "--on-conflict", "--max-pixels", "--format", "--quiet",
      ]
    ),
    ("inspect", ["--unaligned", "--on-conflict", "--max-pixels"]),
  ])
  func `Help lists the options of a command, and the program every command`(
    command: String,
    options: [String]
  ) throws {
    let help = try upright([command, "--help"])
    #expect(help.status == 0)
    let words = Set(help.text.split { !($0.isLetter || $0 == "-") }.map(String.init))
    #expect(words.isSuperset(of: options), "\(Set(options).subtracting(words))")
    #expect(try upright(["--help"]).text.contains("\n  \(command) "))
  }

  @Test func `Help gives no default that depends on the machine`() throws {
    for command in ["normalize", "audit", "convert", "undo", "verify", "serve"] {
      let help = try upright([command, "--help"]).text.replacing(/\s+/, with: " ")
      #expect(!help.contains(/--jobs <count>[^-]*\(default: [0-9]/), "\(command)")
      #expect(!help.contains("536870912"), "\(command)")
    }
  }

  @Test func `With -h a command lists ten everyday options, each on one line`() throws {
    let brief = try upright(["normalize", "-h"])
    #expect(brief.status == 0)
    let options = brief.lines.filter { $0.hasPrefix("  -") }
    #expect(
      options.map { $0.split { $0 == " " || $0 == "," }.first { $0.hasPrefix("--") } ?? "" } == [
        "--recursive", "--dry-run", "--output", "--output-dir", "--record", "--backup",
        "--on-conflict", "--lossless-only", "--quiet", "--verbose",
      ]
    )
    #expect(brief.lines.last == "All options: upright normalize --help")
    let manuals = ["normalize": "upright-normalize", "tag set": "upright-tag-set"]
    for (words, manual) in manuals {
      let help = try upright(words.split(separator: " ").map(String.init) + ["--help"])
      #expect(help.lines.contains("More: man \(manual)"))
    }
    for words in ["audit", "undo", "crop", "verify", "convert", "tag set"] {
      let lines = try upright(words.split(separator: " ").map(String.init) + ["-h"]).lines
      #expect((3...16).contains(lines.count), "\(words): \(lines.count)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    }
    #expect(try upright(["-h"]).text == upright(["--help"]).text)
  }

  @Test func `Values and defaults are in the help once, and what has no effect is not`() throws {
    for words in ["normalize", "audit", "crop", "verify", "tag get"] {
      let help = try upright(["help"] + words.split(separator: " ").map(String.init)).text
      let text = help.split { $0.isWhitespace }.joined(separator: " ")
      for part in text.split(separator: "(values: ").dropFirst() {
        let values = part.prefix { $0 != ";" && $0 != ")" }
        #expect(!text.contains("(\(values.prefix { $0 != "," }))"), "\(words): \(values)")
      }
      #expect(help.contains("--recursive") == (words == "normalize" || words == "crop"))
    }
    let normalize = try upright(["help", "normalize"]).text
    for option in ["--no-verify", "--max-scans", "--max-bytes", "--shard", "--deep"] {
      #expect(!normalize.contains(option))
    }
    let scratch = try Scratch()
    let photo = try scratch.copy(rotatedFixture)
    #expect(
      try upright(["normalize", "-n", "--deep", "--no-verify", "--max-scans", "9", photo]).status
        == 0
    )
  }

  @Test func `The version is a number`() throws {
    let result = try upright(["--version"])
    #expect(result.status == 0)
    #expect(result.text.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
  }
}

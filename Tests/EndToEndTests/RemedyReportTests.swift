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

  /// Commands with arguments by which as many files as possible are skipped or fail.
  private static let commands: [[String]] = [
    ["audit"], ["audit", "--formats", "all", "--lossless-only"],
    ["normalize"], ["normalize", "--unaligned", "fail", "--formats", "all"],
    ["normalize", "--max-pixels", "1"], ["normalize", "--memory", "0"],
    ["normalize", "--max-bytes", "1"], ["normalize", "--sidecars", "report"],
    ["rotate", "90", "--formats", "all"], ["rotate", "90", "--tag-only", "--sidecars", "report"],
    ["rotate", "90", "--lossless-only"], ["flip", "vertical"], ["transpose"], ["transverse"],
    ["crop", "8x8+0+0"], ["crop", "9x9+3+3", "--lossless-only", "--sidecars", "report"],
    ["tag", "set", "6", "--formats", "all"], ["tag", "set", "3", "--sidecars", "report"],
    ["tag", "remove", "--max-bytes", "1"], ["undo"],
  ]

  /// Commands with little advice, because they take few policies.
  private static let others: [[String]] = [
    ["tag", "get"], ["tag", "get", "--max-bytes", "1"], ["convert"],
    ["convert", "--max-pixels", "1"],
  ]

  @Test(arguments: commands)
  func `Each option in the advice of a command is one of the command that it names, or of its own`(
    arguments: [String]
  ) throws {
    let result = try upright(arguments + ["-v", "--format", "text"] + files(arguments))
    #expect(try advice(in: result.text + result.errorText, of: arguments) > 0)
  }

  @Test(arguments: commands + others)
  func `Each remedy in the reports of a command is an option of it, or an action`(
    arguments: [String]
  ) throws {
    let (command, known) = try options(arguments)
    let options = try #require(known[command])
    let result = try upright(arguments + ["--format", "ndjson"] + files(arguments))
    let reports = try result.json()
    #expect(!reports.isEmpty)
    for report in reports {
      let all =
        [report.reason?.remedies, report.error?.remedies] + (report.notes ?? []).map(\.remedies)
        + (report.companions ?? []).map(\.remedies)
      for remedy in all.compactMap(\.self).joined() where remedy.action == nil {
        let name = try #require(remedy.policy ?? remedy.limit)
        #expect(options.contains(name), "\(report.path): \(remedy)")
      }
    }
    _ = try advice(in: result.text, of: arguments)
  }

  /// Expects that advice names only options of the command in arguments, or of the command that it names.
  ///
  /// - Returns: The number of pieces of advice.
  private func advice(in text: String, of arguments: [String]) throws -> Int {
    let (command, known) = try options(arguments)
    // Each piece of advice is in parentheses or after a semicolon.
    let pieces = text.split { "();\n".contains($0) }.filter { $0.contains("--") }
    for piece in pieces where !piece.hasPrefix("upright ") {
      let named = piece.firstMatch(of: /upright ((tag )?[a-z]+)/).map { "upright \($0.output.1)" }
      let options = try #require(known[named ?? command], "\(piece)")
      for option in piece.matches(of: /--([a-z-]+)/).map({ String($0.output.1) }) {
        #expect(options.contains(option), "\(named ?? command): \(piece)")
      }
    }
    return pieces.count
  }

  /// Returns the name of the command in arguments, and the options of all commands.
  private func options(_ arguments: [String]) throws -> (String, [String: Set<String>]) {
    let known = Dictionary(uniqueKeysWithValues: try HelpDump.commands()).mapValues {
      Set($0.compactMap(\.longName))
    }
    let words = ["upright"] + arguments.prefix(arguments[0] == "tag" ? 2 : 1)
    return (words.joined(separator: " "), known)
  }

  /// Returns the arguments by which a command reads all fixtures, and photos with other files beside them, and changes nothing.
  private func files(_ arguments: [String]) throws -> [String] {
    let listed = try Tool.run("find", [Fixture.directory, "-type", "f", "!", "-name", "*.json"])
      .text
    let photo = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(3), to: "a.xmp")
    let edited = try scratch.copy(rotatedFixture, as: "b.jpg")
    try scratch.write(Array("adjustmentData".utf8), to: "b.AAE")
    try scratch.write(Array((listed + photo + "\n" + edited + "\n").utf8), to: "list")
    let isReading = arguments[0] == "audit" || arguments.starts(with: ["tag", "get"])
    return (isReading ? [] : ["--dry-run"]) + ["--files-from", scratch.path("list")]
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

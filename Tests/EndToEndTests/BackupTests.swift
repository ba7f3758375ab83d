import Fixtures
import Foundation
import Testing

/// Backup copies of photos, as the command counts them.
struct BackupTests {
  private let scratch: Scratch
  private let photo: [UInt8]
  private static let backups = [
    "a.jpg.bak", "a.jpg.orig", "a.jpg_original", "a.jpg~", "b.JPG.kept",
  ]

  init() throws {
    scratch = try Scratch()
    photo = try Fixture.bytes(rotatedFixture)
    for name in Self.backups + ["a.jpg", "photo_original.jpg", "scan"] {
      try scratch.write(photo, to: "tree/" + name)
    }
  }

  /// The names in the tree whose content differs from the original.
  private func changed() throws -> [String] {
    try scratch.files().filter { try scratch.read($0) != photo }.map { String($0.dropFirst(5)) }
  }

  @Test func `A summary counts backups and files with other names`() throws {
    let tree = scratch.path("tree")
    let command = ["normalize", "-r", "--backup", ".kept", tree]
    let named = try upright(command + ["-n", "--all-names"])
    #expect(named.lines.last == "3 files: 3 to rotate, 5 ignored (5 backups: processed if named)")
    let result = try upright(command)
    #expect(result.status == 0)
    let ignored =
      ", 6 ignored (5 backups: processed if named, 1 file with another name: --all-names)"
    #expect(result.lines.last?.hasSuffix(ignored) == true, "\(result.text)")
    let second = try upright(["normalize", "-r", "-v", tree])
    #expect(second.status == 0)
    #expect(second.errorLines.filter { $0.hasSuffix("ignored (backup)") }.count == 4)
  }

  @Test func `Files that are taken by content can be proven, too`() throws {
    let (tree, out, record) = (scratch.path("tree"), scratch.path("out"), scratch.path("record"))
    let names = ["--all-names"]
    let copy = ["normalize", "-r", tree, "--output-dir", out, "--record", record] + names
    #expect(try upright(copy).status == 0)
    // One line for each pair, and the summary.
    for (arguments, count) in [([], 3), (names, 5)] {
      #expect(try upright(["verify", tree, out] + arguments).lines.count == count)
      // Each recorded rewrite is checked, whatever its name.
      #expect(try upright(["verify", "--record", record, out] + arguments).lines.count == 5)
    }
  }

  @Test(arguments: [".jpg", "_before.JPG", ".jpeg"])
  func `A backup that would look like a photo is refused`(suffix: String) throws {
    let arguments = ["normalize", "-r", "--backup", suffix, scratch.path("tree")]
    #expect(try upright(arguments).status == 64)
    #expect(try changed().isEmpty)
  }

  @Test func `A page shows what was ignored`() throws {
    let page = scratch.path("page.html")
    #expect(try upright(["audit", "--html", page, scratch.path("tree")]).status == 0)
    let text = String(decoding: try scratch.read("page.html"), as: UTF8.self)
    #expect(text.contains(#""ignored":{"backup":4,"other-name":2}"#))
  }
}

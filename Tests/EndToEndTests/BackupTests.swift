import Fixtures
import Foundation
import Testing

/// Backup copies of photos are not processed.
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

  @Test(arguments: [["normalize", "-r"], ["rotate", "90", "-r"], ["tag", "set", "3", "-r"]])
  func `A walk takes photos by their names, and no backups`(command: [String]) throws {
    let result = try upright(command + ["--backup", ".kept", scratch.path("tree")])
    #expect(result.status == 0)
    let skipped =
      ", 6 ignored (5 backups: processed if named, 1 file with another name: --all-names)"
    #expect(result.lines.last?.hasSuffix(skipped) == true)
    #expect(try changed() == ["a.jpg", "photo_original.jpg"])
    // The second run finds the backups of the first one.
    let second = try upright(["normalize", "-r", "-v", scratch.path("tree")])
    #expect(second.status == 0)
    #expect(second.errorLines.filter { $0.hasSuffix("ignored (backup)") }.count == 4)
    #expect(try scratch.read("tree/a.jpg.kept") == photo)
    #expect(try scratch.read("tree/photo_original.jpg.kept") == photo)
  }

  @Test func `With --all-names files are taken by content, except backups`() throws {
    let result = try upright(
      ["normalize", "-r", "--all-names", "--backup", ".kept", scratch.path("tree")]
    )
    #expect(result.lines.last == "3 files: 3 rotated, 5 ignored (5 backups: processed if named)")
    #expect(try changed() == ["a.jpg", "photo_original.jpg", "scan"])
  }

  @Test func `Files that are taken by content can be proven and restored, too`() throws {
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
    let undone = try upright(["undo", "-r", "--record", record, out] + names)
    #expect(undone.lines.last == "4 files: 4 restored")
    #expect(try scratch.read("out/scan") == photo)
  }

  @Test(arguments: [[], ["--all-names"]])
  func `An audit, a dry run and a run take the same files`(names: [String]) throws {
    try scratch.write(Array("no image".utf8), to: "tree/text")
    try scratch.write(Array("no image".utf8), to: "tree/text~")
    let tree = [scratch.path("tree"), "--format", "ndjson"] + names
    let found = try [["audit"], ["normalize", "-r", "-n"], ["normalize", "-r"]].map {
      try upright($0 + tree).json().map(\.path)
    }
    #expect(found[0].count == (names.isEmpty ? 2 : 4))
    #expect(found[0] == found[1] && found[1] == found[2])
  }

  @Test func `A file that is named is taken whatever its name`() throws {
    let names = ["tree/a.jpg.orig", "tree/scan"].map { scratch.path($0) }
    #expect(try upright(["normalize"] + names).status == 0)
    #expect(try changed() == ["a.jpg.orig", "scan"])
  }

  @Test func `A list is judged as a directory is`() throws {
    let list = try scratch.files().map { scratch.path($0) }.joined(separator: "\n")
    let result = try upright(["normalize", "--files-from", "-"], input: Array(list.utf8))
    #expect(result.status == 0)
    #expect(
      result.lines.last
        == "2 files: 2 rotated, 6 ignored (4 backups: processed if named, 2 files with other names: --all-names)"
    )
    #expect(try changed() == ["a.jpg", "photo_original.jpg"])
  }

  @Test(arguments: [".jpg", "_before.JPG", ".jpeg"])
  func `A backup that would look like a photo is refused`(suffix: String) throws {
    let arguments = ["normalize", "-r", "--backup", suffix, scratch.path("tree")]
    #expect(try upright(arguments).status == 64)
    #expect(try changed().isEmpty)
  }

  @Test func `Outputs collide with files that are taken, and with no others`() throws {
    try scratch.write(photo, to: "other/a.jpg.orig")
    try scratch.write(photo, to: "other/scan")
    let command = ["normalize", "-r", "--output-dir", scratch.path("out")]
    let roots = [scratch.path("tree/scan"), scratch.path("other")]
    #expect(try upright(command + roots).status == 0)
    #expect(try upright(command + ["--all-names"] + roots).status == 2)
  }

  @Test func `A page shows what was ignored`() throws {
    let page = scratch.path("page.html")
    #expect(try upright(["audit", "--html", page, scratch.path("tree")]).status == 0)
    let text = String(decoding: try scratch.read("page.html"), as: UTF8.self)
    #expect(text.contains(#""ignored":{"backup":4,"other-name":2}"#))
  }
}

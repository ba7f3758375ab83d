import FileSystem
import Fixtures
import ImageFormats
import ImageOrientation
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

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

  private var tree: String { scratch.path("tree") }

  /// A run that keeps originals.
  private let keeping = FileRun().with(\.policy.backupSuffix, ".kept")

  /// The names in the tree whose content differs from the original.
  private func changed() throws -> [String] {
    try scratch.files().filter { try scratch.read($0) != photo }.map { String($0.dropFirst(5)) }
  }

  @Test(arguments: [Request.normalize(), .rotate90, .tag(.set(.down))])
  func `A walk takes photos by their names, and no backups`(request: Request) throws {
    let result = try keeping.with(\.request, request).rewrite(tree)
    #expect(result.verdict == .done)
    #expect(result.ignored == [.backup: 5, .otherName: 1])
    #expect(try changed() == ["a.jpg", "photo_original.jpg"])
    // The second run finds the backups of the first one.
    let second = try FileRun().rewrite(tree)
    #expect(second.verdict == .done)
    #expect(second.ignored[.backup] == 4)
    #expect(try scratch.read("tree/a.jpg.kept") == photo)
    #expect(try scratch.read("tree/photo_original.jpg.kept") == photo)
  }

  @Test func `On request files are taken by content, except backups`() throws {
    let result = try keeping.with(\.takesAllNames, true).rewrite(tree)
    #expect(result.statuses == Array(repeating: .normalized, count: 3))
    #expect(result.ignored == [.backup: 5])
    #expect(try changed() == ["a.jpg", "photo_original.jpg", "scan"])
  }

  @Test func `Files that are taken by content are restored, too`() throws {
    let out = scratch.path("out")
    let run = FileRun(record: scratch.path("record"), takesAllNames: true)
    #expect(try run.with(\.output, .folder(out)).rewrite(tree).verdict == .done)
    #expect(try run.undo(out).statuses == Array(repeating: .restored, count: 4))
    #expect(try scratch.read("out/scan") == photo)
  }

  @Test(arguments: [false, true])
  func `An audit, a dry run and a run take the same files`(takesAllNames: Bool) throws {
    try scratch.write(Array("no image".utf8), to: "tree/text")
    try scratch.write(Array("no image".utf8), to: "tree/text~")
    let run = FileRun(takesAllNames: takesAllNames)
    let found = [try run.audit(tree), try run.plan(tree), try run.rewrite(tree)].map {
      $0.reports.map(\.path)
    }
    #expect(found[0].count == (takesAllNames ? 4 : 2))
    #expect(found[0] == found[1] && found[1] == found[2])
  }

  @Test func `A file that is named is taken whatever its name`() throws {
    let names = ["tree/a.jpg.orig", "tree/scan"].map { scratch.path($0) }
    #expect(try FileRun().rewrite(names).verdict == .done)
    #expect(try changed() == ["a.jpg.orig", "scan"])
  }

  @Test func `A list is judged as a directory is`() throws {
    let result = try FileRun().rewrite(list: scratch.files().map { scratch.path($0) })
    #expect(result.statuses == [.normalized, .normalized])
    #expect(result.ignored == [.backup: 4, .otherName: 2])
    #expect(try changed() == ["a.jpg", "photo_original.jpg"])
  }

  @Test func `Outputs collide with files that are taken, and with no others`() throws {
    try scratch.write(photo, to: "other/a.jpg.orig")
    try scratch.write(photo, to: "other/scan")
    let roots = [scratch.path("tree/scan"), scratch.path("other")]
    let run = FileRun(output: .folder(scratch.path("out")))
    #expect(try run.rewrite(roots).verdict == .done)
    let all = try run.with(\.takesAllNames, true).rewrite(roots)
    // Either may be meant, so neither is written.
    #expect(all.failures == ["output-collision", "output-collision"])
  }

  @Test func `Outputs collide with no file of another format`() throws {
    try scratch.write(Array("a text".utf8), to: "other/scan")
    let roots = ["tree", "other"].map { FilePath(scratch.path($0)) }
    let names = NameRule(formats: [.jpeg, .heic], allNames: true)
    let tree = Selection(Walk(roots: roots, recursive: true, names: names)).tree(in: "out")
    let scan = roots[0].appending("scan")
    #expect(try tree.output(for: scan, root: roots[0]) == "out/scan")
    try scratch.write(photo, to: "other/scan")
    #expect(throws: FileError.self) { try tree.output(for: scan, root: roots[0]) }
  }
}

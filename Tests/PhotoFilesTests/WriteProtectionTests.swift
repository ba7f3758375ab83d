import FileSystem
import Fixtures
import Foundation
import ImageOrientation
import PhotoFiles
import Reports
import Testing
import Upright

#if canImport(Glibc)
import Glibc
#endif

/// Files that are read-only, although their directory may be written.
struct WriteProtectionTests {
  /// What is requested of a file.
  enum Work: CaseIterable {
    case normalize, rotate, flip, tag, crop
    case undo, undoFromRecord, strip

    var request: Request {
      switch self {
      case .rotate: .rotate90
      case .flip: .transform(.flipHorizontal, tagOnly: false)
      case .tag: .tag(.set(.down))
      case .crop: .crop(PixelRectangle(x: 0, y: 0, width: 16, height: 16))
      case .normalize, .undo, .undoFromRecord, .strip: .normalize()
      }
    }

    var isUndo: Bool { [.undo, .undoFromRecord, .strip].contains(self) }
  }

  /// A file with a mode and an owner, or a link to it.
  struct Row: CustomTestStringConvertible {
    var mode: Int
    var isOfOther: Bool
    var isLink: Bool

    static let all = [0o644, 0o444, 0o464].flatMap { mode in
      [false, true].flatMap { isOfOther in
        [false, true].map { Row(mode: mode, isOfOther: isOfOther, isLink: $0) }
      }
    }

    /// Root may write the files of others, and a new file belongs to its owner.
    var isProtected: Bool { mode & 0o200 == 0 }

    var testDescription: String {
      String(mode, radix: 8) + (isOfOther ? ", other owner" : "") + (isLink ? ", link" : "")
    }
  }

  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  @Test(
    .enabled(if: geteuid() == 0, "needs files of another user: run the tests as root"),
    arguments: Row.all,
    Work.allCases
  )
  func `A file that may not be written is skipped, whatever is requested`(
    row: Row,
    work: Work
  ) throws {
    let file = try scratch.copy(rotatedFixture, as: "store/a.jpg")
    var run = FileRun(request: work.request)
    if work == .undoFromRecord { run.record = scratch.path("record") }
    if work == .undo || work == .strip { run.embedsUndo = true }
    if work.isUndo { #expect(try run.rewrite(file).verdict == .done) }
    if work == .crop { run.policy.backupSuffix = ".old" }
    run.stripsUndo = work == .strip
    let before = try scratch.read("store/a.jpg")
    try set(row, file)
    let path = row.isLink ? try scratch.link("link.jpg", to: "store/a.jpg") : file
    for isDry in [true, false] {
      let reports =
        work.isUndo ? try run.undo([path], isDry: isDry) : try run.rewrite([path], isDry: isDry)
      #expect((reports.reasons == [.writeProtected]) == row.isProtected, "\(reports)")
      let isChanged = try scratch.read("store/a.jpg") != before
      #expect(isChanged == (!row.isProtected && !isDry))
    }
    if work == .normalize {
      try scratch.write(before, to: "store/a.jpg")
      try set(row, file)
      #expect(try (run.audit(path).reasons == [.writeProtected]) == row.isProtected)
    }
    guard row.isProtected else { return }
    let insisting = run.with(\.policy.replacesProtected, true)
    let insisted = try work.isUndo ? insisting.undo(path) : insisting.rewrite(path)
    #expect(insisted.verdict == .done, "\(insisted)")
    #expect(try scratch.read("store/a.jpg") != before)
  }

  private func set(_ row: Row, _ file: String) throws {
    let owner = row.isOfOther ? 12345 : 0
    try FileManager.default.setAttributes(
      [.ownerAccountID: owner, .groupOwnerAccountID: owner],
      ofItemAtPath: file
    )
    try scratch.setMode(row.mode, of: "store/a.jpg")
  }

  @Test func `A read-only sidecar keeps its photo as it is`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.setMode(0o444, of: "a.xmp")
    #expect(try FileRun().rewrite(file).reasons == [.writeProtected])
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
  }

  @Test func `A read-only sidecar of an upright photo is not reset`() throws {
    let photo = try scratch.copy(uprightFixture, as: "a.jpg")
    try scratch.write(Sidecars.packet(6), to: "a.xmp")
    try scratch.setMode(0o444, of: "a.xmp")
    let reset = FileRun().with(\.options.onConflict, .resetTag)
    for result in [try reset.plan(photo), try reset.rewrite(photo)] {
      #expect(result.reasons == [.writeProtected])
      #expect(try scratch.read("a.xmp") == Sidecars.packet(6))
    }
    #expect(try reset.with(\.policy.replacesProtected, true).rewrite(photo).verdict == .done)
    #expect(try scratch.read("a.xmp") == Sidecars.packet(1))
  }

  @Test func `A read-only output is not overwritten`() throws {
    let file = try scratch.copy(rotatedFixture, as: "a.jpg")
    let output = try scratch.copy(uprightFixture, as: "b.jpg")
    try scratch.setMode(0o444, of: "b.jpg")
    let run = FileRun().with(\.output, .file(output)).with(\.policy.overwritesOutputs, true)
    let error = try #require(try run.rewrite(file).only.error)
    #expect(error.remedies.map(\.step) == [.policy("read-only", "rewrite")])
    #expect(try scratch.read("b.jpg") == Fixture.bytes(uprightFixture))
    #expect(try run.with(\.policy.replacesProtected, true).rewrite(file).verdict == .done)
    #expect(try scratch.read("b.jpg") == normalized(rotatedFixture))
  }
}

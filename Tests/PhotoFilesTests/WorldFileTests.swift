import Fixtures
import PhotoFiles
import Reports
import SystemPackage
import Testing
import Upright

/// World files beside photos, which place the stored image on a map.
struct WorldFileTests {
  private let scratch: Scratch
  private let run = FileRun()

  init() throws { scratch = try Scratch() }

  private func photo(_ name: String) throws -> String {
    try scratch.copy(rotatedFixture, as: name)
  }

  private func worldFile(_ name: String) throws {
    try scratch.write(Sidecars.worldFile, to: name)
  }

  /// Returns the coordinates of the center of a pixel.
  private func coordinates(_ file: [UInt8], _ column: Int, _ row: Int) throws -> [Double] {
    let n = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .compactMap { Double($0) }
    try #require(n.count == 6)
    return [
      n[0] * Double(column) + n[2] * Double(row) + n[4],
      n[1] * Double(column) + n[3] * Double(row) + n[5],
    ]
  }

  /// Checks that a file is that of the rotated photo, whose first pixel is now at the right.
  private func expectRotated(_ name: String) throws {
    let first = try coordinates(scratch.read(name), 63, 0)
    #expect(try first == coordinates(Sidecars.worldFile, 0, 0), "\(name)")
  }

  @Test(arguments: 2...8)
  func `A world file is updated and restored with its photo`(tag: Int) throws {
    let original = Sidecars.worldFile
    let photo = try scratch.copy("orientation/aligned-\(tag).jpg", as: "a.jpg")
    try worldFile("a.jgw")
    let before = try scratch.read("a.jpg")
    let run = run.with(\.record, scratch.path("record"))
    #expect(try run.plan(photo).only.companion("a.jgw")?.action == .update)
    #expect(try scratch.read("a.jgw") == original)
    #expect(try run.rewrite(photo).only.companion("a.jgw")?.isDone == true)
    let new = try scratch.read("a.jgw")
    // Where the first and the last stored pixel of 96×64 are displayed (Exif 3.0, 4.6.5.1.6).
    let places: [Int: (first: (Int, Int), last: (Int, Int))] = [
      2: ((95, 0), (0, 63)), 3: ((95, 63), (0, 0)), 4: ((0, 63), (95, 0)), 5: ((0, 0), (63, 95)),
      6: ((63, 0), (0, 95)), 7: ((63, 95), (0, 0)), 8: ((0, 95), (63, 0)),
    ]
    let (first, last) = try #require(places[tag])
    #expect(try coordinates(new, first.0, first.1) == coordinates(original, 0, 0))
    #expect(try coordinates(new, last.0, last.1) == coordinates(original, 95, 63))
    #expect(try run.undo().verdict == .done)
    #expect(try scratch.read("a.jgw") == original)
    #expect(try scratch.read("a.jpg") == before)
  }

  @Test func `An output gets a world file of its own on request`() throws {
    let photo = try photo("a.jpg")
    try worldFile("a.wld")
    let report = run.with(\.policy.sidecars, .report)
      .with(\.output, .folder(scratch.path("one")))
    let left = try #require(try report.rewrite(photo).only.companion("a.wld"))
    #expect(left.action == .leave && left.cause == .outdated)
    #expect(left.remedies.map(\.step) == [.policy("sidecars", "update")])
    #expect(try scratch.files() == ["a.jpg", "a.wld", "one/a.jpg"])
    let update = run.with(\.output, .folder(scratch.path("two")))
    #expect(try update.rewrite(photo).verdict == .done)
    #expect(try scratch.read("a.wld") == Sidecars.worldFile)
    try expectRotated("two/a.wld")
  }

  @Test func `An output gets an XMP and a world file, and both are restored with it`() throws {
    let photo = try photo("in/a.jpg")
    try worldFile("in/a.jgw")
    try scratch.write(Sidecars.packet(6), to: "in/a.jpg.xmp")
    let names = ["a.jpg.xmp", "a.jgw"]
    let report = run.with(\.policy.sidecars, .report)
      .with(\.output, .folder(scratch.path("one")))
    let left = try report.rewrite(photo).only
    for name in names { #expect(left.companion(name)?.cause == .outdated) }
    let update = run.with(\.record, scratch.path("record"))
      .with(\.output, .folder(scratch.path("two")))
    let planned = try update.plan(photo).only
    for name in names { #expect(planned.companion(name)?.action == .update) }
    let done = try update.rewrite(photo)
    #expect(done.verdict == .done)
    for name in names {
      let companion = try #require(try done.only.companion(name))
      #expect(companion.isDone && companion.output?.string == scratch.path("two/\(name)"))
    }
    #expect(Sidecars.orientation(try scratch.read("two/a.jpg.xmp")) == "1")
    try expectRotated("two/a.jgw")
    #expect(try update.with(\.output, .inPlace).undo(scratch.path("two")).verdict == .done)
    for name in ["a.jpg"] + names {
      #expect(try scratch.read("two/\(name)") == scratch.read("in/\(name)"), "\(name)")
    }
  }

  @Test func `A world file that two photos may share is not updated`() throws {
    let photos = try ["a.jpg", "a.jpeg"].map { try photo($0) }
    try worldFile("a.wld")
    for policy in [SidecarPolicy.report, .update] {
      let result = try run.with(\.policy.sidecars, policy).rewrite(photos)
      #expect(result.reasons == [.neighbourMap, .neighbourMap])
      let reasons = result.reports.compactMap(\.reason)
      #expect(reasons.first?.description.contains("a.jpeg") == true)
      #expect(reasons.allSatisfy { $0.remedies.map(\.step) == [.policy("sidecars", "ignore")] })
    }
    #expect(try scratch.read("a.wld") == Sidecars.worldFile)
  }

  @Test(arguments: ["1e14", "900000000000000"])
  func `A photo whose world file would get a number that is too large is skipped`(
    number: String
  ) throws {
    let photo = try photo("a.jpg")
    let content = Array("\(number)\n0\n0\n-\(number)\n0\n0\n".utf8)
    try scratch.write(content, to: "a.jgw")
    for result in [try run.plan(photo), try run.rewrite(photo)] {
      #expect(result.verdict == .skipped)
      let reason = try #require(try result.only.reason)
      #expect(reason.code == .sidecarUnreadable && reason.description.contains("a.jgw: "))
    }
    #expect(try scratch.read("a.jpg") == Fixture.bytes(rotatedFixture))
    #expect(try scratch.read("a.jgw") == content)
    // It does not concern an output elsewhere that gets none.
    let report = run.with(\.policy.sidecars, .report)
      .with(\.output, .folder(scratch.path("out")))
    let elsewhere = try report.rewrite(photo).only
    #expect(elsewhere.status == .normalized)
    #expect(elsewhere.companion("a.jgw")?.cause == .unreadable)
  }

  @Test(arguments: ["a.jgw", "common"])
  func `A world file that photos share through a link is not updated with those that have the link`(
    target: String
  ) throws {
    let photos = try ["a", "b", "c"].map { try photo("\($0).jpg") }
    try worldFile(target)
    for name in ["a.jgw", "b.jgw", "c.jgw"] where name != target {
      try scratch.link(name, to: target)
    }
    for _ in 1...2 {
      let result = try run.rewrite(photos)
      #expect(result.reasons.suffix(2) == [.neighbourMap, .neighbourMap])
      let reason = try #require(result.reports.last?.reason)
      #expect(reason.description.contains(", and is a link to \(scratch.path(target))"))
      #expect(reason.remedies.map(\.step) == [.policy("sidecars", "ignore")])
    }
    if target == "a.jgw" {
      try expectRotated(target)
    } else {
      #expect(try scratch.read(target) == Sidecars.worldFile)
    }
  }

  @Test func `A world file elsewhere is not updated through links of its name`() throws {
    try worldFile("common/a.jgw")
    let photos = try ["one", "two"].map { folder in
      let path = try photo("\(folder)/a.jpg")
      try scratch.link("\(folder)/a.jgw", to: "../common/a.jgw")
      return path
    }
    #expect(try run.rewrite(photos).reasons == [.neighbourMap, .neighbourMap])
    #expect(try scratch.read("common/a.jgw") == Sidecars.worldFile)
  }

  @Test func `Two names of one world file are those of one`() throws {
    let photo = try photo("a.jpg")
    try worldFile("a.wld")
    try scratch.link("a.jgw", to: "a.wld")
    #expect(try run.rewrite(photo).verdict == .done)
    try expectRotated("a.wld")
  }

  @Test func `A link to the world file of the photo that a link leads to is updated`() throws {
    _ = try photo("real/a.jpg")
    try worldFile("real/a.jgw")
    for ending in ["jpg", "jgw"] {
      try scratch.link("links/1.\(ending)", to: "../real/a.\(ending)")
    }
    for _ in 1...2 { #expect(try run.rewrite(scratch.path("links/1.jpg")).verdict == .done) }
    try expectRotated("real/a.jgw")
  }
}

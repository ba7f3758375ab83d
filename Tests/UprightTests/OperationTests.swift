import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

private let operations = Turn.allCases.filter { $0 != .none }

/// What is wrong with a picture that was turned from what a viewer sees; empty where nothing is.
func complaints(_ bytes: [UInt8], then turn: Turn) throws -> [String] {
  let outcome = try Normalizer(then: turn).normalize(bytes)
  guard case .rewritten(let rewrite) = outcome else {
    if case .leave = outcome.plan.action { return [] }
    return ["nothing is done: \(outcome.plan.action)"]
  }
  let tag = rewrite.plan.picture.orientation?.turn ?? .none
  let picture = try ImageFile(bytes)
  guard case .turn(let total, _) = rewrite.plan.action else {
    return tag.then(turn) == .none ? [] : ["the tag is reset"]
  }
  guard total == tag.then(turn) else { return ["the turn is \(total)"] }
  // A picture that a tag did not ask to transpose can take longer codes when it is.
  var complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    .filter { !$0.hasPrefix("the file grew") }
  // jpegtran, one step after the other, as one would do by hand.
  if picture.frame.isExact(under: tag), picture.frame.turned(by: tag).isExact(under: turn) {
    var steps = bytes
    for step in [tag, turn] {
      steps = try Tool.jpegtran(steps, ["-perfect"] + Tool.jpegtranOptions(step.rawValue))
    }
    let (ours, theirs) = (try ImageFile(rewrite.bytes), try ImageFile(steps))
    if try ours.coefficients() != theirs.coefficients() {
      complaints.append("a coefficient is not that of jpegtran's two steps")
    }
    if ours.quantization() != theirs.quantization() {
      complaints.append("the quantization tables are not those of jpegtran's two steps")
    }
  }
  return complaints
}

extension CoefficientImage {
  fileprivate static func != (a: borrowing CoefficientImage, b: borrowing CoefficientImage) -> Bool
  {
    a.planes != b.planes || a.coefficients != b.coefficients
  }
}

struct OperationTests {
  @Test(arguments: 1...8, operations)
  func `What is seen is turned, whatever the tag says now`(tag: Int, turn: Turn) throws {
    for kind in ["aligned", "unaligned"] {
      let bytes = try Fixture.bytes("orientation/\(kind)-\(tag).jpg")
      #expect(try complaints(bytes, then: turn) == [], "\(kind)")
    }
  }

  @Test(arguments: Fixture.all.enumerated().map { ($0.element, operations[$0.offset % 7]) })
  func `Every kind of file can be turned from what is seen`(fixture: Fixture, turn: Turn) throws {
    let bytes = try fixture.bytes()
    let isDamaged = [.damaged, .notJPEG].contains(fixture.expect)
    guard !isDamaged, fixture.reason != "no-end-of-image" else {
      // Where the tag alone has to change, nobody looks at the picture's data.
      let outcome = try? Normalizer(then: turn).normalize(bytes)
      if case .turn? = outcome?.plan.action { Issue.record("a damaged picture is turned") }
      return
    }
    let found = try complaints(bytes, then: turn)
    #expect(found == [], "\(turn)")
  }

  @Test(arguments: Fixture.expecting(.conflict))
  func `A sign of a stale tag does not keep from what somebody asked for`(fixture: Fixture) throws {
    let outcome = try Normalizer(then: .rotate180).normalize(fixture.bytes())
    #expect(outcome.plan.action.rewrites)
  }

  @Test func `A file without a tag counts as upright, and gets none`() throws {
    for path in ["exif/no-exif.jpg", "exif/no-orientation.jpg"] {
      let bytes = try Fixture.bytes(path)
      #expect(try complaints(bytes, then: .rotate90) == [])
      let result = try Normalizer(then: .rotate90).normalize(bytes).rewritten()
      #expect(!result.changes.contains { $0.field.rawValue.contains("orientation") })
    }
  }

  @Test(arguments: [
    ("exif/orientation-9.jpg", "reserved-orientation"),
    ("exif/orientation-twice-differing.jpg", "unclear-orientation"),
  ])
  func `A tag that says nothing clear is left for somebody to look at`(
    path: String,
    reason: String
  ) throws {
    let outcome = try Normalizer(then: .rotate90).normalize(Fixture.bytes(path))
    #expect(outcome.leaveReason == reason)
  }

  @Test(arguments: 2...8)
  func `Where the turn takes the tag's back, the tag is reset and the picture kept`(
    tag: Int
  ) throws {
    let bytes = try Fixture.bytes("orientation/aligned-\(tag).jpg")
    let inverse = try #require(Orientation(rawValue: tag)).turn.inverse
    let rewrite = try Normalizer(then: inverse).normalize(bytes).rewritten()
    guard case .resetTag(let reason) = rewrite.plan.action else {
      Issue.record("\(rewrite.plan.action)")
      return
    }
    #expect(reason.code == .asStored)
    #expect(rewrite.changes.allSatisfy { $0.field.rawValue.hasSuffix("rientation") })
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == bytes)
  }

  @Test func `A turn and its inverse give the picture's data back, bit by bit`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-1.jpg")
    for turn in operations {
      let there = try Normalizer(then: turn).normalize(bytes).rewritten().bytes
      let back = try Normalizer(then: turn.inverse).normalize(there).rewritten().bytes
      #expect(
        try ImageFile(back).coefficients().coefficients
          == ImageFile(bytes).coefficients().coefficients
      )
    }
  }

  @Test func `A plan made of the beginning says what is done`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    for turn in operations {
      let normalizer = Normalizer(then: turn)
      let plan = try #require(try normalizer.plan(beginning: bytes))
      #expect(plan.action == (try normalizer.normalize(bytes).plan.action))
    }
  }

  @Test func `A thumbnail that is upright already is turned only by what is asked for`() throws {
    let bytes = try Fixture.bytes("thumbnail/upright.jpg")
    let turned = try Normalizer(then: .rotate180).normalize(bytes).rewritten()
    #expect(turned.plan.pictures.first?.fate != .kept)
    let verdict = try Verifier(then: .rotate180).verify(original: bytes, result: turned.bytes)
    #expect(verdict.findings == [])
    #expect(verdict.pictures.last?.turn == .rotate180)
  }
}

struct VerifierOperationTests {
  @Test(
    arguments: [
      "orientation/aligned-6.jpg", "multi-picture/gain-map-mm.jpg", "exif/no-exif.jpg",
      "thumbnail/aligned.jpg", "xmp/full.jpg", "multi-picture/preview.jpg",
      "multi-picture/preview-own-orientation.jpg",
    ],
    operations
  )
  func `A stated turn is proven, and another one is explained`(path: String, turn: Turn) throws {
    let bytes = try Fixture.bytes(path)
    guard case .rewritten(let rewrite) = try Normalizer(then: turn).normalize(bytes),
      case .turn = rewrite.plan.action
    else { return }
    let stated = try Verifier(then: turn).verify(original: bytes, result: rewrite.bytes)
    #expect(stated.findings == [])
    let plain = try Verifier().verify(original: bytes, result: rewrite.bytes)
    #expect(!plain.isProven)
    guard plain.findings.contains(where: { ["wrong-turn", "not-turned"].contains($0.identifier) })
    else { return }
    let note = plain.notes.first { $0.identifier == "turned-further" }
    #expect(note?.text.contains("--turn \(turn.rawValue) ") == true)
  }
}

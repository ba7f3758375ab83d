import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

private let operations = OrientationTransform.allCases.filter { $0 != .none }

/// What is wrong with an image that was transformed from what a viewer sees; empty where nothing is.
func complaints(_ bytes: [UInt8], then transform: OrientationTransform) throws -> [String] {
  let outcome = try Rewriter(.normalize(then: transform)).rewrite(bytes)
  guard case .rewritten(let rewrite) = outcome else {
    if case .skip = outcome.plan.action { return [] }
    return ["nothing is done: \(outcome.plan.action)"]
  }
  let tag = rewrite.plan.image.orientation?.transform ?? .none
  let image = try ImageFile(bytes)
  guard case .transform(let total, _) = rewrite.plan.action else {
    return tag.then(transform) == .none ? [] : ["the tag is reset"]
  }
  guard total == tag.then(transform) else { return ["the transform is \(total)"] }
  // An image that a tag did not ask to transpose can take longer codes when it is.
  var complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    .filter { !$0.hasPrefix("the file grew") }
  // jpegtran, one step after the other, as one would do by hand.
  if image.frame.isLossless(under: tag),
    image.frame.transformed(by: tag).isLossless(under: transform)
  {
    var steps = bytes
    for step in [tag, transform] {
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
  func `The displayed image is transformed, whatever the tag`(
    tag: Int,
    transform: OrientationTransform
  ) throws {
    for kind in ["aligned", "unaligned"] {
      let bytes = try Fixture.bytes("orientation/\(kind)-\(tag).jpg")
      #expect(try complaints(bytes, then: transform) == [], "\(kind)")
    }
  }

  @Test(arguments: Fixture.all.enumerated().map { ($0.element, operations[$0.offset % 7]) })
  func `The displayed image of every kind of file can be transformed`(
    fixture: Fixture,
    transform: OrientationTransform
  ) throws {
    let bytes = try fixture.bytes()
    let isDamaged = [.damaged, .notJPEG].contains(fixture.expect)
    guard !isDamaged, fixture.reason != "no-end-of-image" else {
      // Where the tag alone has to change, nobody looks at the image's data.
      let outcome = try? Rewriter(.normalize(then: transform)).rewrite(bytes)
      // This one is complete except for the marker.
      if case .transform? = outcome?.plan.action, fixture.path != "bad/no-eoi-upright.jpg" {
        Issue.record("a damaged image is transformed")
      }
      return
    }
    let found = try complaints(bytes, then: transform)
    #expect(found == [], "\(transform)")
  }

  @Test(arguments: Fixture.expecting(.conflict))
  func `A suspected stale tag does not prevent a requested transform`(fixture: Fixture) throws {
    var rewriter = Rewriter(.normalize(then: .rotate180))
    rewriter.options.registeredData = .keep
    let outcome = try rewriter.rewrite(fixture.bytes())
    #expect(outcome.plan.action.rewrites)
  }

  @Test func `A file without a tag counts as upright, and gets none`() throws {
    for path in ["exif/no-exif.jpg", "exif/no-orientation.jpg"] {
      let bytes = try Fixture.bytes(path)
      #expect(try complaints(bytes, then: .rotate90) == [])
      let result = try Rewriter(.normalize(then: .rotate90)).rewrite(bytes).rewritten()
      #expect(!result.changes.contains { $0.field.rawValue.contains("orientation") })
    }
  }

  @Test(arguments: [
    ("exif/orientation-9.jpg", "reserved-orientation"),
    ("exif/orientation-twice-differing.jpg", "unclear-orientation"),
  ])
  func `A file with an invalid tag is skipped`(
    path: String,
    reason: String
  ) throws {
    let outcome = try Rewriter(.normalize(then: .rotate90)).rewrite(Fixture.bytes(path))
    #expect(outcome.skipReason == reason)
  }

  @Test(arguments: 2...8)
  func `A transform that cancels the tag resets it and keeps the image`(
    tag: Int
  ) throws {
    let bytes = try Fixture.bytes("orientation/aligned-\(tag).jpg")
    let inverse = try #require(Orientation(rawValue: tag)).transform.inverse
    let rewrite = try Rewriter(.normalize(then: inverse)).rewrite(bytes).rewritten()
    guard case .resetTag(let reason) = rewrite.plan.action else {
      Issue.record("\(rewrite.plan.action)")
      return
    }
    #expect(reason.code == .asStored)
    #expect(rewrite.changes.allSatisfy { $0.field.rawValue.hasSuffix("rientation") })
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == bytes)
  }

  @Test func `A transform and its inverse restore the data of the image, bit by bit`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-1.jpg")
    for transform in operations {
      let there = try Rewriter(.normalize(then: transform)).rewrite(bytes).rewritten().bytes
      let back = try Rewriter(.normalize(then: transform.inverse)).rewrite(there).rewritten().bytes
      #expect(
        try ImageFile(back).coefficients().coefficients
          == ImageFile(bytes).coefficients().coefficients
      )
    }
  }

  @Test func `A plan from the beginning of a file is executed`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    for transform in operations {
      let rewriter = Rewriter(.normalize(then: transform))
      let plan = try rewriter.plan(bytes)
      #expect(plan.action == (try rewriter.rewrite(bytes).plan.action))
    }
  }

  @Test func `A thumbnail that is already upright gets only the requested transform`() throws {
    let bytes = try Fixture.bytes("thumbnail/upright.jpg")
    let transformed = try Rewriter(.normalize(then: .rotate180)).rewrite(bytes).rewritten()
    #expect(transformed.plan.embeddedImages.first?.disposition != .kept)
    let verdict = try Verifier(then: .rotate180).verify(original: bytes, result: transformed.bytes)
    #expect(verdict.findings == [])
    #expect(verdict.images.last?.transform == .rotate180)
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
  func `A stated transform is proven, and another one is explained`(
    path: String,
    transform: OrientationTransform
  ) throws {
    let bytes = try Fixture.bytes(path)
    guard case .rewritten(let rewrite) = try Rewriter(.normalize(then: transform)).rewrite(bytes),
      case .transform = rewrite.plan.action
    else { return }
    let stated = try Verifier(then: transform).verify(original: bytes, result: rewrite.bytes)
    #expect(stated.findings == [])
    let plain = try Verifier().verify(original: bytes, result: rewrite.bytes)
    #expect(plain.conclusion == .notProven)
    guard
      plain.findings.contains(where: {
        ["wrong-transform", "not-transformed"].contains($0.code.rawValue)
      })
    else { return }
    let note = plain.notes.first { $0.code.rawValue == "transformed-further" }
    #expect(note?.text.hasSuffix(": \(transform.rawValue)") == true)
  }
}

import ExifReference
import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

private func rewriter(_ change: (inout Options) -> Void) -> Rewriter {
  var options = Options()
  change(&options)
  return Rewriter(options: options)
}

extension Outcome {
  /// The rewritten file; an error where there is none.
  func rewritten() throws -> Rewrite {
    guard case .rewritten(let rewrite) = self else {
      throw Tool.Failure("not rewritten: \(plan.action)")
    }
    return rewrite
  }

  /// The identifier of the reason for which a file is skipped.
  var skipReason: String? {
    guard case .skip(let reason) = plan.action else { return nil }
    return reason.code.rawValue
  }
}

/// The Orientation of a file as exiftool reads it.
private func exifOrientation(_ bytes: [UInt8]) throws -> String {
  let tool = try Tool.run("exiftool", ["-n", "-s3", "-Orientation", "-"], input: bytes)
  return String(tool.text.prefix { $0 != "\n" })
}

struct OptionsTests {
  @Test(arguments: Fixture.expecting(.reencoded))
  func `Trimming cuts off what jpegtran cuts off, and reports how much`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let outcome = try rewriter { $0.unaligned = .trim }.rewrite(bytes)
    guard case .transform(let transform, .trimmed(let cut)) = outcome.plan.action else {
      // Nothing would be left of it.
      #expect(outcome.skipReason == "unaligned-edge")
      #expect(try #require(fixture.width) < 16 || #require(fixture.height) < 16)
      return
    }
    #expect(transform.rawValue == fixture.transform)
    let rewrite = try outcome.rewritten()
    let result = try ImageFile(rewrite.bytes).frame
    let size = transform.size(
      width: try #require(fixture.width) - cut.columns,
      height: try #require(fixture.height) - cut.rows
    )
    #expect((result.width, result.height) == size)
    #expect(cut.columns > 0 || cut.rows > 0)
    let complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    #expect(complaints == [])
  }

  @Test(arguments: Fixture.expecting(.reencoded))
  func `Files with unaligned edges are skipped if the options say so`(
    fixture: Fixture
  ) throws {
    let outcome = try rewriter { $0.unaligned = .skip }.rewrite(fixture.bytes())
    #expect(outcome.skipReason == "unaligned-edge")
  }

  @Test(arguments: Fixture.expecting(.reencoded))
  func `Unaligned edges are an error if the options say so`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let strict = rewriter { $0.unaligned = .fail }
    let error = #expect(throws: UprightError.self) { try strict.rewrite(bytes) }
    #expect(error?.code == .unalignedEdge)
  }

  @Test(arguments: Fixture.expecting(.lossless))
  func `The policy for unaligned edges has no effect on aligned ones`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let rewrite = try Rewriter().rewrite(bytes).rewritten()
    let expected = rewrite.bytes
    // The policy is also that of thumbnails, gain maps and previews.
    let images = rewrite.plan.embeddedImages
    guard !images.contains(where: { $0.disposition == .reencoded }) else { return }
    for policy in Options.UnalignedPolicy.allCases {
      let other = rewriter { $0.unaligned = policy }
      #expect(try other.rewrite(bytes).rewritten().bytes == expected)
    }
  }

  @Test(arguments: Fixture.expecting(.conflict))
  func `A tag that is trusted transforms the image`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let rewrite = try rewriter {
      $0.onConflict = .trustTag
      $0.registeredData = .keep
    }.rewrite(bytes).rewritten()
    #expect(
      rewrite.plan.action
        == .transform(try #require(OrientationTransform(rawValue: fixture.transform)), .lossless)
    )
    let complaints = try RewriteCheck.complaints(rewrite, of: bytes)
    #expect(complaints == [])
  }

  @Test(arguments: Fixture.expecting(.conflict))
  func `Resetting the tag changes only Orientation`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let rewrite = try rewriter { $0.onConflict = .resetTag }.rewrite(bytes).rewritten()
    let field =
      fixture.features.contains { $0.contains("in XMP") }
      ? "xmp.tiff.Orientation" : "exif.ifd0.orientation"
    #expect(rewrite.changes.map(\.field.rawValue) == [field])
    #expect(rewrite.changes.map(\.new) == ["1"])
    #expect(rewrite.plan.changes == rewrite.changes)
    #expect(rewrite.bytes.count == bytes.count)
    #expect(zip(bytes, rewrite.bytes).count { $0 != $1 } == 1)
    guard case .unchanged(let reason) = try Rewriter().rewrite(rewrite.bytes).plan.action else {
      Issue.record("not upright")
      return
    }
    #expect(reason.code == .upright)
  }

  @Test(arguments: Options.ConflictPolicy.allCases)
  func `The policy for conflicts has no effect without evidence`(
    policy: Options.ConflictPolicy
  ) throws {
    for path in ["exif/dimensions-swapped-180.jpg", "exif/thumbnail-square.jpg"] {
      let bytes = try Fixture.bytes(path)
      let expected = try Rewriter().rewrite(bytes).rewritten().bytes
      let other = rewriter { $0.onConflict = policy }
      #expect(try other.rewrite(bytes).rewritten().bytes == expected)
    }
  }

  @Test(arguments: [
    ("exif/orientation-0.jpg", "unknown-orientation"),
    ("exif/orientation-0-and-1.jpg", "unknown-orientation"),
    ("exif/orientation-9.jpg", "reserved-orientation"),
  ])
  func `An Orientation without a meaning is set to 1 on request, and nothing else changes`(
    path: String,
    reason: String
  ) throws {
    let bytes = try Fixture.bytes(path)
    for isStrict in [false, true] {
      let resetting = rewriter { ($0.resetsInvalid, $0.strictOrientation) = (true, isStrict) }
      let rewrite = try resetting.rewrite(bytes).rewritten()
      guard case .resetTag(let why) = rewrite.plan.action else {
        Issue.record("not reset: \(rewrite.plan.action)")
        return
      }
      #expect(why.code.rawValue == reason)
      #expect(try resetting.plan(bytes).action == rewrite.plan.action)
      #expect(rewrite.bytes.count == bytes.count)
      #expect(zip(rewrite.bytes, bytes).filter { $0 != $1 }.count == 1)
      #expect(try exifOrientation(rewrite.bytes) == "1")
      #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == bytes)
      let verdict = try Verifier().verify(original: bytes, result: rewrite.bytes)
      #expect(verdict.isProven, "\(verdict.findings)")
    }
    // With a further transform, the image counts as upright.
    var rotating = rewriter { $0.resetsInvalid = true }
    rotating.request = .normalize(then: .rotate90)
    let rotated = try rotating.rewrite(bytes).rewritten()
    #expect(rotated.plan.action == .transform(.rotate90, .lossless))
    #expect(try exifOrientation(rotated.bytes) == "1")
  }

  @Test func `An Orientation with a meaning is not reset`() throws {
    let resetting = rewriter { $0.resetsInvalid = true }
    let rotated = try Fixture.bytes("orientation/aligned-6.jpg")
    let plan = try resetting.rewrite(rotated).plan
    #expect(plan.action == .transform(.rotate90, .lossless))
    let unclear = try resetting.rewrite(Fixture.bytes("exif/orientation-0-and-6.jpg"))
    #expect(unclear.skipReason == "unclear-orientation")
    let upright = try resetting.rewrite(Fixture.bytes("orientation/aligned-1.jpg")).plan
    #expect(upright.action == .unchanged(Reason(.upright, "Orientation is 1")))
  }

  @Test(arguments: ["exif/orientation-0.jpg", "exif/orientation-0-and-1.jpg"])
  func `Orientation 0 is treated as 1 with a note, unless the options are strict`(
    path: String
  ) throws {
    let bytes = try Fixture.bytes(path)
    let plan = try Rewriter().rewrite(bytes).plan
    #expect(
      plan.action
        == .unchanged(Reason(.unknownOrientation, "Orientation is 0 (unknown) and is treated as 1"))
    )
    #expect(plan.notes.contains { $0.text.contains("treated as 1") })
    let strict = rewriter { $0.strictOrientation = true }
    #expect(try strict.rewrite(bytes).skipReason == "reserved-orientation")
    // What is seen can be rotated, and the tag says so.
    let rewrite = try Rewriter(.normalize(then: .rotate90)).rewrite(bytes).rewritten()
    #expect(rewrite.plan.action == .transform(.rotate90, .lossless))
    #expect(try Rewriter().rewrite(rewrite.bytes).plan.image.orientation == .up)
    let tagged = try Rewriter(.tag(.transform(.rotate90))).rewrite(bytes).rewritten()
    #expect(try Rewriter().rewrite(tagged.bytes).plan.image.orientation == .right)
  }

  @Test func `Resolutions are swapped with the axes if the options say so`() throws {
    let bytes = try Fixture.bytes("exif/resolution-differs.jpg")
    func resolutions(_ bytes: [UInt8]) throws -> [[UInt8]] {
      let image = try ImageFile(bytes)
      let payload = try #require(image.exif.first)
      let exif = try #require(ExifReference(app1Payload: payload))
      let tags = try [
        (ExifTag.xResolution, ReferenceTag.Directory.ifd0), (ExifTag.yResolution, .ifd0),
        (ExifTag.focalPlaneXResolution, .exif), (ExifTag.focalPlaneYResolution, .exif),
      ].map { try #require(exif.tag($0.0, in: $0.1)).bytes }
      let jfif = try #require(image.payloads(.app(0)).first)
      return tags + [Array(jfif[8..<10]), Array(jfif[10..<12])]
    }
    let before = try resolutions(bytes)
    #expect(before[0] != before[1] && before[2] != before[3] && before[4] != before[5])

    let kept = try Rewriter().rewrite(bytes).rewritten()
    #expect(try resolutions(kept.bytes) == before)
    #expect(kept.plan.notes.count == 3)

    let followed = try rewriter { $0.resolution = .follow }.rewrite(bytes).rewritten()
    #expect(
      try resolutions(followed.bytes)
        == [before[1], before[0], before[3], before[2], before[5], before[4]]
    )
    #expect(followed.plan.notes.isEmpty)
  }

  @Test func `An image of more pixels than the limit is skipped`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    #expect(try rewriter { $0.maxPixels = 96 * 64 }.rewrite(bytes).plan.action.rewrites)
    let outcome = try rewriter { $0.maxPixels = 96 * 64 - 1 }.rewrite(bytes)
    #expect(outcome.skipReason == "pixel-limit")
  }

  @Test func `The limit of pixels has no effect on an upright image`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-1.jpg")
    let plan = try rewriter { $0.maxPixels = 1 }.rewrite(bytes).plan
    guard case .unchanged = plan.action else {
      Issue.record("\(plan.action)")
      return
    }
  }
}

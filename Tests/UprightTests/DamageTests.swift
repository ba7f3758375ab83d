import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright

struct DamageTests {
  @Test(arguments: [
    "exif/thumbnail-aligned.jpg", "coding/progressive.jpg", "coding/restart-rows.jpg",
  ])
  func `A file that is truncated before EOI is an error`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    for length in 0..<bytes.count - 2 {
      let part = Array(bytes[..<length])
      #expect(throws: UprightError.self, "cut at \(length)") { try Rewriter().rewrite(part) }
    }
  }

  @Test func `Data after the image may be truncated at any length`() throws {
    let bytes = try Fixture.bytes("trailer/motion-photo.jpg")
    let end = try ImageFile(bytes).container.end
    for length in end...bytes.count {
      let part = Array(bytes[..<length])
      let rewrite = try Rewriter().rewrite(part).rewritten()
      // Where something follows, it stays where it was.
      #expect(length == end || rewrite.bytes.dropFirst(end) == part.dropFirst(end))
    }
  }

  @Test(arguments: [
    "orientation/aligned-7.jpg", "coding/progressive-script.jpg", "exif/resolution-differs.jpg",
    "sampling/cmyk-interleaved-tag-6.jpg", "exif/two-segments.jpg", "conflict/thumbnail-tag-8.jpg",
    "thumbnail/unaligned.jpg", "orientation/unaligned-3.jpg", "unaligned/progressive.jpg",
  ])
  func `Whatever bytes are damaged, the result is upright or there is none`(path: String) throws {
    let original = try Fixture.bytes(path)
    var generator = SeededGenerator(seed: 0xDA3A6E)
    for round in 0..<Effort.rounds(500) {
      let bytes = original.damaged(using: &generator)
      let unaligned = round.isMultiple(of: 2) ? Options.UnalignedPolicy.trim : .redraw
      for policy in Options.ConflictPolicy.allCases {
        var options = Options()
        (options.onConflict, options.unaligned, options.resolution) = (policy, unaligned, .follow)
        guard
          case .rewritten(let rewrite)? = try? Rewriter(options: options).rewrite(bytes)
        else { continue }
        guard case .unchanged(let reason)? = try? Rewriter().rewrite(rewrite.bytes).plan.action
        else {
          Issue.record("the result is not upright: \(difference(original, bytes))")
          continue
        }
        #expect(reason.code == .upright, "\(difference(original, bytes))")
      }
    }
  }

  @Test(arguments: [
    "orientation/aligned-6.jpg", "coding/progressive.jpg", "coding/restart-rows.jpg",
    "orientation/unaligned-3.jpg",
  ])
  func `A result of a damaged scan is accepted by strict decoders and is lossless`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    let scans = try ImageFile(original).container.scans.map(\.data)
    var generator = SeededGenerator(seed: 42)
    var rewritten = 0
    for _ in 0..<60 {
      var bytes = original
      let scan = try #require(scans.randomElement(using: &generator))
      let place = try #require(scan.randomElement(using: &generator))
      bytes[place] = UInt8.random(in: 0...255, using: &generator)
      guard let outcome = try? Rewriter().rewrite(bytes), outcome.plan.action.rewrites else {
        continue
      }
      rewritten += 1
      let rewrite = try outcome.rewritten()
      // Bytes that damage leaves after the last MCU are reported; a strict decoder warns of them.
      if rewrite.plan.notes.contains(where: { $0.text.contains("stray byte") }) { continue }
      // Damage makes longer codes, and samples so far out of range that decoders show what they like.
      let complaints = try RewriteCheck.complaints(rewrite, of: bytes).filter {
        !$0.hasPrefix("the file grew") && !$0.hasPrefix("the pixels come no closer")
      }
      #expect(complaints == [], "\(difference(original, bytes))")
    }
    #expect(rewritten < 60)
  }

  @Test(arguments: Fixture.all)
  func `The check of an upright image finds damage, and only damage`(
    fixture: Fixture
  ) throws {
    var options = Options()
    options.checksUnchanged = true
    // Results are already upright, and are of every coding that can be transformed.
    var file = try fixture.bytes()
    guard let outcome = try? Rewriter().rewrite(file) else { return }
    if case .rewritten(let rewrite) = outcome { file = rewrite.bytes }
    guard case .unchanged = try Rewriter().rewrite(file).plan.action else { return }
    let plan = try Rewriter(options: options).rewrite(file).plan
    guard case .unchanged = plan.action else {
      Issue.record("the file needs something: \(plan.action)")
      return
    }
    #expect(!plan.notes.contains { $0.text.contains("not checked") })
    let scan = try #require(try Container(file.span).scans.first).data
    guard scan.count > 200 else { return }
    file.removeSubrange(scan.lowerBound + scan.count / 2..<scan.upperBound)
    do throws(UprightError) {
      _ = try Rewriter(options: options).rewrite(file)
      Issue.record("the damage is not found")
    } catch { #expect(error.code == .damagedScan) }
  }
}

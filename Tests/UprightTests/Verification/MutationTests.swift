import Fixtures
import Testing
import Upright
import Verification

/// Thousands of damaged files: whatever is wrong with one, the answer is a result, a reason or an error.
struct MutationTests {
  private static let fixtures = [
    "orientation/aligned-6.jpg", "orientation/unaligned-7.jpg", "coding/progressive.jpg",
    "coding/restart-rows.jpg", "exif/two-segments.jpg", "multi-picture/apple.jpg",
    "thumbnail/longer-in-the-middle.jpg", "trailer/motion-photo.jpg", "xmp/grows.jpg",
    "sampling/ycck-420-tag-6.jpg",
  ]

  private func check(_ bytes: [UInt8], _ what: @autoclosure () -> String) {
    var options = Options()
    // Damage must not make the tests slow; a claim of this size says enough.
    options.maxPixels = 1 << 20
    (options.onConflict, options.regions) = (.trustTag, .follow)
    guard case .rewritten(let rewrite)? = try? Rewriter(options: options).rewrite(bytes) else {
      return
    }
    #expect(rewrite.verification != .none, "\(what())")
    guard let verdict = try? Verifier().verify(original: bytes, result: rewrite.bytes) else {
      Issue.record("the result of \(what()) cannot be read")
      return
    }
    guard let image = verdict.images.first else { return }
    if let redraw = rewrite.redraw, image.relation == .different {
      // Damaged data shows samples far beyond white, which no redraw follows; both measures say so.
      #expect(redraw.psnr < 36, "\(what()): \(redraw.psnr) dB, and \(verdict.findings)")
    } else {
      #expect([.lossless, .reencoded].contains(image.relation), "\(what()): \(verdict.findings)")
    }
  }

  @Test(arguments: fixtures) func `Flipped bits end in a result, a reason or an error`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    var generator = SeededGenerator(seed: 0xB17)
    for _ in 0..<250 {
      var bytes = original
      var flips: [Int] = []
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let bit = Int.random(in: 0..<bytes.count * 8, using: &generator)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        flips.append(bit)
      }
      check(bytes, "\(path) with the bits \(flips) flipped")
    }
  }

  @Test(arguments: fixtures) func `Spliced files end in a result, a reason or an error`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    var generator = SeededGenerator(seed: 0xC07)
    for _ in 0..<150 {
      let cut = Int.random(in: original.indices, using: &generator)
      check(Array(original[..<cut]), "\(path) cut at \(cut)")
      let (first, second) = (
        Int.random(in: original.indices, using: &generator),
        Int.random(in: original.indices, using: &generator)
      )
      let (start, end) = (min(first, second), max(first, second))
      check(Array(original[..<start] + original[end...]), "\(path) without \(start)..<\(end)")
      check(Array(original[..<end] + original[start...]), "\(path) with \(start)..<\(end) twice")
    }
  }
}

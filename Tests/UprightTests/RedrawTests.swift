import Fixtures
import ImageOrientation
import Testing
import Upright

private let reencoded = Fixture.expecting(.reencoded)

private func redraw(_ bytes: [UInt8], _ quality: Options.RedrawQuality) throws -> Rewrite {
  var options = Options()
  options.redrawQuality = quality
  return try Rewriter(options: options).rewrite(bytes).rewritten()
}

extension Edges {
  fileprivate var keptComponents: [Int]? {
    guard case .reencoded(let kept, _) = self else { return nil }
    return kept
  }
}

struct RedrawTests {
  @Test(arguments: reencoded.filter(\.hasPixels))
  func `The best quality is at least as close as the standard one`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    let transform = try #require(OrientationTransform(rawValue: fixture.transform))
    let (standard, best) = (try redraw(bytes, .standard), try redraw(bytes, .max))
    let psnr = try [standard, best].map {
      try Pixels.psnr(of: $0.bytes, to: bytes, transform)
    }
    // Where the sampling sets the limit, chance decides the tenths.
    #expect(psnr[1] >= psnr[0] - 0.2)
    #expect(best.verification == .restored)
    #expect(try best.undo?.restoreOriginal(from: best.bytes) == bytes)
    #expect(standard.plan.action == best.plan.action)
  }

  @Test(arguments: reencoded)
  func `A re-encoded image is upright and not re-encoded again`(fixture: Fixture) throws {
    let bytes = try redraw(fixture.bytes(), .standard).bytes
    for policy in Options.UnalignedPolicy.allCases {
      var options = Options()
      options.unaligned = policy
      let plan = try Rewriter(options: options).rewrite(bytes).plan
      guard case .unchanged(let reason) = plan.action else {
        Issue.record("\(plan.action)")
        continue
      }
      #expect(reason.code == .upright)
    }
  }

  @Test(
    arguments: [
      ("sampling/420-luma-aligned.jpg", [0]), ("orientation/unaligned-6.jpg", []),
      ("sampling/444-unaligned.jpg", []), ("sampling/grayscale-unaligned.jpg", []),
    ] as [(String, [Int])]
  )
  func `Components that are block-aligned stay lossless`(path: String, kept: [Int]) throws {
    let rewrite = try redraw(Fixture.bytes(path), .standard)
    guard case .transform(_, let edges) = rewrite.plan.action else {
      Issue.record("\(rewrite.plan.action)")
      return
    }
    #expect(edges.keptComponents == kept)
  }

  @Test(arguments: [
    "cmyk-unaligned", "cmyk-2x2-1x1-1x1-1x1-unaligned", "ycck-unaligned", "ycck-420-unaligned",
    "ycck-2x2-1x1-1x1-2x2-unaligned",
  ])
  func `The reported PSNR of four components is that of the image as djpeg shows it`(
    name: String
  ) throws {
    let original = try Fixture.bytes("sampling/\(name).jpg")
    let rewrite = try redraw(original, .standard)
    guard case .transform(let transform, _) = rewrite.plan.action else {
      Issue.record("\(rewrite.plan.action)")
      return
    }
    let shown = try Pixels.psnr(of: rewrite.bytes, to: original, transform)
    #expect(abs(try #require(rewrite.redraw?.psnr) - shown) < 0.2)
  }

  @Test func `The redraw does not depend on whether it is verified`() throws {
    let bytes = try Fixture.bytes("orientation/unaligned-7.jpg")
    var options = Options()
    options.verification = .none
    let rewrite = try Rewriter(options: options).rewrite(bytes).rewritten()
    #expect(rewrite.verification == .none && rewrite.undo == nil)
    #expect(try rewrite.bytes == redraw(bytes, .standard).bytes)
  }
}

import Fixtures
import ImageOrientation
import Testing
import Upright

/// A photo's tag and what is done to what a viewer sees.
private struct Case: Sendable, CustomTestStringConvertible {
  var viewer: Viewer
  var orientation: Orientation
  var testDescription: String { "\(viewer.rawValue), Orientation \(orientation.rawValue)" }

  static let all = Viewer.allCases.filter(\.isInstalled).flatMap { viewer in
    Orientation.allCases.map { Case(viewer: viewer, orientation: $0) }
  }

  /// All that change something.
  static let transforms = OrientationTransform.allCases.filter { $0 != .none }

  var photo: [UInt8] {
    get throws { try Fixture.bytes("orientation/aligned-\(orientation.rawValue).jpg") }
  }
}

@Suite(
  .enabled(
    if: Viewer.imageMagick.isInstalled,
    "ImageMagick is not installed: tools/setup --tests"
  ),
  .enabled(if: Viewer.pillow.isInstalled, "no python3 has Pillow: tools/setup --tests")
)
struct ViewerTests {
  @Test(arguments: Case.all)
  private func `Viewers show what the algebra predicts, for every transform`(one: Case) throws {
    let transforms = OrientationTransform.allCases
    let (stored, shown) = try one.viewer.views(one.photo, then: transforms)
    for (transform, shown) in zip(transforms, shown) {
      #expect(
        shown == stored.transformed(by: one.orientation.transform.then(transform)),
        "\(transform)"
      )
      // Two transforms that give the same would hide a mistake.
      #expect(
        transform == .none || shown != stored.transformed(by: one.orientation.transform),
        "\(transform)"
      )
    }
  }

  @Test(arguments: Case.all)
  private func `A changed tag lets viewers show what they show of the original and then transform`(
    one: Case
  ) throws {
    let photo = try one.photo
    let expected = try one.viewer.views(photo, then: Case.transforms).shown
    for (transform, expected) in zip(Case.transforms, expected) {
      let changed = try Rewriter(.tag(.transform(transform))).rewrite(photo).rewritten().bytes
      #expect(try one.viewer.views(changed).shown == [expected], "\(transform)")
    }
  }

  @Test(arguments: Case.all)
  private func `A transformed image shows the same, to viewers that ignore tags too`(
    one: Case
  ) throws {
    let photo = try one.photo
    let expected = try one.viewer.views(photo, then: Case.transforms).shown
    for (transform, expected) in zip(Case.transforms, expected) {
      let transformed = try Rewriter(.normalize(then: transform)).rewrite(photo).rewritten().bytes
      let (stored, shown) = try one.viewer.views(transformed)
      #expect([stored] == shown, "\(transform)")
      // The coefficients are the same; decoders round the two axes one after the other.
      #expect(try #require(stored.psnr(to: expected)) > 45, "\(transform)")
    }
  }
}

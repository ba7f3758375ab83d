import Fixtures
import ImageOrientation
import Testing
import Upright

/// A photograph's tag and what is done to what a viewer sees.
private struct Case: Sendable, CustomTestStringConvertible {
  var viewer: Viewer
  var orientation: Orientation
  var testDescription: String { "\(viewer.rawValue), Orientation \(orientation.rawValue)" }

  static let all = Viewer.allCases.filter(\.isInstalled).flatMap { viewer in
    Orientation.allCases.map { Case(viewer: viewer, orientation: $0) }
  }

  var photo: [UInt8] {
    get throws { try Fixture.bytes("orientation/aligned-\(orientation.rawValue).jpg") }
  }
}

@Suite(
  .enabled(
    if: Viewer.imageMagick.isInstalled,
    "ImageMagick is not installed (tools/setup --tests)"
  ),
  .enabled(if: Viewer.pillow.isInstalled, "Pillow is not installed (tools/setup --tests)")
)
struct ViewerTests {
  @Test(arguments: Case.all)
  private func `What viewers show is what the algebra says, for every turn`(one: Case) throws {
    let photo = try one.photo
    let stored = try one.viewer.stored(photo)
    for turn in Turn.allCases {
      let shown = try one.viewer.shown(photo, then: turn)
      #expect(shown == stored.turned(by: one.orientation.turn.then(turn)), "\(turn)")
      // Two turns that give the same would hide a mistake.
      #expect(turn == .none || shown != stored.turned(by: one.orientation.turn), "\(turn)")
    }
  }

  @Test(arguments: Case.all)
  private func `A changed tag lets viewers show what they show of the original and then turn`(
    one: Case
  ) throws {
    let photo = try one.photo
    for turn in Turn.allCases where turn != .none {
      let changed = try TagEditor(.turn(turn)).edit(photo).rewritten().bytes
      #expect(try one.viewer.shown(changed) == one.viewer.shown(photo, then: turn), "\(turn)")
    }
  }

  @Test(arguments: Case.all)
  private func `A turned picture shows the same, to viewers that ignore tags too`(
    one: Case
  ) throws {
    let photo = try one.photo
    for turn in Turn.allCases where turn != .none {
      let turned = try Normalizer(then: turn).normalize(photo).rewritten().bytes
      let (stored, shown) = (try one.viewer.stored(turned), try one.viewer.shown(turned))
      #expect(stored == shown, "\(turn)")
      // The coefficients are the same; decoders round the two axes one after the other.
      let expected = try one.viewer.shown(photo, then: turn)
      #expect(try #require(stored.closeness(to: expected)) > 45, "\(turn)")
    }
  }
}

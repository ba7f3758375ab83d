import Fixtures
import ImageOrientation
import Testing
import Upright

@Suite struct RemedyTests {
  /// The steps of a file's reason to be skipped.
  private func steps(
    _ fixture: String,
    _ change: (inout Options) -> Void = { _ in }
  ) throws
    -> [Remedy.Step]
  {
    var options = Options()
    change(&options)
    let plan = try Rewriter(options: options).plan(Fixture.bytes(fixture))
    guard case .skip(let reason) = plan.action else { return [] }
    return reason.remedies.map(\.step)
  }

  @Test func `A reason has the policies that change the decision`() throws {
    #expect(
      try steps("conflict/thumbnail-landscape.jpg") == [
        .policy("on-conflict", "trust-tag"), .policy("on-conflict", "reset-tag"),
      ]
    )
    #expect(
      try steps("convention/phone-unaligned.jpg") { $0.unaligned = .skip } == [
        .policy("unaligned", "redraw"), .policy("unaligned", "trim"),
      ]
    )
    #expect(
      try steps("conflict/thumbnail-landscape.jpg") { $0.maxPixels = 1 } == [.limit("max-pixels")]
    )
  }

  @Test func `The situations of one identifier have different remedies`() throws {
    // A thumbnail is not trimmed, and an image of less than an MCU cannot be.
    #expect(
      try steps("unaligned/17x13-tag-6.jpg") { $0.unaligned = .skip } == [
        .policy("unaligned", "redraw")
      ]
    )
    #expect(
      try steps("thumbnail/unaligned.jpg") { $0.unaligned = .skip } == [
        .policy("unaligned", "redraw")
      ]
    )
  }

  @Test func `Each policy of a remedy can be set, and changes the decision`() throws {
    for (fixture, name) in [
      ("conflict/thumbnail-landscape.jpg", "conflict"), ("convention/phone-unaligned.jpg", "edge"),
    ] {
      for step in try steps(fixture, { $0.unaligned = .skip }) {
        guard case .policy(let policy, let value) = step else {
          Issue.record("\(step)")
          continue
        }
        let left = try steps(fixture) { options in
          options.unaligned = .skip
          #expect((try? options.setPolicy(policy, to: value)) == true)
        }
        #expect(!left.contains(step), "\(name): \(step)")
      }
    }
  }

  @Test func `The error of a policy has the remedies of its reason`() throws {
    var options = Options()
    options.unaligned = .fail
    let error = #expect(throws: UprightError.self) {
      try Rewriter(options: options).plan(Fixture.bytes("convention/phone-unaligned.jpg"))
    }
    #expect(
      error?.remedies.map(\.step) == [.policy("unaligned", "redraw"), .policy("unaligned", "trim")]
    )
  }

  @Test func `A HEIF file that is not accepted can be converted`() throws {
    let error = #expect(throws: UprightError.self) {
      try Rewriter(.crop(PixelRectangle(x: 0, y: 0, width: 8, height: 8))).rewrite(
        Fixture.bytes("formats/agree.heic")
      )
    }
    #expect(error?.remedies.map(\.step) == [.action(.convert)])
  }
}

import Fixtures
import Testing
import Upright
import Verification

/// What errors and reasons say of themselves.
struct DescriptionTests {
  @Test func `Errors give their offset`() {
    let error = UprightError(.damagedScan, at: 17, "a code is not in the table")
    #expect("\(error)" == "a code is not in the table (at byte 17)")
    #expect(
      "\(error.of(.result))"
        == "the result cannot be read: a code is not in the table (at byte 17)"
    )
  }

  @Test func `A verdict is its conclusion`() throws {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(original) else {
      Issue.record("nothing was rewritten")
      return
    }
    let verifier = Verifier()
    let verdict = try verifier.verify(original: original, result: rewrite.bytes)
    #expect(
      "\(verdict)" == "proven: rotate 90° clockwise, all 9216 coefficients are the same"
    )
    let other = try verifier.verify(original: rewrite.bytes, result: original)
    #expect("\(other)".hasPrefix("not proven, "))
  }

  @Test func `Other programs can define codes`() {
    let own = Reason(Reason.Code(rawValue: "intake-closed"), "the intake is closed")
    #expect(own.code != .conflict && "\(own)" == "the intake is closed")
    #expect(Change.Field.scan(2).rawValue == "scan.2")
  }
}

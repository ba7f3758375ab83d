import Fixtures
import Foundation
import Testing
import Upright
import UprightFoundation
import Verification

/// What programs hold that use Foundation.
struct UprightFoundationTests {
  private let photo: Data

  init() throws { photo = Data(try Fixture.bytes("sample/portrait.jpg")) }

  @Test func `Data is processed like bytes`() throws {
    let bytes = [UInt8](photo)
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(photo),
      case .rewritten(let expected) = try Rewriter().rewrite(bytes)
    else { throw Tool.Failure("the fixture is not rewritten") }
    #expect(rewrite.bytes == expected.bytes && rewrite.data == Data(expected.bytes))
    #expect(try Rewriter().plan(photo).action == rewrite.plan.action)
    #expect(try Verifier().verify(original: photo, result: rewrite.data).isProven)
    let undo = try UndoRecord(data: try #require(rewrite.undo).data)
    #expect(try undo.restoreOriginal(from: rewrite.data) == photo)
    let slice = (Data([1, 2, 3]) + photo)[3...]
    #expect(try Rewriter().rewrite(slice).data(original: slice) == rewrite.data)
    #expect(try Rewriter().rewrite(rewrite.data).data(original: rewrite.data) == rewrite.data)
  }

  @Test func `A file on disk is planned and audited from its header`() throws {
    let scratch = try Scratch()
    let url = URL(filePath: try scratch.write([UInt8](photo), to: "photo.jpg"))
    #expect(try Rewriter().plan(contentsOf: url).action == Rewriter().plan(photo).action)
    var (audit, whole) = (try Rewriter().audit(contentsOf: url), try Rewriter().audit(photo))
    // It is known only of files that are read to the end.
    (audit.facts.trailingBytes, whole.facts.trailingBytes) = (nil, nil)
    #expect(audit.facts == whole.facts)
    if case .unchanged = try Rewriter().rewrite(contentsOf: url) { Issue.record("unchanged") }
    #expect(throws: CocoaError.self) {
      try Rewriter().plan(contentsOf: URL(filePath: scratch.path("none.jpg")))
    }
  }

  @Test func `Errors have a localized description`() {
    let error: any Error = UprightError(.truncated, at: 20, "the file ends")
    #expect(error.localizedDescription == "the file ends (at byte 20)")
    let unreadable: any Error = UprightError(.empty, "empty").of(.original)
    #expect(unreadable.localizedDescription == "the original cannot be read: empty")
  }
}

import Fixtures
import Testing
import Upright

/// Files whose scans are written as other encoders than libjpeg write them.
struct ConventionTests {
  @Test(arguments: Fixture.ofConventions, 2...8)
  func `Files of other encoders are rewritten and restored byte for byte`(
    fixture: Fixture,
    orientation: Int
  ) throws {
    let image = try ImageFile(fixture.bytes())
    let isAsked = fixture.orientation == orientation
    let bytes = try isAsked ? image.bytes : #require(image.withOrientation(orientation))
    let rewrite = try Rewriter().rewrite(bytes).rewritten()
    #expect(rewrite.verification == .restored)
    let undo = try #require(rewrite.undo)
    #expect(try undo.restoreOriginal(from: rewrite.bytes) == bytes)
    #expect(
      try UndoRecord(serialized: undo.serialized).restoreOriginal(from: rewrite.bytes) == bytes
    )
  }

  /// The record of these images in libjpeg's convention has up to 700 bytes; one that kept their scans bit by bit
  /// would have more than 1000, and be refused where an image is larger.
  @Test(arguments: Fixture.ofConventions.filter { $0.expect == .lossless })
  func `A convention needs a few bytes of the record`(fixture: Fixture) throws {
    let rewrite = try Rewriter().rewrite(fixture.bytes()).rewritten()
    #expect(try #require(rewrite.undo).serialized.count <= 900)
  }
}

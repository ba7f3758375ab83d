import Fixtures
import Testing
import Upright

/// A rewritten fixture with its record.
private func rewrite(
  _ path: String
) throws -> (original: [UInt8], result: [UInt8], undo: UndoRecord) {
  let original = try Fixture.bytes(path)
  let rewrite = try Rewriter().rewrite(original).rewritten()
  return (original, rewrite.bytes, try #require(rewrite.undo))
}

/// Small files of every kind of record: transformed, re-encoded, several scans, thumbnails, other images.
private let kinds = [
  "orientation/aligned-6.jpg", "orientation/unaligned-3.jpg", "unaligned/2x3-tag-7.jpg",
  "unaligned/progressive.jpg", "coding/progressive-script.jpg", "coding/scans-by-component.jpg",
  "sampling/ycck-420-unaligned.jpg", "sampling/1x4-unaligned.jpg", "thumbnail/unaligned.jpg",
  "thumbnail/rgb.jpg", "thumbnail/longer-in-the-middle.jpg",
  "multi-picture/gain-map-unaligned.jpg", "multi-picture/several.jpg", "xmp/grows.jpg",
]

struct UndoTests {
  @Test(arguments: Fixture.expecting(.lossless) + Fixture.expecting(.reencoded))
  func `The record can be stored, and restores the original`(fixture: Fixture) throws {
    let (original, result, undo) = try rewrite(fixture.path)
    let stored = try UndoRecord(serialized: undo.serialized)
    #expect(stored == undo)
    #expect(stored.serialized == undo.serialized)
    #expect(try stored.restoreOriginal(from: result) == original)
  }

  @Test func `A tag that is reset can be set again`() throws {
    let original = try Fixture.bytes("conflict/dimensions-tag-6.jpg")
    var options = Options()
    options.onConflict = .resetTag
    let rewrite = try Rewriter(options: options).rewrite(original).rewritten()
    #expect(rewrite.verification == .restored)
    #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == original)
  }

  @Test(arguments: kinds)
  func `A truncated or extended result is refused`(
    path: String
  ) throws {
    let (_, result, undo) = try rewrite(path)
    for length in stride(from: 0, to: result.count, by: 41) {
      #expect(throws: UprightError.self) {
        try undo.restoreOriginal(from: Array(result[..<length]))
      }
    }
    #expect(throws: UprightError.self) { try undo.restoreOriginal(from: result.dropLast()) }
    #expect(throws: UprightError.self) { try undo.restoreOriginal(from: result + [0]) }
  }

  @Test(arguments: kinds)
  func `A truncated or extended record is refused`(path: String) throws {
    let record = try rewrite(path).undo.serialized
    for length in 0..<record.count {
      let error = #expect(throws: UprightError.self, "cut at \(length)") {
        try UndoRecord(serialized: Array(record[..<length]))
      }
      #expect(error?.code == .malformed)
    }
    #expect(throws: UprightError.self) { try UndoRecord(serialized: record + [0]) }
  }

  @Test(arguments: kinds)
  func `Whatever bytes of a record are damaged, restoring ends`(path: String) throws {
    let (_, result, undo) = try rewrite(path)
    let record = undo.serialized
    var generator = SeededGenerator(seed: 0x0DD)
    var readable = 0
    for _ in 0..<400 {
      let damaged = record.damaged(using: &generator)
      guard let other = try? UndoRecord(serialized: damaged) else { continue }
      readable += 1
      _ = try? other.restoreOriginal(from: result)
    }
    #expect(readable > 0)
  }

  @Test(arguments: kinds)
  func `Whatever bytes of a result are damaged, restoring ends`(path: String) throws {
    let (_, result, undo) = try rewrite(path)
    var generator = SeededGenerator(seed: 0xFACE)
    for _ in 0..<200 { _ = try? undo.restoreOriginal(from: result.damaged(using: &generator)) }
  }

  @Test func `A record of another file is refused`() throws {
    let records = try kinds.map(rewrite)
    for (index, record) in records.enumerated() {
      for (other, file) in records.enumerated() where other != index {
        #expect(throws: UprightError.self) { try record.undo.restoreOriginal(from: file.result) }
      }
    }
  }
}

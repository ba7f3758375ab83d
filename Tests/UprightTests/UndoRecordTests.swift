import FileBytes
import Fixtures
import JPEGCore
import Testing
import Upright

/// Records come from files that anybody may have changed.
struct UndoRecordTests {
  private static let fixtures = [
    "orientation/aligned-6.jpg", "orientation/unaligned-6.jpg", "coding/progressive.jpg",
    "sample/portrait.jpg",
  ]

  private func record(_ path: String) throws -> (TransformedFile, UndoRecord) {
    let file = try TransformedFile(path)
    return (file, try #require(file.rewrite.undo))
  }

  @Test func `Every fixture is restored from its serialized record, byte for byte`() throws {
    var restored = 0
    for fixture in Fixture.all {
      let original = try fixture.bytes()
      guard case .rewritten(let rewrite)? = try? Rewriter().rewrite(original),
        let undo = rewrite.undo
      else { continue }
      let read = try UndoRecord(serialized: undo.serialized)
      #expect(read == undo, "\(fixture)")
      #expect(try read.restoreOriginal(from: rewrite.bytes) == original, "\(fixture)")
      restored += 1
    }
    #expect(restored > 150)
  }

  @Test func `A truncated record is refused`() throws {
    let (_, undo) = try record("orientation/aligned-6.jpg")
    let bytes = undo.serialized
    for count in bytes.indices {
      #expect(throws: UprightError.self, "\(count)") {
        try UndoRecord(serialized: Array(bytes[..<count]))
      }
    }
    #expect(throws: UprightError.self) { try UndoRecord(serialized: bytes + [0]) }
  }

  @Test(arguments: fixtures)
  func `Damage of a record never ends the process`(path: String) throws {
    let (file, undo) = try record(path)
    let bytes = undo.serialized
    var generator = SeededGenerator(seed: 7)
    var (refused, restored) = (0, 0)
    for _ in 0..<2500 {
      let damaged = bytes.damaged(using: &generator)
      do throws(UprightError) {
        let read = try UndoRecord(serialized: damaged)
        if try read.restoreOriginal(from: file.bytes) == file.original { restored += 1 }
      } catch {
        refused += 1
      }
    }
    #expect(refused > 1000)
    #expect(restored < 2500)
  }

  @Test(arguments: fixtures)
  func `Damage of the file that a record belongs to never ends the process`(path: String) throws {
    let (file, undo) = try record(path)
    var generator = SeededGenerator(seed: 8)
    var restored = 0
    for _ in 0..<500 {
      let damaged = file.bytes.damaged(using: &generator)
      if damaged != file.bytes, (try? undo.restoreOriginal(from: damaged)) == file.original {
        restored += 1
      }
    }
    // Some bytes, such as Orientation's, are in the record and not looked at in the file.
    #expect(restored < 100)
  }

  @Test func `A record with redundant defaults is equal when it is read again`() throws {
    let bytes: [UInt8] = [1, 255, 255, 255, 1, 1, 1, 1, 1, 1, 17, 1, 1, 0, 0, 0, 0]
    let record = try UndoRecord(serialized: bytes)
    #expect(record.serialized.count < bytes.count)
    #expect(try UndoRecord(serialized: record.serialized) == record)
  }

  @Test func `A record for another file is refused`() throws {
    let (_, undo) = try record("orientation/aligned-6.jpg")
    let other = try TransformedFile("sample/portrait.jpg")
    #expect(throws: UprightError.self) { try undo.restoreOriginal(from: other.bytes) }
  }

  // MARK: - Sizes that nobody has

  /// The beginning of a record: version and size of the result, then the steps.
  private func writer(resultOf size: Int, steps: Int) -> CompactWriter {
    var writer = CompactWriter()
    writer.write(1)
    writer.write(size)
    writer.write(steps)
    return writer
  }

  @Test(arguments: [1 << 60, Int.max, -1, Int.min, 1 << 32])
  func `A literal beyond the end of the record is refused`(size: Int) {
    var writer = writer(resultOf: 4, steps: 1)
    writer.write(2)
    writer.write(size)
    #expect(throws: UprightError.self) { try UndoRecord(serialized: writer.bytes) }
  }

  @Test(arguments: [0, 1], [1 << 60, Int.max, 5])
  func `Bytes beyond the result are neither copied nor skipped`(step: Int, size: Int) throws {
    var writer = writer(resultOf: 4, steps: 2)
    writer.write(0)
    writer.write(1)
    writer.write(step)
    writer.write(size)
    writer.write(0)
    let record = try UndoRecord(serialized: writer.bytes)
    #expect(throws: UprightError.self) { try record.restoreOriginal(from: [1, 2, 3, 4]) }
  }

  @Test func `Pixels of more bytes than the result has are refused`() throws {
    var writer = writer(resultOf: 4, steps: 1)
    writer.write(3)
    writer.write(65_535)
    writer.write(65_535)
    writer.write(6)
    writer.write(0)
    let record = try UndoRecord(serialized: writer.bytes)
    #expect(throws: UprightError.self) { try record.restoreOriginal(from: [1, 2, 3, 4]) }
  }

  /// A record that copies a whole file and has its image at two offsets coded again.
  private func recoding(
    _ file: [UInt8],
    resultStart: Int,
    skeletonStart: Int,
    isReencoded: Bool = false,
    images: Int = 1
  ) throws -> UndoRecord {
    var writer = writer(resultOf: file.count, steps: 1)
    writer.write(0)
    writer.write(file.count)
    writer.write(images)
    for _ in 0..<images {
      // The transform, and that the scans are as libjpeg writes them.
      for number in [resultStart, skeletonStart, 6, 0, isReencoded ? 1 : 0] { writer.write(number) }
      if isReencoded { writer.write(RedrawExceptions(components: 3).serialized) }
      writer.write(0)
    }
    return try UndoRecord(serialized: writer.bytes)
  }

  @Test(arguments: [false, true], [Int.max, 1 << 40, 2])
  func `An image that is not where the record says is refused`(
    isReencoded: Bool,
    start: Int
  ) throws {
    let file = try TransformedFile("orientation/aligned-6.jpg").bytes
    for (result, skeleton) in [(start, 0), (0, start)] {
      let record = try recoding(
        file,
        resultStart: result,
        skeletonStart: skeleton,
        isReencoded: isReencoded
      )
      #expect(throws: UprightError.self) { try record.restoreOriginal(from: file) }
    }
  }

  @Test(arguments: [false, true])
  func `An image with an enormous size is refused before memory is allocated`(
    isReencoded: Bool
  ) throws {
    var file = try TransformedFile("orientation/aligned-6.jpg").bytes
    let frame = try #require(file.firstRange(of: [0xFF, 0xC0, 0x00, 0x11, 0x08]))
    for place in frame.upperBound..<frame.upperBound + 4 { file[place] = 0xFF }
    let record = try recoding(file, resultStart: 0, skeletonStart: 0, isReencoded: isReencoded)
    #expect(throws: UprightError.self) { try record.restoreOriginal(from: file) }
  }

  @Test func `A record of more images than files have is refused`() throws {
    #expect(throws: UprightError.self) {
      try recoding([0xFF, 0xD8], resultStart: 0, skeletonStart: 0, images: 100_000)
    }
  }

  @Test func `An image is not restored beyond the limit of pixels`() throws {
    let (file, undo) = try record("orientation/aligned-6.jpg")
    #expect(throws: UprightError.self) {
      try undo.restoreOriginal(from: file.bytes, maxPixels: 96 * 64 - 1)
    }
    #expect(try undo.restoreOriginal(from: file.bytes, maxPixels: 96 * 64) == file.original)
  }
}

import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Structures that share bytes, which no camera writes: whatever is made of them, the process lives on.
struct OverlapTests {
  @Test func `Overlapping images in the index do no harm`() async {
    await #expect(processExitsWith: .success) {
      var bytes = try Fixture.bytes("multi-picture/preview-holds-soi.jpg")
      // The second entry, of 0 bytes and nowhere, becomes the SOI inside the first one's APP5.
      let nowhere = try #require(bytes.firstRange(of: [0x7F, 0xFF, 0xFF, 0xF0])).lowerBound
      bytes.write(bytes.number(at: nowhere - 20) - 6, at: nowhere - 4)
      bytes.write(bytes.number(at: nowhere - 16) + 6, at: nowhere)
      _ = try? Rewriter().rewrite(bytes)
    }
  }

  @Test func `Fields that share a value do no harm`() async {
    await #expect(processExitsWith: .success) {
      var bytes = try Fixture.bytes("exif/dimensions-long.jpg")
      // Both PixelX and YDimension become two numbers, the eight letters of the Make.
      let place = try #require(bytes.firstRange(of: Array("Upright\0".utf8))).lowerBound
      try bytes.setDimension(0x02, count: 2, place: place)
      try bytes.setDimension(0x03, count: 2, place: place)
      _ = try? Rewriter().rewrite(bytes)
    }
  }

  @Test func `A field whose value overlaps a directory is not written`() throws {
    var bytes = try Fixture.bytes("unaligned/33x47-tag-7.jpg")
    // Five numbers are at an offset: the width of 33 pixels overlaps the entry of Orientation.
    let count = try #require(bytes.firstRange(of: [0x02, 0xA0, 4, 0, 1, 0, 0, 0])).upperBound - 4
    bytes[count] = 5
    guard case .rewritten(let rewrite) = try Rewriter().rewrite(bytes) else { return }
    let hasOrientation = try ImageFile(rewrite.bytes).withOrientation(2) != nil
    #expect(hasOrientation)
  }

  @Test func `A field whose value overlaps the thumbnail does no harm`() async {
    await #expect(processExitsWith: .success) {
      var bytes = try Fixture.bytes("thumbnail/progressive.jpg")
      let table = try #require(bytes.firstRange(of: [0xFF, 0xDB])).upperBound
      try bytes.setDimension(0x02, count: 2, place: table + 8)
      _ = try? Rewriter().rewrite(bytes)
    }
  }
}

/// Changes that would also change another field, as other readers see it.
struct SharedBytesTests {
  /// A file with a number of an Exif entry changed: the offset of the entry in the block, and the new bytes.
  private static let changes: [(name: String, entry: Int, bytes: [UInt8])] = [
    // The GPS directory has three entries, within the Exif directory.
    ("GPS", 118, [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 254]),
    // ColorSpace has 127 values from the second byte of the block.
    ("ColorSpace", 252, [0xA0, 1, 0, 3, 0, 0, 0, 127, 0, 0, 0, 1]),
  ]

  @Test func `A file is skipped if more fields share bytes than are read`() throws {
    let segment = SharedFields.segment()
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let exif = try Container(bytes.span).segments(.exif, in: bytes.span)
    bytes.replaceSubrange(try #require(exif.first).range, with: segment)
    for request in [Request.normalize(), .tag(.set(.down)), .tag(.remove)] {
      let outcome = try Rewriter(request).rewrite(bytes)
      #expect(outcome.skipReason == "shared-bytes", "\(request)")
    }
    // A program that sets the tag, and one that changes another byte.
    let tiff = try #require(exif.first).range.lowerBound
    var result = bytes
    for (place, value) in [(tiff + 4 + 6 + 19, UInt8(1)), (tiff + segment.count - 1, 9)] {
      result[place] = value
      let verdict = try Verifier().verify(original: bytes, result: result)
      #expect(verdict.findings.contains { $0.code.rawValue == "shared-bytes" })
    }
  }

  @Test func `Exif of which more fields share bytes than are read is not converted`() {
    let size = PixelSize(width: 96, height: 64)
    let metadata = DecodedMetadata(transform: .rotate90, stored: size, shown: size)
    #expect(throws: DecodedMetadata.Failure.self) { try metadata.exif(SharedFields.block()) }
    #expect(throws: Never.self) { try metadata.exif(SharedFields.block(7)) }
  }

  @Test func `A pointer to bytes that no program reads as a directory does not prevent a rewrite`()
    throws
  {
    let fixture = try Fixture.bytes("exif/thumbnail-aligned.jpg")
    let start = try #require(fixture.firstRange(of: Array("Exif\0\0II".utf8))).upperBound - 2
    let thumbnail = try #require(fixture[start...].firstRange(of: [0xFF, 0xD8])).lowerBound
    for tag in [[0x25, 0x88], [0x05, 0xA0]] as [[UInt8]] {
      let entry = try #require(fixture.firstRange(of: tag + [4, 0, 1, 0, 0, 0])).upperBound
      // Within the thumbnail, whose bytes change.
      for place in [2, 20, 100, 200].map({ thumbnail - start + $0 }) {
        var bytes = fixture
        bytes.replaceSubrange(entry..<entry + 4, with: UInt32(place).bytes(.little))
        let rewrite = try Rewriter().rewrite(bytes).rewritten()
        #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == bytes)
        #expect(try Verifier().verify(original: bytes, result: rewrite.bytes).isProven)
      }
    }
  }

  @Test(arguments: changes.map(\.name))
  func `A file is skipped if a change would change another field`(name: String) throws {
    let change = try #require(Self.changes.first { $0.name == name })
    var bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let start = try #require(bytes.firstRange(of: Array("Exif\0\0MM".utf8))).upperBound - 2
    let place = start + change.entry
    bytes.replaceSubrange(place..<place + change.bytes.count, with: change.bytes)
    let plan = try Rewriter().rewrite(bytes).plan
    guard case .skip(let reason) = plan.action else {
      Issue.record("the action is \(plan.action)")
      return
    }
    #expect(reason.code == .sharedBytes)
    #expect(try Rewriter().plan(bytes).action == plan.action)
    // So is a file of which only the tag would change.
    var asStored = Rewriter()
    asStored.request = .normalize(then: .rotate270)
    let tag = Rewriter(.tag(.set(.down)))
    for (planned, done) in [
      (try asStored.plan(bytes), try asStored.rewrite(bytes).plan),
      (try tag.plan(bytes), try tag.rewrite(bytes).plan),
    ] {
      #expect(planned.action == done.action)
    }
  }
}

extension [UInt8] {
  /// The big-endian number at an offset.
  fileprivate func number(at offset: Int) -> Int {
    self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate mutating func write(_ value: Int, at offset: Int) {
    for index in 0..<4 { self[offset + index] = UInt8(value >> (24 - 8 * index) & 255) }
  }

  /// Gives the LONG tag 0xA0…, in a big-endian block, values at an offset in the file.
  fileprivate mutating func setDimension(_ tag: UInt8, count: Int, place: Int) throws {
    let start = try #require(firstRange(of: Array("Exif\0\0MM".utf8))).upperBound - 2
    let entry = try #require(firstRange(of: [0xA0, tag, 0, 4, 0, 0, 0, 1])).upperBound
    write(count, at: entry - 4)
    write(place - start, at: entry)
  }
}

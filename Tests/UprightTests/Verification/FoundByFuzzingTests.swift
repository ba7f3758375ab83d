import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// What the targets in tools/dev/fuzz found, each made by hand from a fixture.
struct FoundByFuzzingTests {
  private func file(_ directory: [UInt8]) throws -> [UInt8] {
    let photo = try Fixture.bytes("orientation/aligned-6.jpg")
    let plain = try Container(photo.span).decodableStream(photo)
    let payload = Array("Exif\0\0II*\0\u{8}\0\0\0".utf8) + directory
    return [0xFF, 0xD8, 0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
      + plain.dropFirst(2)
  }

  /// The resolutions are at the start of the block; swapping them destroyed its byte order mark.
  @Test func `A value on top of the Exif header is not changed`() throws {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      tag.bytes(.little) + type.bytes(.little) + count.bytes(.little) + value.bytes(.little)
    }
    let bytes = try file(
      [3, 0] + entry(0x112, 3, 1, 6) + entry(0x11A, 5, 1, 0) + entry(0x11B, 5, 1, 10)
        + [0, 0, 0, 0] + [UInt8](repeating: 1, count: 16)
    )
    var options = Options()
    options.resolution = .follow
    let rewrite = try Rewriter(options: options).rewrite(bytes).rewritten()
    #expect(!rewrite.changes.map(\.field.rawValue).contains { $0.contains("resolution") })
    #expect(try Rewriter().rewrite(rewrite.bytes).plan.action.rewrites == false)
  }

  /// Dimensions that overlap the entries of the directory overwrote the orientation.
  @Test func `A file with a value on top of another entry is skipped`() throws {
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      tag.bytes(.little) + type.bytes(.little) + count.bytes(.little) + value.bytes(.little)
    }
    // ImageWidth of two numbers, the first of which is the tag and the type of Orientation.
    let bytes = try file(
      [3, 0] + entry(0x100, 4, 2, 22) + entry(0x112, 3, 1, 6) + entry(0x101, 4, 1, 64) + [
        0, 0, 0, 0,
      ]
    )
    let outcome = try Rewriter().rewrite(bytes)
    if case .rewritten(let rewrite) = outcome {
      #expect(try Rewriter().rewrite(rewrite.bytes).plan.action.rewrites == false)
    } else {
      guard case .skip(let reason) = outcome.plan.action else {
        Issue.record("the file is already upright")
        return
      }
      #expect(reason.code == .sharedBytes)
    }
  }

  /// An XML document in UTF-16 after one byte that is none gave places in other bytes than the packet's.
  @Test func `UTF-16 in the middle of a sidecar is refused`() throws {
    let packet = try Fixture.bytes("xmp/alone-beside-exif.jpg")
    let start = try #require(packet.firstRange(of: Array("<x:xmpmeta".utf8)))
    let end = try #require(packet.firstRange(of: Array("</x:xmpmeta>".utf8)))
    let document = packet[start.lowerBound..<end.upperBound].flatMap { [$0, UInt8(0)] }
    #expect(throws: UprightError.self) { try Sidecar(Array("A\0\0\n".utf8) + document) }
    #expect(throws: UprightError.self) {
      try Sidecar(Array("<?xpacket begin=\"\0".utf8) + document)
    }
  }

  /// A flipped bit makes a run of blocks far beyond white, which decoders show as white and a redraw as grey.
  @Test func `Blocks with impossible samples are not re-encoded`() throws {
    var bytes = try Fixture.bytes("orientation/unaligned-7.jpg")
    bytes[11_540 / 8] ^= 1 << UInt8(11_540 % 8)
    #expect(throws: UprightError.self) { try Rewriter().rewrite(bytes) }
  }

  private func photo(
    _ width: Int,
    _ height: Int,
    _ pixels: [UInt8],
    _ tag: UInt8
  ) throws
    -> [UInt8]
  {
    let image = Array("P6 \(width) \(height) 255\n".utf8) + pixels
    let exif: [UInt8] =
      [0xFF, 0xE1, 0, 34] + Array("Exif\0\0II*\0\u{8}\0\0\0".utf8)
      + [1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, tag, 0, 0, 0, 0, 0, 0, 0]
    return try [0xFF, 0xD8] + exif
      + Tool.run("cjpeg", ["-quality", "95"], input: image).output.dropFirst(2)
  }

  /// A redraw left an image of one pixel as it was, and the proof took that for a transform that was not made.
  @Test(arguments: [(1, 1), (3, 3), (5, 16), (17, 9)], 2...8)
  func `An image that looks the same transformed is transformed`(
    size: (Int, Int),
    tag: UInt8
  ) throws {
    let (width, height) = size
    for color: [UInt8] in [[128, 128, 128], [200, 120, 40]] {
      let pixels = (0..<width * height).flatMap { _ in color }
      let original = try photo(width, height, pixels, tag)
      let rewrite = try Rewriter().rewrite(original).rewritten()
      #expect(try Verifier().verify(original: original, result: rewrite.bytes).findings == [])
      // Another program may do no more than to change the tag; a transposition has to exchange the tables' steps.
      if tag != 5, width == height || tag < 5 {
        let reset = try photo(width, height, pixels, 1)
        #expect(try Verifier().verify(original: original, result: reset).findings == [])
      }
    }
  }

  @Test func `An image that is symmetric except for one pixel is not`() throws {
    var pixels = [UInt8](repeating: 128, count: 5 * 5 * 3)
    pixels[0] = 150
    let (original, kept) = (try photo(5, 5, pixels, 3), try photo(5, 5, pixels, 1))
    let verdict = try Verifier().verify(original: original, result: kept)
    #expect(verdict.findings.map(\.code.rawValue) == ["not-transformed"])
  }

  /// A mirrored or rotated image of gray, where the code 0 means no difference and the end of a block, and the AC code 10 a run
  /// of 16 zeros.
  private func gray(
    _ orientation: Orientation,
    width: Int,
    height: Int,
    _ scan: [UInt8]
  ) -> [UInt8] {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
    }
    func table(_ slot: UInt8, _ counts: [UInt8], _ symbols: [UInt8]) -> [UInt8] {
      segment(0xC4, [slot] + counts + [UInt8](repeating: 0, count: 16 - counts.count) + symbols)
    }
    let size = UInt16(height).bytes(.big) + UInt16(width).bytes(.big)
    return [0xFF, 0xD8] + TIFFBlock.exifSegment(orientation)
      + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + segment(0xC0, [8] + size + [1, 1, 0x11, 0])
      + table(0, [1, 1], [0, 15]) + table(0x10, [1, 1], [0, 0xF0])
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + scan + [0xFF, 0xD9]
  }

  /// TurboJPEG takes a code that is in no table for zeros, and warns only near the end of the data; it takes a coefficient
  /// after the last of its block for the last.
  @Test(arguments: [512, 511])
  func `Damage that TurboJPEG does not warn of is damage`(height: Int) throws {
    func file(_ scan: [UInt8]) -> [UInt8] { gray(.right, width: 512, height: height, scan) }
    // Two bits for each of 64 × 64 blocks; then the first block has 17 ones instead of its end, or four runs of 16 zeros.
    _ = try Rewriter().rewrite(file([UInt8](repeating: 0, count: 1024))).rewritten()
    for (start, count) in [([0x7F, 0xFF, 0, 0xC0], 1023), ([0x55], 1024)] as [([UInt8], Int)] {
      let damaged = file(start + [UInt8](repeating: 0, count: count))
      let error = #expect(throws: UprightError.self) { try Rewriter().rewrite(damaged) }
      #expect(error?.code == .damagedScan)
    }
  }

  /// A trim cut the damage away, and the verifier could not read the original.
  @Test func `Damage in a part that is cut away is found`() throws {
    // The third block's DC coefficient is 32,767, or 0 where nothing is damaged.
    func file(_ scan: [UInt8]) -> [UInt8] { gray(.upMirrored, width: 17, height: 8, scan) }
    var options = Options()
    options.unaligned = .trim
    let rewriter = Rewriter(options: options)
    let whole = try rewriter.rewrite(file([0x03])).rewritten()
    #expect(
      whole.plan.action == .transform(.flipHorizontal, .trimmed(TrimmedEdges(columns: 1, rows: 0)))
    )
    let error = #expect(throws: UprightError.self) {
      try rewriter.rewrite(file([0x0B, 0xFF, 0x00, 0xFB]))
    }
    #expect(error?.code == .damagedScan)
  }

  /// The rewrite corrected a length of the container directory that had been wrong, which no record of changes explains.
  @Test(arguments: ["gain-map-ii", "gain-map-longer", "gain-map-unaligned"])
  func `A length that was wrong stays as it is`(name: String) throws {
    var bytes = try Fixture.bytes("multi-picture/\(name).jpg")
    // The last digit of the gain map's length.
    let items = bytes.indices.filter { bytes[$0...].starts(with: Array("Item:Length=\"".utf8)) }
    let end = try #require(bytes[(items[1] + 13)...].firstIndex(of: UInt8(ascii: "\"")))
    bytes[end - 1] ^= 6
    let rewrite = try Rewriter().rewrite(bytes).rewritten()
    #expect(rewrite.bytes[items[1]..<end] == bytes[items[1]..<end])
    #expect(try Verifier().verify(original: bytes, result: rewrite.bytes).findings == [])
  }
}

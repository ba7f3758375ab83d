import FileBytes
import Fixtures
import JPEGCore
import Testing

struct ContainerTests {
  @Test func `A cut segment ends where its length says, or needs the next marker`() {
    let start: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 1, 2, 3, 4]
    let (cut, scan) = (Array(start.dropLast()), start + [0xFF, 0xDA, 0, 2])
    #expect(Container.endOfCutSegment(cut.span) == 10)
    #expect(Container.endOfCutSegment(start.span) == 14)
    #expect(Container.endOfCutSegment(scan.span) == nil)
  }

  @Test(arguments: Fixture.all)
  func `Segments, scans and the gaps between them cover the image`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    guard let container = try? Container(bytes) else {
      #expect([.damaged, .notJPEG].contains(fixture.expect))
      return
    }
    let pieces = (container.claimed + container.gaps).sorted { $0.lowerBound < $1.lowerBound }
    #expect(pieces.first?.lowerBound == 0)
    #expect(zip(pieces, pieces.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
    #expect(pieces.flatMap { bytes[$0] } == Array(bytes[..<(pieces.last?.upperBound ?? 0)]))
    if container.isComplete {
      #expect(pieces.last?.upperBound == container.end)
      #expect(bytes[..<container.end].suffix(2) == [0xFF, 0xD9])
    }
    if container.strayByteOffset == nil {
      #expect(container.gaps.allSatisfy { bytes[$0].allSatisfy { $0 == 0xFF } })
    }
  }

  @Test(arguments: Fixture.all)
  func `The header alone is the beginning of the structure`(fixture: Fixture) throws {
    let bytes = try fixture.bytes()
    guard let whole = try? Container(bytes) else { return }
    guard let header = try? Container(bytes, extent: .header) else {
      #expect(whole.scans.isEmpty)
      return
    }
    #expect(header.scans.isEmpty)
    #expect(header.segments.last?.marker == (whole.scans.isEmpty ? .endOfImage : .startOfScan))
    #expect(whole.segments.starts(with: header.segments))
  }

  @Test(arguments: [
    "coding/progressive-restarts.jpg", "exif/fill-bytes.jpg", "exif/thumbnail-aligned.jpg",
    "coding/1x1-rotate.jpg",
  ])
  func `A file truncated at any length is an error or the beginning of the structure`(
    path: String
  ) throws {
    let bytes = try Fixture.bytes(path)
    let whole = try Container(bytes)
    for length in 0..<whole.end {
      let part = Array(bytes[..<length])
      do throws(ContainerError) {
        let container = try Container(part)
        #expect(!container.isComplete, "cut at \(length)")
        #expect(whole.segments.starts(with: container.segments), "cut at \(length)")
        #expect(container.claimed.allSatisfy { $0.upperBound <= length }, "cut at \(length)")
      } catch {
        #expect(error.kind == (length == 0 ? .empty : .truncated), "cut at \(length)")
        #expect(error.offset <= length, "cut at \(length)")
      }
    }
  }

  @Test func `A truncated header requires more of the file, a complete one does not`() throws {
    let bytes = try Fixture.bytes("exif/after-xmp.jpg")
    let end = try #require(try Container(bytes, extent: .header).segments.last).range
      .upperBound
    for length in 1..<bytes.count {
      let part = Array(bytes[..<length])
      do throws(ContainerError) {
        _ = try Container(part, extent: .header)
        #expect(length >= end)
      } catch {
        #expect(error.kind == .truncated)
        #expect(length < end)
      }
    }
  }

  @Test(arguments: [
    "coding/progressive-script.jpg", "coding/restart-blocks.jpg", "exif/resolution-differs.jpg",
    "sampling/cmyk-interleaved-tag-6.jpg", "trailer/motion-photo.jpg",
  ])
  func `Damaged bytes are never read beyond their end`(path: String) throws {
    let original = try Fixture.bytes(path)
    var generator = SeededGenerator(seed: 0x5EED)
    for _ in 0..<1_000 {
      let bytes = original.damaged(using: &generator)
      guard let container = try? Container(bytes) else { continue }
      #expect(container.claimed.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count })
      #expect(container.end <= bytes.count)
      readEverything(container, bytes)
    }
  }

  /// Reads everything in a file; the only expectation is that it terminates.
  private func readEverything(_ container: Container, _ bytes: [UInt8]) {
    var frame: Frame?
    for segment in container.segments {
      if segment.marker.startsFrame { frame = (try? Frame(segment, in: bytes)) ?? frame }
      _ = segment.kind(in: bytes)
      switch segment.marker {
      case .startOfScan:
        if let frame { _ = try? ScanHeader(segment, in: bytes, frame: frame) }
      case .defineHuffmanTables: _ = try? HuffmanTables(segment, in: bytes)
      case .defineQuantizationTables:
        for table in (try? QuantizationTables(segment, in: bytes))?.tables ?? [] {
          #expect(
            QuantizationTables.transposed(table, in: bytes).count == table.elements.count
          )
        }
      default: break
      }
    }
    for segment in container.segments(.exif, in: bytes) {
      let start = min(segment.payload.lowerBound + 6, segment.payload.upperBound)
      let block = TIFFBlock(bytes, in: start..<segment.payload.upperBound)
      #expect(block?.entries.allSatisfy { $0.value.map(segment.payload.contains) ?? true } ?? true)
    }
    _ = MultiPictureIndex(container, bytes.span)
  }

  @Test func `Stray bytes are found`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let second = try Container(bytes).segments[2].range.lowerBound
    for stray: [UInt8] in [[0x00], [0x41, 0x42], [0xFF, 0x00], [0xFF, 0xD0]] {
      let container = try Container((bytes[..<second] + stray + bytes[second...]))
      #expect(container.strayByteOffset == second)
    }
    #expect(try Container(bytes).strayByteOffset == nil)
    let filled = Array(bytes[..<second] + [0xFF, 0xFF] + bytes[second...])
    #expect(try Container(filled).strayByteOffset == nil)
  }

  @Test func `A scan header without content at the end of a file is copied`() throws {
    let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 2, 0xFF, 0xDA, 0, 2]
    #expect(try Container(bytes).decodableStream(bytes) == bytes + [0xFF, 0xD9])
  }

  @Test func `More segments or scans than the limits are an error`() throws {
    func file(_ marker: UInt8, count: Int) -> [UInt8] {
      [0xFF, 0xD8] + [[UInt8]](repeating: [0xFF, marker, 0, 2], count: count).joined()
        + [0xFF, 0xD9]
    }
    #expect(try Container(file(0xDA, count: 1_000)).scans.count == 1_000)
    // SOI and EOI are segments, too.
    #expect(try Container(file(0xFE, count: 99_998)).segments.count == 100_000)
    for file in [file(0xDA, count: 1_001), file(0xFE, count: 99_999)] {
      let error = #expect(throws: ContainerError.self) { try Container(file) }
      #expect(error?.kind == .limit)
    }
  }

  @Test func `An image after other bytes is read at its offset`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let moved = [1, 2, 3] + bytes
    let (first, second) = (try Container(bytes), try Container(moved, at: 3))
    #expect(second.claimed == first.claimed.map { $0.lowerBound + 3..<$0.upperBound + 3 })
    #expect(second.end == first.end + 3)
  }

  @Test(arguments: [
    ("bad/empty.jpg", ContainerError.Kind.empty), ("bad/text.jpg", .notJPEG),
    ("bad/one-byte.jpg", .truncated), ("bad/segment-length-0.jpg", .malformed),
    ("bad/segment-length-1.jpg", .malformed), ("bad/segment-length-past-the-end.jpg", .truncated),
  ])
  func `Each error has its kind`(path: String, kind: ContainerError.Kind) throws {
    let bytes = try Fixture.bytes(path)
    let error = #expect(throws: ContainerError.self) { try Container(bytes) }
    #expect(error?.kind == kind)
    #expect(error?.message.isEmpty == false)
  }

  @Test(arguments: [
    ("sample/portrait.jpg", [SegmentKind.exif, .xmp, .iccProfile]),
    ("exif/resolution-differs.jpg", [.jfif, .exif]), ("exif/after-app5.jpg", [.unknown, .exif]),
    ("sampling/cmyk-tag-6.jpg", [.exif, .adobe]),
    ("exif/comment-before-frame.jpg", [.exif, .comment]),
  ])
  func `Metadata segments are distinguished by their identifiers`(
    path: String,
    kinds: [SegmentKind]
  ) throws {
    let bytes = try Fixture.bytes(path)
    let container = try Container(bytes)
    #expect(
      container.segments.filter(\.marker.carriesMetadata).map { $0.kind(in: bytes) } == kinds
    )
  }
}

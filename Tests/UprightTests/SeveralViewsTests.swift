import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Stereo pairs, panoramas and several angles: views that are shown together.
struct SeveralViewsTests {
  private static let types: [UInt32] = [0x02_0001, 0x02_0002, 0x02_0003]

  /// Returns an image with a multi-picture index (CIPA DC-007) and the views that it lists.
  private func file(_ primary: [UInt8], _ type: UInt32, _ views: [[UInt8]]) throws -> [UInt8] {
    let container = try Container(primary.span)
    let place = try #require(
      container.segments.first { $0.marker == .defineQuantizationTables }
    ).range.lowerBound
    let count = views.count + 1
    var offset = primary.count + 8 + 26 + 16 * count
    let base = place + 8
    var entries: [UInt8] = []
    for (number, image) in ([primary] + views).enumerated() {
      let size = image.count + (number == 0 ? 8 + 26 + 16 * count : 0)
      for value in [type, UInt32(size), number == 0 ? 0 : UInt32(offset - base), 0] {
        entries += value.bytes(.big)
      }
      if number > 0 { offset += image.count }
    }
    let directory: [UInt8] =
      [0, 1, 0xB0, 2, 0, 7] + UInt32(16 * count).bytes(.big) + UInt32(26).bytes(.big)
      + [0, 0, 0, 0]
    let index = segment(header + directory + entries)
    return primary[..<place] + index + primary[place...] + views.joined()
  }

  private let header: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]

  private func segment(_ block: [UInt8]) -> [UInt8] {
    [0xFF, 0xE2] + UInt16(block.count + 6).bytes(.big) + Array("MPF\0".utf8) + block
  }

  /// Returns a view with one attribute of an individual image.
  private func view(_ view: [UInt8], tag: UInt16, type: UInt16, _ value: [UInt8]) -> [UInt8] {
    let entry =
      tag.bytes(.big) + type.bytes(.big) + UInt32(1).bytes(.big)
      + (value.count > 4 ? UInt32(26).bytes(.big) + [0, 0, 0, 0] + value : value + [0, 0, 0, 0])
    return view[..<2] + segment(header + [0, 1] + entry) + view[2...]
  }

  private func image(_ tag: UInt8, _ path: String = "orientation/aligned-6.jpg") throws -> [UInt8] {
    var bytes = try Fixture.bytes(path)
    let header = try Header(Container(bytes.span), bytes.span)
    let entry = try #require(header.exif.first?.entries(.ifd0, 0x0112).first?.value)
    bytes[try #require(bytes[entry].firstIndex { $0 != 0 })] = tag
    return bytes
  }

  private func views(_ file: [UInt8]) throws -> [Range<Int>] {
    let index = MultiPictureIndex(try Container(file.span), file.span)
    return try #require(index).entries.map { Int($0.start)..<Int($0.start + $0.size) }
  }

  private func orientation(_ file: [UInt8], _ range: Range<Int>) throws -> Orientation? {
    let bytes = Array(file[range])
    return try Header(Container(bytes.span), bytes.span).orientation.stated
  }

  @Test(arguments: types, [(2, "flip-horizontal"), (3, "rotate-180"), (6, "rotate-90")])
  func `All views are transformed`(type: UInt32, tag: (UInt8, String)) throws {
    let image = try image(tag.0)
    let original = try file(image, type, [image, image])
    let rewrite = try Rewriter().rewrite(original).rewritten()
    let ranges = try views(rewrite.bytes)
    #expect(ranges.count == 3 && ranges.last?.upperBound == rewrite.bytes.count)
    for range in ranges {
      let view = Array(rewrite.bytes[range])
      #expect(view.starts(with: [0xFF, 0xD8]) && view.suffix(2) == [0xFF, 0xD9])
      #expect(try isTransformed(image, view, tag.1))
      #expect(try orientation(rewrite.bytes, range) == .up)
    }
    #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == original)
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.isProven && verdict.images.filter { $0.role == .view }.count == 2)
    #expect(
      rewrite.plan.embeddedImages.filter { $0.role == .view }.map { $0.disposition }
        == [.transformed, .transformed]
    )
  }

  @Test func `A view with a thumbnail is described as the image is`() throws {
    let image = try Fixture.bytes("thumbnail/aligned.jpg")
    let header = try Header(Container(image.span), image.span)
    try #require(header.orientation.stated == .right && header.exif.count == 1)
    let original = try file(image, 0x02_0002, [image])
    let rewrite = try Rewriter().rewrite(original).rewritten()
    let thumbnails = rewrite.plan.embeddedImages.filter { $0.role == .thumbnail }
    #expect(thumbnails.count == 2 && Set(thumbnails.map { $0.disposition }).count == 1)
    #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == original)
    #expect(try Verifier().verify(original: original, result: rewrite.bytes).findings.isEmpty)
    let alone = try Rewriter().rewrite(image).rewritten().bytes
    let view = Array(rewrite.bytes[try views(rewrite.bytes)[1]])
    let (a, b) = (try Header(Container(alone.span), alone.span), try Container(view.span))
    let own = try Header(b, view.span)
    #expect(
      a.exif.first.map { Array(alone[$0.range]) } == own.exif.first.map { Array(view[$0.range]) }
    )
  }

  @Test func `Unequal views are a reason, whatever is done`() throws {
    let image = try image(6)
    let others = [
      try self.image(1), try Fixture.bytes("sampling/444-tag-6.jpg"), Array(image.dropLast(300)),
    ]
    for other in others {
      let size = try Header(Container(other.span), other.span).frame.size
      let isEqual = size == PixelSize(width: 96, height: 64) && other.suffix(2) == [0xFF, 0xD9]
      guard try self.image(1) == other || !isEqual else { continue }
      let original = try file(image, 0x02_0002, [other])
      for request in [Request.normalize(), .normalize(then: .rotate90), .tag(.set(.up))] {
        #expect(try Rewriter(request).rewrite(original).skipReason == "embedded-image")
      }
    }
  }

  @Test func `A change of the tag changes that of all views`() throws {
    let image = try image(6)
    let original = try file(image, 0x02_0002, [image])
    let bytes = try Rewriter(.tag(.transform(.rotate90))).rewrite(original).rewritten().bytes
    for range in try views(bytes) { #expect(try orientation(bytes, range) == .down) }
  }

  @Test func `A layout that would no longer fit is a reason, directions are a note`() throws {
    let image = try image(6)
    let angle: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFD, 0, 0, 0, 100]
    let cases: [(tag: UInt16, type: UInt16, value: [UInt8], isStated: Bool)] = [
      (0xB205, 10, angle, true), (0xB205, 10, [0, 0, 0, 0, 0, 0, 0, 100], false),
      (0xB205, 10, [UInt8](repeating: 0xFF, count: 8), false), (0xB208, 10, angle, true),
      (0xB201, 4, [1, 2, 1, 0], true), (0xB204, 4, [0, 0, 0, 1], false),
      (0xB206, 5, [0, 0, 0, 7, 0, 0, 0, 100], false),
    ]
    for (tag, type, value, isStated) in cases {
      let view = view(image, tag: tag, type: type, value)
      let original = try file(image, 0x02_0002, [view])
      let outcome = try Rewriter().rewrite(original)
      #expect(outcome.skipReason == (tag == 0xB201 ? "registered-data" : nil), "\(tag)")
      var options = Options()
      options.registeredData = .keep
      let rewrite = try Rewriter(options: options).rewrite(original).rewritten()
      let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
      #expect(verdict.isProven == !isStated)
    }
  }

  @Test func `A result of which one view is left as it was is not proven`() throws {
    let image = try image(6)
    let original = try file(image, 0x02_0002, [image])
    let result = try Rewriter().rewrite(original).rewritten().bytes
    let left = Array(result[try views(result)[0]] + image)
    #expect(left.count == result.count)
    let verdict = try Verifier().verify(original: original, result: left)
    #expect(verdict.findings.map { $0.code.rawValue } == ["embedded-not-transformed"])
  }
}

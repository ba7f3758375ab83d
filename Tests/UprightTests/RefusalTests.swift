import FileBytes
import Fixtures
import ImageFormats
import ImageOrientation
import JPEGCore
import Testing
import Upright

/// An MPF index of this many images (CIPA DC-007).
private func multiPictureIndex(_ count: Int) -> [UInt8] {
  var payload = Array("MPF\0MM\0*".utf8) + UInt32(8).bytes(.big) + UInt16(1).bytes(.big)
  payload += UInt16(0xB002).bytes(.big) + UInt16(7).bytes(.big)
  payload += UInt32(16 * UInt32(count)).bytes(.big) + UInt32(26).bytes(.big)
  return payload + UInt32(0).bytes(.big) + [UInt8](repeating: 0, count: 16 * count)
}

/// A JUMBF box in APP11: the common identifier, two numbers, the length and the type of the box.
private func box(_ type: String, _ content: String) -> [UInt8] {
  Array("JP".utf8) + [0, 1, 0, 0, 0, 1] + UInt32(UInt32(content.utf8.count) + 8).bytes(.big)
    + Array(type.utf8) + Array(content.utf8)
}

private let transformed = "orientation/aligned-6.jpg"
private let upright = "orientation/aligned-1.jpg"

struct RefusalTests {
  @Test func `Content credentials are never made invalid`() throws {
    let credentials = box("jumb", "....jumdc2pa....c2pa")
    let file = try inserting(.app(11), credentials, into: transformed)
    #expect(try Rewriter().rewrite(file).skipReason == "content-credentials")
    let other = try inserting(.app(11), box("jumb", "....jumdother"), into: transformed)
    #expect(try Rewriter().rewrite(other).plan.action.rewrites)
  }

  @Test func `MCUs of more than ten blocks are refused`() throws {
    func file(_ path: String) throws -> [UInt8] {
      var bytes = try Fixture.bytes(path)
      let frame = try #require(bytes.ranges(of: [0xFF, 0xC0]).last).upperBound
      for component in 0..<3 { bytes[frame + 9 + 3 * component] = 0x22 }
      return bytes
    }
    #expect(try Rewriter().rewrite(file(transformed)).skipReason == "sampling")
    var options = Options()
    options.checksUnchanged = true
    let plan = try Rewriter(options: options).rewrite(file(upright)).plan
    #expect(!plan.action.rewrites)
    #expect(plan.notes.contains { $0.text.contains("was not checked: the sampling factors") })
  }

  @Test func `An image with a DNL segment is refused, and its tag can be changed`() throws {
    let bytes = try Fixture.bytes(transformed)
    let segment: [UInt8] = [0xFF, 0xDC, 0, 4, 0, 64]
    let file: [UInt8] = bytes.dropLast(2) + segment + bytes.suffix(2)
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
      Array(file.dropFirst(offset).prefix(count))
    }
    let part = PixelRectangle(x: 0, y: 0, width: 32, height: 32)
    for request in [Request.normalize(), .normalize(then: .rotate180), .crop(part)] {
      let rewriter = Rewriter(request)
      #expect(try rewriter.rewrite(file).skipReason == "height-by-dnl")
      // The segment is after the header, from which this plan is.
      let planned = try rewriter.planned(size: file.count, taking: [.jpeg], reading: read)
      #expect(planned.plan.action.rewrites)
      #expect(try rewriter.rewrite(file, as: planned).skipReason == "height-by-dnl")
    }
    let tagged = try Rewriter(.tag(.set(.up))).rewrite(file).rewritten()
    #expect(tagged.bytes.suffix(8) == file.suffix(8))
  }

  @Test func `An Orientation of several values is refused`() throws {
    var bytes = try Fixture.bytes(transformed)
    let (block, entry) = try #require(try ImageFile(bytes).orientationEntry)
    let start = entry.offset
    // Three values, at the beginning of the block.
    bytes.replaceSubrange(start + 4..<start + 8, with: UInt32(3).bytes(block.order))
    bytes.replaceSubrange(start + 8..<start + 12, with: UInt32(8).bytes(block.order))
    guard case .skip(let reason) = try Rewriter().rewrite(bytes).plan.action else {
      Issue.record("not skipped")
      return
    }
    #expect(reason.explanation.contains("has 3 values instead of 1"))
  }

  @Test func `Files with JPEG XT data are skipped`() throws {
    let file = try inserting(.app(11), box("RESI", "residual"), into: transformed)
    #expect(try Rewriter().rewrite(file).skipReason == "jpeg-xt")
  }

  @Test(arguments: [1, 2])
  func `An index of missing images does not prevent a transform`(count: Int) throws {
    let file = try inserting(.app(2), multiPictureIndex(count), into: transformed)
    #expect(try Rewriter().rewrite(file).plan.action.rewrites)
  }

  @Test func `What prevents a transform is no finding in an upright image`() throws {
    for (marker, payload) in [
      (Marker.app(11), box("jumb", "c2pa")), (.app(11), box("RESI", "")),
      (.app(2), multiPictureIndex(3)),
    ] {
      let file = try inserting(marker, payload, into: upright)
      guard case .unchanged(let reason) = try Rewriter().rewrite(file).plan.action else {
        Issue.record("not left as it is")
        continue
      }
      #expect(reason.code == .upright)
    }
  }

  @Test func `Incomplete scans are transposed only if both halves are present`()
    throws
  {
    let scratch = try Scratch()
    func file(_ script: String, tag: Int) throws -> [UInt8] {
      let scans = try scratch.write(Array(script.utf8), to: "scans")
      let source = try Fixture.bytes("orientation/aligned-\(tag).jpg")
      let whole = try Tool.run("jpegtran", ["-copy", "all", "-scans", scans], input: source)
      let image = try ImageFile(whole.output)
      // Without its last scan.
      let last = try #require(image.container.scans.last)
      let start = image.container.segments[last.segment - 1].range.lowerBound
      return Array(image.bytes[..<start]) + [0xFF, 0xD9]
    }
    func script(_ scans: [String]) -> String { scans.map { $0 + ", 0, 0;\n" }.joined() }
    let half = script(["0,1,2: 0-0", "1: 1-63", "2: 1-63", "0: 1-7", "0: 8-63"])
    let diagonals = script(["0,1,2: 0-0", "1: 1-63", "2: 1-63", "0: 1-9", "0: 10-63"])
    #expect(try Rewriter().rewrite(file(half, tag: 6)).skipReason == "incomplete-progression")
    for bytes in try [file(half, tag: 3), file(diagonals, tag: 6)] {
      let rewrite = try Rewriter().rewrite(bytes).rewritten()
      let complaints = try RewriteCheck.complaints(rewrite, of: bytes)
      #expect(complaints == [])
    }
  }

  @Test func `A file that is already upright and has no end is a finding`() throws {
    let bytes = try Fixture.bytes("bad/no-eoi-upright.jpg")
    #expect(try Rewriter().rewrite(bytes).skipReason == "no-end-of-image")
    var options = Options()
    options.checksUnchanged = true
    let checking = Rewriter(options: options)
    #expect(try checking.rewrite(bytes).skipReason == "no-end-of-image")
    // The scan is cut, too.
    let error = #expect(throws: UprightError.self) {
      try checking.rewrite(bytes.dropLast(200))
    }
    #expect(error?.code == .truncated)
  }
}

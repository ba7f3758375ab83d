import FileBytes
import Fixtures
import JPEGCore
import Testing
import Upright

struct LimitTests {
  /// A flat image of 64×64 pixels with Orientation 6 and any number of scans, all of them valid.
  ///
  /// Every scan says nothing about one more bit of one more coefficient, in eight bytes of data.
  private func progressive(scans: Int, deepest: Int = 13) -> [UInt8] {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
    }
    let exif: [UInt8] =
      Array("Exif\0\0II*\0".utf8) + [
        8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
      ]
    let oneCode: [UInt8] = [1] + [UInt8](repeating: 0, count: 15) + [0]
    let data = [UInt8](repeating: 0, count: 8)
    func scan(_ position: UInt8, _ high: Int, _ low: Int) -> [UInt8] {
      segment(0xDA, [1, 1, 0, position, position, UInt8(high << 4 | low)]) + data
    }
    var file = [0xFF, 0xD8] + segment(0xE1, exif)
    file += segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
    file += segment(0xC2, [8, 0, 64, 0, 64, 1, 1, 0x11, 0])
    file += segment(0xC4, [0x00] + oneCode + [0x10] + oneCode)
    file += scan(0, 0, 0)
    var count = 1
    for position: UInt8 in 1...63 {
      for low in (0...deepest).reversed() where count < scans {
        file += scan(position, low == deepest ? 0 : low + 1, low)
        count += 1
      }
    }
    return file + [0xFF, 0xD9]
  }

  private func identifier(_ file: [UInt8], _ options: Options = Options()) throws -> String? {
    switch try Rewriter(options: options).rewrite(file).plan.action {
    case .skip(let reason): reason.code.rawValue
    default: nil
    }
  }

  @Test func `Hundreds of scans are refused before one is decoded`() throws {
    let bomb = progressive(scans: 880)
    #expect(bomb.count < 20_000)
    #expect(try identifier(bomb) == "scan-limit")
    // The decoder's own limit is 500.
    let fewer = progressive(scans: 400)
    #expect(try identifier(fewer) == "scan-limit")
    var options = Options()
    options.maxScans = 400
    #expect(try identifier(fewer, options) != "scan-limit")
    options.maxBlockVisits = 400 * 64 - 1
    #expect(try identifier(fewer, options) == "scan-limit")
  }

  @Test func `A file with thousands of scans is an error`() throws {
    var bomb = progressive(scans: 2)
    let scan = bomb.suffix(2 + 10 + 8).dropLast(2)
    bomb.removeLast(2)
    for _ in 0..<1_000 { bomb += scan }
    #expect(throws: UprightError.self) { try Rewriter().rewrite(bomb + [0xFF, 0xD9]) }
  }

  @Test func `As many scans as encoders write are transformed`() throws {
    let rewrite = try Rewriter().rewrite(progressive(scans: 64, deepest: 0)).rewritten()
    #expect(rewrite.verification != .none)
  }

  @Test func `A file of 2 kB with four thousand million pixels in its header is refused`() throws {
    let claim = try Fixture.bytes("bad/huge-claim.jpg")
    #expect(claim.count < 2_500)
    #expect(try identifier(claim) == "pixel-limit")
  }

  /// The frame headers of embedded images make claims, too.
  @Test(arguments: ["sample/portrait.jpg", "multi-picture/apple.jpg"])
  func `An embedded image with as many pixels is not decoded`(path: String) throws {
    var file = try Fixture.bytes(path)
    let end = try Container(file.span).end
    let primary = try #require(
      try Container(file.span).segments.first(where: \.marker.startsFrame)
    ).range
    let frames = file.indices.dropLast(9).filter { index in
      file[index] == 0xFF && file[index + 1] == 0xC0 && file[index + 2] == 0
        && !primary.contains(index)
    }
    let frame = try #require(frames.first)
    for offset in [5, 7] {
      file[frame + offset] = 0xFF
      file[frame + offset + 1] = 0xD0
    }
    let outcome = try Rewriter().rewrite(file)
    if frame > end {
      guard case .skip(let reason) = outcome.plan.action else {
        Issue.record("the file was not skipped")
        return
      }
      #expect(reason.code == .embeddedImage)
    } else {
      #expect(outcome.plan.embeddedImages.first { $0.role == .thumbnail }?.disposition == .stale)
    }
  }

  @Test func `The limit of memory is checked against the estimate`() throws {
    let file = try Fixture.bytes("sample/portrait.jpg")
    var options = Options()
    options.maxMemory = 1 << 20
    #expect(try identifier(file, options) == "memory-limit")
    options.maxMemory = 8 << 20
    #expect(try identifier(file, options) == nil)
  }
}

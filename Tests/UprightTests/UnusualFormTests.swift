import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Files that deviate from the standard, and that decoders show completely.
struct UnusualFormTests {
  private static let paths = [
    "orientation/aligned-6.jpg", "orientation/unaligned-3.jpg", "coding/progressive.jpg",
    "coding/scans-by-component.jpg", "coding/restart-rows.jpg", "unaligned/progressive.jpg",
  ]

  private func rewrite(_ bytes: [UInt8], _ options: Options = Options()) throws -> Rewrite {
    let rewrite = try Rewriter(options: options).rewrite(bytes).rewritten()
    let undo = try #require(rewrite.undo)
    #expect(try undo.restoreOriginal(from: rewrite.bytes) == bytes)
    let verdict = try Verifier().verify(original: bytes, result: rewrite.bytes)
    #expect(verdict.findings.map(\.identifier) == [])
    return rewrite
  }

  @Test(arguments: paths)
  func `An image that lacks only EOI is rewritten like the whole image`(path: String) throws {
    let bytes = try Fixture.bytes(path)
    let whole = try rewrite(bytes)
    for missing in 1...2 {
      let rewrite = try rewrite(bytes.dropLast(missing))
      #expect(rewrite.bytes == whole.bytes.dropLast(missing))
      #expect(
        rewrite.plan.notes.map(\.text).contains("the image has no EOI marker, but is complete")
      )
    }
    // Nothing tells the last bytes of the data from others.
    for more in [[0], [0xFE, 0xD9]] as [[UInt8]] {
      #expect(throws: UprightError.self) { try Rewriter().rewrite(bytes.dropLast(2) + more) }
    }
  }

  @Test func `A progressive image that ends after one of its scans is truncated`() throws {
    let image = try ImageFile(try Fixture.bytes("coding/progressive.jpg"))
    for scan in image.container.scans.dropLast() {
      let part = Array(image.bytes[..<scan.data.upperBound])
      #expect(throws: UprightError.self) { try Rewriter().rewrite(part) }
    }
  }

  @Test(arguments: paths, [1, 2, 8])
  func `A few stray bytes after the last MCU are removed`(path: String, count: Int) throws {
    let bytes = try Fixture.bytes(path)
    let stray = [UInt8](repeating: 0x5A, count: count)
    let rewrite = try rewrite(bytes.dropLast(2) + stray + bytes.suffix(2))
    #expect(try rewrite.bytes == self.rewrite(bytes).bytes)
    #expect(rewrite.plan.notes.contains { $0.text.hasSuffix("removed") })
  }

  /// They are mostly the rest of a damaged scan.
  @Test(arguments: paths, [9, 35, 385])
  func `More stray bytes after the last MCU are damage`(path: String, count: Int) throws {
    let bytes = try Fixture.bytes(path)
    let stray = (0..<count).map { UInt8($0 % 255) }
    #expect(throws: UprightError.self) {
      try Rewriter().rewrite(bytes.dropLast(2) + stray + bytes.suffix(2))
    }
  }

  @Test(arguments: ["orientation/aligned-6.jpg", "orientation/unaligned-3.jpg"])
  func `A sequential scan may give any spectral selection`(path: String) throws {
    for parameters: [UInt8] in [[0, 0, 0], [1, 9, 0x21]] {
      func changed(_ bytes: [UInt8]) throws -> [UInt8] {
        var bytes = bytes
        for segment in try Container(bytes.span).segments where segment.marker == .startOfScan {
          bytes.replaceSubrange(segment.range.suffix(3), with: parameters)
        }
        return bytes
      }
      let bytes = try Fixture.bytes(path)
      #expect(try rewrite(changed(bytes)).bytes == changed(rewrite(bytes).bytes))
    }
  }

  @Test(arguments: ["orientation/aligned-6.jpg", "orientation/unaligned-3.jpg"])
  func `All components may have one identifier`(path: String) throws {
    func changed(_ bytes: [UInt8]) throws -> [UInt8] {
      var bytes = bytes
      for segment in try Container(bytes.span).segments {
        let start = segment.payload.lowerBound
        for index in 0..<3 {
          if segment.marker.startsFrame { bytes[start + 6 + 3 * index] = 1 }
          if segment.marker == .startOfScan { bytes[start + 1 + 2 * index] = 1 }
        }
      }
      return bytes
    }
    let bytes = try Fixture.bytes(path)
    #expect(try rewrite(changed(bytes)).bytes == changed(rewrite(bytes).bytes))
  }

  @Test func `A JPEG XT box without content does not matter`() throws {
    let bytes = try Fixture.bytes("orientation/aligned-6.jpg")
    let head: [UInt8] = [0x4A, 0x50, 0, 1, 0, 0, 0, 1]
    func with(_ payload: [UInt8]) -> [UInt8] {
      bytes[..<2] + [0xFF, 0xEB] + UInt16(payload.count + 2).bytes(.big) + payload + bytes[2...]
    }
    for payload in [[0x4A, 0x50], head, head + [0, 0, 0, 8] + Array("RESI".utf8)] {
      _ = try rewrite(with(payload))
    }
    let content = head + [0, 0, 0, 9] + Array("RESI".utf8) + [1]
    #expect(try Rewriter().rewrite(with(content)).skipReason == "jpeg-xt")
  }

  /// libjpeg shows a level that it invents, without a warning.
  @Test func `An image without a scan of one of its components is damaged`() throws {
    let image = try ImageFile(try Fixture.bytes("coding/scans-by-component.jpg"))
    for scan in image.container.scans {
      var bytes = image.bytes
      bytes.removeSubrange(
        image.container.segments[scan.segment].range.lowerBound..<scan.data.upperBound
      )
      #expect(throws: UprightError.self) { try Rewriter().rewrite(bytes) }
    }
  }

  /// Two blocks whose EOB run is three blocks long.
  @Test func `An EOB run that is longer than the image is restored`() throws {
    func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
      [0xFF, marker] + UInt16(payload.count + 2).bytes(.big) + payload
    }
    let oneCode: [UInt8] = [1] + [UInt8](repeating: 0, count: 15)
    let bytes: [UInt8] =
      [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + segment(0xC2, [8, 0, 8, 0, 16, 1, 1, 0x11, 0]) + segment(0xC4, [0] + oneCode + [0])
      + segment(0xC4, [0x10] + oneCode + [0x10]) + segment(0xDA, [1, 1, 0, 0, 0, 0]) + [0x3F]
      + segment(0xDA, [1, 1, 0, 1, 63, 0]) + [0x7F, 0xFF, 0xD9]
    let outcome = try Rewriter(.normalize(then: .rotate180)).rewrite(bytes)
    let rewrite = try outcome.rewritten()
    #expect(try rewrite.undo?.restoreOriginal(from: rewrite.bytes) == bytes)
  }

  @Test(arguments: [
    ("orientation/aligned-6.jpg", Rewrite.Verification.reference),
    ("sampling/411-tag-2.jpg", .reference), ("sampling/411-tag-5.jpg", .restored),
  ])
  func `TurboJPEG checks what it has a name for, before and after the transform`(
    path: String,
    verification: Rewrite.Verification
  ) throws {
    var options = Options()
    options.verification = .reference
    let rewrite = try Rewriter(options: options).rewrite(try Fixture.bytes(path)).rewritten()
    #expect(rewrite.verification == verification)
  }
}

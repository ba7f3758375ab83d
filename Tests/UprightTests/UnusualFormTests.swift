import FileBytes
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
    #expect(verdict.findings.map(\.code.rawValue) == [])
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

  /// Bytes without a marker, as devices leave them.
  private static let strays: [[UInt8]] = [
    [0x5A], [UInt8](repeating: 0, count: 12), [0xFF, 0, 1, 0xFF, 0],
    (0..<385).map { UInt8($0 % 255) }, [UInt8](repeating: 0x5A, count: 5_000),
  ]

  private func with(_ more: [UInt8], in bytes: [UInt8], at places: [Int]) -> [UInt8] {
    places.sorted(by: >).reduce(into: bytes) { $0.insert(contentsOf: more, at: $1) }
  }

  @Test(arguments: paths, strays)
  func `Bytes after the last MCU of scans are removed`(path: String, stray: [UInt8]) throws {
    let image = try ImageFile(try Fixture.bytes(path))
    let ends = image.container.scans.map { $0.data.upperBound }
    for places in [ends, ends.suffix(1)] {
      let rewrite = try rewrite(with(stray, in: image.bytes, at: places))
      #expect(try rewrite.bytes == self.rewrite(image.bytes).bytes)
      let texts = rewrite.plan.notes.filter { $0.code == .strayBytes }.map { $0.text }
      #expect(texts.count == 1 && texts[0].hasPrefix("\(places.count * stray.count) stray byte"))
    }
  }

  @Test(
    arguments: ["coding/restart-rows.jpg", "coding/progressive-restarts.jpg"],
    strays + [[0xFF], [0xFF, 0xFF, 0xFF]]
  )
  func `Bytes before restart markers are removed`(path: String, stray: [UInt8]) throws {
    let image = try ImageFile(try Fixture.bytes(path))
    let markers = image.container.scans.flatMap { $0.data.dropLast() }.filter {
      image.bytes[$0] == 0xFF && (0xD0...0xD7).contains(image.bytes[$0 + 1])
    }
    for places in [markers, markers.suffix(1)] {
      let rewrite = try rewrite(with(stray, in: image.bytes, at: places))
      #expect(try rewrite.bytes == self.rewrite(image.bytes).bytes)
      let undo = try #require(rewrite.undo).serialized
      #expect(undo.first == 2, "the version of the record")
      #expect(try UndoRecord(serialized: undo) == rewrite.undo)
    }
  }

  @Test(arguments: ["orientation/aligned-6.jpg", "coding/progressive-restarts.jpg"], strays)
  func `Bytes between segments are kept where they are`(path: String, stray: [UInt8]) throws {
    let image = try ImageFile(try Fixture.bytes(path))
    let result = try rewrite(image.bytes).bytes
    let segments = image.container.segments.dropFirst().dropLast().filter { segment in
      !image.container.scans.contains { $0.data.upperBound == segment.range.lowerBound }
    }
    for segment in segments {
      let rewrite = try rewrite(with(stray, in: image.bytes, at: [segment.range.lowerBound]))
      let container = try Container(rewrite.bytes.span)
      let place = try #require(container.strayByteOffset)
      #expect(Array(rewrite.bytes[place..<place + stray.count]) == stray)
      #expect(rewrite.bytes[..<place] + rewrite.bytes[(place + stray.count)...] == result[...])
      #expect(rewrite.plan.notes.contains { $0.code == .strayBytes })
    }
  }

  @Test func `A restart marker that is not due is damage, and called so`() throws {
    let image = try ImageFile(try Fixture.bytes("coding/restart-rows.jpg"))
    let data = image.container.scans[0].data
    let marker = try #require(
      data.first { image.bytes[$0] == 0xFF && image.bytes[$0 + 1] == 0xD0 }
    )
    let bytes = with([0x12, 0xFF, 0xD5], in: image.bytes, at: [marker])
    let error = #expect(throws: UprightError.self) { try Rewriter().rewrite(bytes) }
    #expect(error?.code == .damagedScan && error?.message.contains("restart marker") == true)
    // The tag is right, unless something else is requested.
    #expect(error?.remedies == [])
    let rotation = Rewriter(.normalize(then: .rotate90))
    let rotated = #expect(throws: UprightError.self) { try rotation.rewrite(bytes) }
    #expect(rotated?.remedies.map(\.step) == [.policy("tag-only", "true")])
    // The tag needs no decoding.
    let tagged = try Rewriter(.tag(.set(.up))).rewrite(bytes).rewritten().bytes
    #expect(tagged.suffix(1000) == bytes.suffix(1000))
  }

  @Test func `Bytes after the last MCU of an upright image are noted if it is checked`() throws {
    var options = Options()
    options.checksUnchanged = true
    let bytes = try rewrite(try Fixture.bytes("orientation/aligned-6.jpg")).bytes
    let stray = bytes.dropLast(2) + [UInt8](repeating: 0, count: 40) + bytes.suffix(2)
    let plan = try Rewriter(options: options).rewrite(Array(stray)).plan
    #expect(!plan.action.rewrites)
    #expect(plan.notes.map { $0.code } == [.strayBytes])
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

import Fixtures
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

struct VerifierTests {
  /// Fixtures of every kind whose rewrite keeps everything.
  static let rewritten = Fixture.all.filter {
    ![.damaged, .notJPEG, .unchanged].contains($0.expect)
  }

  /// Thumbnails that cannot be transformed stay as they are, and the proof says so.
  static let staleThumbnails = [
    "exif/thumbnail-broken.jpg", "thumbnail/broken.jpg", "thumbnail/longer-no-room.jpg",
    "thumbnail/without-eoi.jpg", "thumbnail/ycbcr.jpg", "thumbnail/outside.jpg",
  ]

  @Test(arguments: rewritten) func `What Upright makes is proven`(fixture: Fixture) throws {
    let original = try fixture.bytes()
    var options = Options()
    (options.onConflict, options.contentCredentials) = (.trustTag, .keep)
    guard case .rewritten(let rewrite) = try Rewriter(options: options).rewrite(original) else {
      return
    }
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.findings == [])
    if Self.staleThumbnails.contains(fixture.path) {
      #expect(verdict.notes.contains { $0.code.rawValue == "thumbnail-kept" })
    }
    #expect(verdict.images.first?.relation == (rewrite.redraw == nil ? .lossless : .reencoded))
  }

  @Test(arguments: rewritten)
  func `A rewrite that may only be lossless keeps every coefficient of every image`(
    fixture: Fixture
  ) throws {
    let original = try fixture.bytes()
    var options = Options()
    (options.onConflict, options.contentCredentials) = (.trustTag, .keep)
    options.unaligned = .skip
    guard case .rewritten(let rewrite) = try Rewriter(options: options).rewrite(original) else {
      return
    }
    #expect(!rewrite.plan.embeddedImages.contains { $0.disposition == .reencoded })
    var verifier = Verifier()
    verifier.requiresLossless = true
    #expect(try verifier.verify(original: original, result: rewrite.bytes).findings == [])
  }

  @Test(arguments: [
    "multi-picture/gain-map-unaligned.jpg", "multi-picture/preview-unaligned.jpg",
    "thumbnail/unaligned.jpg",
  ])
  func `A file whose gain map, preview or thumbnail would be re-encoded is skipped on request`(
    path: String
  ) throws {
    let original = try Fixture.bytes(path)
    var options = Options()
    let result = try Rewriter(options: options).rewrite(original).rewritten()
    #expect(result.plan.embeddedImages.contains { $0.disposition == .reencoded })
    var verifier = Verifier()
    #expect(try verifier.verify(original: original, result: result.bytes).findings == [])
    verifier.requiresLossless = true
    let verdict = try verifier.verify(original: original, result: result.bytes)
    #expect(verdict.findings.map(\.code.rawValue) == ["not-lossless"])
    options.unaligned = .skip
    guard case .skip(let reason) = try Rewriter(options: options).rewrite(original).plan.action
    else {
      Issue.record("the file is not skipped")
      return
    }
    #expect(reason.code == .unalignedEdge)
    options.unaligned = .fail
    #expect(throws: UprightError.self) { try Rewriter(options: options).rewrite(original) }
  }

  @Test(arguments: ["thumbnail/aligned.jpg", "orientation/aligned-6.jpg", "sample/portrait.jpg"])
  func `A second segment of the same kind is compared, too`(path: String) throws {
    let original = try Fixture.bytes(path)
    let container = try Container(original.span)
    for kind in [SegmentKind.exif, .jfif, .xmp] {
      guard let segment = container.segments(kind, in: original.span).first else { continue }
      let scan = try #require(container.segments.first { $0.marker == .startOfScan })
      let end = try #require(container.endOfImageOffset)
      for place in [segment.range.upperBound, scan.range.lowerBound, end] {
        var twice = original
        twice.insert(contentsOf: original[segment.range], at: place)
        let rewrite = try Rewriter().rewrite(twice).rewritten()
        #expect(try Verifier().verify(original: twice, result: rewrite.bytes).findings == [])
        // The second one is changed.
        var changed = rewrite.bytes
        let second = try Container(changed.span).segments(kind, in: changed.span)[1]
        changed[second.payload.upperBound - 1] ^= 0x55
        #expect(try Verifier().verify(original: twice, result: changed).findings != [])
      }
    }
  }

  @Test func `Transformed regions, dimensions and resolutions are proven`() throws {
    for path in ["exif/resolution-differs.jpg", "regions/mwg.jpg", "sample/portrait.jpg"] {
      guard let original = try? Fixture.bytes(path) else { continue }
      var options = Options()
      (options.regions, options.resolution) = (.follow, .follow)
      let rewrite = try Rewriter(options: options).rewrite(original).rewritten()
      #expect(try Verifier().verify(original: original, result: rewrite.bytes).findings == [])
    }
  }

  @Test(arguments: [
    ("orientation/aligned-6.jpg", "trim", []),
    ("orientation/unaligned-6.jpg", "trim", []),
    ("orientation/aligned-1.jpg", "same", []),
    ("orientation/aligned-6.jpg", "same", ["not-transformed"]),
  ])
  func `Other outcomes are named`(
    path: String,
    how: String,
    findings: [String]
  ) throws {
    let original = try Fixture.bytes(path)
    var result = original
    if how == "trim" {
      var options = Options()
      options.unaligned = .trim
      result = try Rewriter(options: options).rewrite(original).rewritten().bytes
    }
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == findings)
  }

  @Test(arguments: [
    ("orientation/aligned-6.jpg", ["-rotate", "270"], "wrong-transform"),
    ("orientation/unaligned-6.jpg", ["-rotate", "90"], "edge-strip"),
    ("orientation/aligned-6.jpg", ["-rotate", "90"], "orientation-stale"),
    ("trailer/motion-photo.jpg", ["-rotate", "90"], "trailer-lost"),
    ("orientation/aligned-6.jpg", ["-rotate", "90", "-grayscale"], "component-count"),
    ("orientation/aligned-6.jpg", ["-rotate", "90", "-progressive"], "scan-count"),
    ("orientation/aligned-6.jpg", ["-rotate", "90", "-arithmetic"], "coding-process"),
    ("orientation/aligned-6.jpg", ["-rotate", "90", "-restart", "1"], "restart-interval"),
  ])
  func `Differences of jpegtran's results are found`(
    path: String,
    options: [String],
    finding: String
  ) throws {
    let original = try Fixture.bytes(path)
    let result = try Tool.run("jpegtran", ["-copy", "all"] + options, input: original).output
    let verdict = try Verifier().verify(original: original, result: result)
    #expect((verdict.findings + verdict.notes).map(\.code.rawValue).contains(finding))
  }

  @Test(arguments: [
    ("orientation/aligned-6.jpg", "90", "exif-dimensions-stale"),
    ("xmp/alone.jpg", "90", "xmp-dimensions-stale"), ("regions/mwg.jpg", "90", "region-kept"),
  ])
  func `Metadata that does not change with the image is found`(
    path: String,
    angle: String,
    finding: String
  ) throws {
    let original = try Fixture.bytes(path)
    let pixels = try Tool.jpegtran(original, ["-rotate", angle])
    // jpegtran adjusts dimensions in Exif, so all metadata of the original is put back.
    let (before, after) = (try Container(original.span), try Container(pixels.span))
    let metadata = before.segments.filter(\.marker.carriesMetadata).flatMap { original[$0.range] }
    let first = try #require(
      after.segments.first { !$0.marker.carriesMetadata && !$0.marker.isStandalone }
    )
    let result = pixels[..<2] + metadata + pixels[first.range.lowerBound...]
    let verdict = try Verifier().verify(original: original, result: Array(result))
    #expect((verdict.findings + verdict.notes).map(\.code.rawValue).contains(finding))
  }

  @Test func `A re-encoded image is found`() throws {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    let transformed = try Tool.jpegtran(original, ["-rotate", "90"])
    let pixels = try Tool.djpeg(transformed)
    let again = try Tool.run("cjpeg", ["-quality", "98"], input: pixels).output
    let verdict = try Verifier().verify(original: original, result: again)
    let identifiers = verdict.findings.map(\.code.rawValue)
    #expect(identifiers.contains("quality-lost"))
    #expect(identifiers.contains("segment-lost"))
    let components = try #require(verdict.images.first).components
    #expect(components.allSatisfy { !$0.isLossless && $0.psnr > 30 && $0.largestError > 0 })
  }

  /// The proof covers every byte: whatever is damaged, it fails.
  @Test(arguments: [
    "sample/portrait.jpg", "multi-picture/apple.jpg", "trailer/motion-photo.jpg",
    "orientation/unaligned-6.jpg", "xmp/elements.jpg",
  ])
  func `A byte that is changed outside of the coding is found`(path: String) throws {
    let original = try Fixture.bytes(path)
    let result = try Rewriter().rewrite(original).rewritten().bytes
    let container = try Container(result.span)
    #expect(try Verifier().verify(original: original, result: result).findings.isEmpty)
    let kept =
      container.segments.filter(\.marker.carriesMetadata).flatMap(\.range)
      + Array(container.end..<result.count)
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<150 {
      let place = try #require(kept.randomElement(using: &generator))
      var damaged = result
      damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      let verdict = try? Verifier().verify(original: original, result: damaged)
      #expect(verdict?.findings.isEmpty != true, "byte \(place)")
    }
  }

  @Test(arguments: ["<?xpacket end", "<?xpackeT end", "<?ypacket end", "<!-- cket end"])
  func `Padding of XMP may change at the end of each document, but nowhere else`(
    end: String
  ) throws {
    var original = try Fixture.bytes("xmp/grows-in-padding.jpg")
    let trailer = try #require(original.firstRange(of: Array("<?xpacket end=\"w\"?>".utf8)))
    let damaged =
      Array(end.utf8) + (end.hasPrefix("<!") ? Array("= w-->".utf8) : Array("=\"w\"?>".utf8))
    original.replaceSubrange(trailer, with: damaged)
    // The same document once more, in the same segment.
    let segment = try #require(
      try Container(original.span).segments(.xmp, in: original.span).first
    )
    let start = try #require(original.firstRange(of: Array("<?xpacket begin".utf8))).lowerBound
    original.insert(
      contentsOf: [0] + original[start..<segment.range.upperBound],
      at: segment.range.upperBound
    )
    let length = segment.range.count - 2 + segment.range.upperBound - start + 1
    original[segment.range.lowerBound + 2] = UInt8(length >> 8)
    original[segment.range.lowerBound + 3] = UInt8(length & 0xFF)

    var result = try Rewriter().rewrite(original).rewritten().bytes
    #expect(try Verifier().verify(original: original, result: result).findings == [])
    // A space of the padding is moved to another place.
    let root = try #require(result.firstRange(of: Array("</x:xmpmeta>".utf8)))
    result.remove(at: root.upperBound)
    result.insert(0x20, at: root.lowerBound)
    let findings = try Verifier().verify(original: original, result: result).findings
    #expect(findings.map(\.code.rawValue) == ["xmp-bytes-changed"])
  }

  @Test func `An image that is its own mirror image is proven to be mirrored`() throws {
    let gray = Array("P5 32 16 255\n".utf8) + [UInt8](repeating: 99, count: 512)
    let image = try Tool.run("cjpeg", [], input: gray).output
    for transform in [OrientationTransform.none, .flipHorizontal, .flipVertical, .rotate180] {
      let verdict = try Verifier(then: transform).verify(original: image, result: image)
      #expect(verdict.findings == [])
    }
    let rotated = try Verifier(then: .rotate90).verify(original: image, result: image)
    #expect(rotated.findings.map(\.code.rawValue) == ["not-transformed"])
  }

  @Test func `A coefficient that is changed is found`() throws {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    let result = try Rewriter().rewrite(original).rewritten().bytes
    let scan = try #require(try Container(result.span).scans.first).data
    var generator = SeededGenerator(seed: 8)
    var readable = 0
    for _ in 0..<100 {
      var damaged = result
      // The last byte may be padding alone.
      let place = Int.random(in: scan.lowerBound..<scan.upperBound - 1, using: &generator)
      damaged[place] ^= 1 << UInt8.random(in: 0...7, using: &generator)
      guard let verdict = try? Verifier().verify(original: original, result: damaged) else {
        continue
      }
      readable += 1
      #expect(verdict.conclusion == .notProven, "byte \(place)")
    }
    #expect(readable > 0)
  }

  @Test func `A quantization table that is changed is found`() throws {
    let original = try Fixture.bytes("orientation/aligned-6.jpg")
    var result = try Rewriter().rewrite(original).rewritten().bytes
    let table = try #require(
      try Container(result.span).segments.first { $0.marker == .defineQuantizationTables }
    )
    result[table.payload.upperBound - 1] ^= 1
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["quantization-table"])
  }

  @Test(arguments: ["bad/cut-in-scan.jpg", "bad/empty.jpg", "bad/no-eoi.jpg", "bad/text.jpg"])
  func `Nothing is proven of a file that cannot be read`(path: String) throws {
    let (good, bad) = (try Fixture.bytes("orientation/aligned-6.jpg"), try Fixture.bytes(path))
    #expect(throws: UprightError.self) { try Verifier().verify(original: bad, result: good) }
    #expect(throws: UprightError.self) { try Verifier().verify(original: good, result: bad) }
  }
}

struct ConclusionTests {
  private func result(
    _ path: String,
    _ unaligned: Options.UnalignedPolicy
  ) throws -> (
    original: [UInt8], result: [UInt8]
  ) {
    let original = try Fixture.bytes(path)
    var options = Options()
    options.unaligned = unaligned
    return (original, try Rewriter(options: options).rewrite(original).rewritten().bytes)
  }

  @Test(arguments: [
    ("orientation/aligned-6.jpg", Options.UnalignedPolicy.redraw, Verdict.Detail.lossless),
    ("orientation/unaligned-6.jpg", .redraw, .reencoded),
    ("orientation/unaligned-6.jpg", .trim, .trimmed),
  ])
  func `A verdict distinguishes lossless results from others, which can be refused`(
    path: String,
    policy: Options.UnalignedPolicy,
    conclusion: Verdict.Detail
  ) throws {
    let (original, result) = try result(path, policy)
    var verifier = Verifier()
    #expect(try verifier.verify(original: original, result: result).detail == conclusion)
    verifier.requiresLossless = true
    let verdict = try verifier.verify(original: original, result: result)
    #expect(
      verdict.findings.map(\.code.rawValue) == (conclusion == .lossless ? [] : ["not-lossless"])
    )
  }

  @Test(arguments: [
    ("orientation/aligned-1.jpg", Verdict.Detail.alreadyUpright),
    ("exif/no-exif.jpg", .alreadyUpright), ("exif/orientation-0.jpg", .alreadyUpright),
    ("exif/orientation-9.jpg", .identical), ("bad/text.jpg", .identical),
    ("bad/empty.jpg", .identical), ("bad/no-eoi.jpg", .identical),
    ("orientation/aligned-6.jpg", .notProven),
  ])
  func `Two files of the same bytes are the same, also where they cannot be read`(
    path: String,
    conclusion: Verdict.Detail
  ) throws {
    let bytes = try Fixture.bytes(path)
    #expect(try Verifier().verify(original: bytes, result: bytes).detail == conclusion)
  }

  @Test func `A thumbnail that could have been transformed, and was not, is found`() throws {
    let (original, made) = try result("thumbnail/aligned.jpg", .redraw)
    #expect(try Verifier().verify(original: original, result: made).isProven)
    let old = try #require(try Self.thumbnail(original))
    let new = try #require(try Self.thumbnail(made))
    var result = made
    result.replaceSubrange(new, with: original[old])
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["thumbnail-not-transformed"])
  }

  @Test(arguments: [
    ("thumbnail/aligned.jpg", Verdict.Detail.lossless),
    ("thumbnail/unaligned.jpg", .reencoded), ("multi-picture/preview-unaligned.jpg", .reencoded),
    ("multi-picture/gain-map-unaligned.jpg", .reencoded),
  ])
  func `Only a result that keeps the coefficients of every image is proven`(
    path: String,
    conclusion: Verdict.Detail
  ) throws {
    let (original, made) = try result(path, .redraw)
    let verdict = try Verifier().verify(original: original, result: made)
    #expect(verdict.findings == [])
    #expect(verdict.images.first?.relation == .lossless)
    #expect(verdict.detail == conclusion)
    #expect(verdict.isProven == (conclusion == .lossless))
  }

  @Test func `A thumbnail that cannot be re-encoded may be kept, with a note`() throws {
    var original = try Fixture.bytes("thumbnail/unaligned.jpg")
    let thumbnail = try #require(try Self.thumbnail(original))
    let table = try #require(original[thumbnail].firstRange(of: [0xFF, 0xDB, 0, 0x43, 0]))
    // With these steps, samples are far out of their range.
    for place in table.upperBound..<table.upperBound + 64 { original[place] = 255 }
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(rewrite.plan.embeddedImages.map(\.disposition) == [.stale])
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.findings == [])
    #expect(
      verdict.notes.contains {
        $0.code.rawValue == "thumbnail-kept" && $0.text.contains("cannot be re-encoded")
      }
    )
  }

  /// The stream in the Exif segment, which is the thumbnail and ends the segment.
  private static func thumbnail(_ bytes: [UInt8]) throws -> Range<Int>? {
    let segment = try Container(bytes.span).segments(.exif, in: bytes.span).first
    guard let payload = segment?.payload else { return nil }
    let start = payload.dropFirst().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD8 }
    return start.map { $0..<payload.upperBound }
  }
}

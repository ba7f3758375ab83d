import FileBytes
import Fixtures
import Foundation
import ImageFormats
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// The audit of formats other than JPEG.
struct ImageAuditTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    var name: String
    var format: String
    /// The orientation that rules, or nil if nothing states one.
    var shown: Int?
    var own: Int?
    var exif: Int64?
    var agrees = true
    var reason: String

    var testDescription: String { name }
  }

  static let expected: [Expected] = [
    Expected(
      name: "agree.heic",
      format: "heic",
      shown: 6,
      own: 6,
      exif: 6,
      reason: "applied-by-readers"
    ),
    Expected(
      name: "normalized.heic",
      format: "heic",
      shown: 6,
      own: 6,
      exif: 1,
      reason: "applied-by-readers"
    ),
    Expected(
      name: "mirrored.heic",
      format: "heic",
      shown: 5,
      own: 5,
      exif: 5,
      reason: "applied-by-readers"
    ),
    Expected(
      name: "exif-alone.heic",
      format: "heic",
      shown: 1,
      exif: 6,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(
      name: "opposite.heic",
      format: "heic",
      shown: 8,
      own: 8,
      exif: 6,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(
      name: "xmp-alone.heic",
      format: "heic",
      shown: 1,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(name: "little-endian.tif", format: "tiff", shown: 6, exif: 6, reason: "other-format"),
    Expected(name: "big-endian.tif", format: "tiff", shown: 8, exif: 8, reason: "other-format"),
    Expected(name: "no-orientation.tif", format: "tiff", reason: "no-orientation"),
    Expected(name: "big.tif", format: "tiff", shown: 3, exif: 3, reason: "other-format"),
    Expected(
      name: "xmp.tif",
      format: "tiff",
      shown: 1,
      exif: 1,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(
      name: "digital-negative.dng",
      format: "dng",
      shown: 6,
      exif: 6,
      reason: "applied-by-readers"
    ),
    Expected(name: "digital-negative.tif", format: "dng", shown: 1, exif: 1, reason: "upright"),
    Expected(name: "exif.png", format: "png", shown: 6, exif: 6, reason: "other-format"),
    Expected(name: "exif-after.png", format: "png", shown: 6, exif: 6, reason: "other-format"),
    Expected(name: "profile.png", format: "png", shown: 6, exif: 6, reason: "other-format"),
    Expected(
      name: "xmp.png",
      format: "png",
      shown: 1,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(
      name: "two.png",
      format: "png",
      shown: 6,
      exif: 6,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(name: "plain.webp", format: "webp", reason: "no-orientation"),
    Expected(name: "exif.webp", format: "webp", shown: 6, exif: 6, reason: "other-format"),
    Expected(
      name: "xmp.webp",
      format: "webp",
      shown: 6,
      exif: 6,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(name: "codestream.jxl", format: "jxl", shown: 6, own: 6, reason: "applied-by-readers"),
    Expected(
      name: "agree.jxl",
      format: "jxl",
      shown: 6,
      own: 6,
      exif: 6,
      reason: "applied-by-readers"
    ),
    Expected(
      name: "opposite.jxl",
      format: "jxl",
      shown: 8,
      own: 8,
      exif: 6,
      agrees: false,
      reason: "orientations-disagree"
    ),
    Expected(name: "compressed.jxl", format: "jxl", shown: 6, own: 6, reason: "applied-by-readers"),
  ]

  @Test(arguments: expected)
  func `What a file states, and which statement rules, is reported`(expected: Expected) throws {
    let audit = try Rewriter().audit(Fixture.bytes("formats/\(expected.name)"))
    let (facts, image) = (audit.facts, audit.plan.image)
    #expect(image.format.rawValue == expected.format)
    #expect(image.orientation?.rawValue == expected.shown)
    #expect(facts.formatOrientation?.rawValue == expected.own)
    #expect(facts.exifOrientation == expected.exif)
    #expect(facts.orientationsAgree == expected.agrees)
    #expect(image.jpeg == nil)
    let size = expected.format == "heic" ? (96, 64) : (48, 32)
    #expect((image.size.width, image.size.height) == size)
    switch audit.plan.action {
    case .unchanged(let reason), .skip(let reason):
      #expect(reason.code.rawValue == expected.reason)
    default: Issue.record("\(audit.plan.action)")
    }
    #expect(!audit.plan.action.rewrites)
  }

  @Test func `Compressed metadata is named`() throws {
    let audit = try Rewriter().audit(Fixture.bytes("formats/compressed.jxl"))
    #expect(audit.plan.notes.map(\.text) == ["Exif is compressed with Brotli, not read"])
  }

  @Test func `The thumbnail of a HEIC file is listed`() throws {
    let images = try Rewriter().audit(Fixture.bytes("formats/agree.heic")).facts.embeddedImages
    #expect(images.map(\.role) == [.thumbnail])
    #expect(images.first.map { [$0.width, $0.height] } == [96, 64])
    let gain = try Rewriter().audit(Fixture.bytes("heif/gain-map.heic")).facts
    #expect(gain.hasGainMap && gain.embeddedImages.map(\.role) == [.gainMap, .matte, .unknown])
  }

  @Test(arguments: 0..<4, [Int?.none, 0, 1])
  func `irot and imir together give one of the eight orientations`(
    quarters: Int,
    axis: Int?
  ) throws {
    var rotated = OrientationTransform.none
    // Counter-clockwise (ISO/IEC 23008-12, 6.5.10).
    for _ in 0..<quarters { rotated = rotated.then(.rotate270) }
    let flip: OrientationTransform =
      axis.map { $0 == 0 ? .flipVertical : .flipHorizontal } ?? .none
    var file = try Fixture.bytes("formats/mirrored.heic")
    func set(_ type: String, to value: Int?) throws {
      let name = Array(type.utf8)
      let place = try #require(
        file.indices.first { file[$0...].starts(with: name) }
      )
      if let value { file[place + 4] = UInt8(value) } else { file[place] = UInt8(ascii: "x") }
    }
    try set("irot", to: quarters)
    try set("imir", to: axis)
    let facts = try Rewriter().audit(file).facts
    #expect(facts.formatOrientation == Orientation(uprightBy: rotated.then(flip)))
    #expect(
      facts.orientationsAgree == (facts.formatOrientation == .leftMirrored)
    )
  }

  @Test func `Damaged files end in an audit or an error, after few reads`() throws {
    var generator = SeededGenerator(seed: 0xF0)
    for path in try Fixture.paths(in: "formats") {
      let original = try Fixture.bytes(path)
      for round in 0..<400 {
        var file = original
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
          file[Int.random(in: file.indices, using: &generator)] =
            [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)].randomElement(
              using: &generator
            )!
        }
        if round % 4 == 0 { file.removeLast(Int.random(in: 0..<file.count, using: &generator)) }
        var reads = (count: 0, bytes: 0)
        _ = try? Rewriter().audit(size: file.count) { offset, count in
          reads.count += 1
          let bytes = Array(file.dropFirst(offset).prefix(count))
          reads.bytes += bytes.count
          return bytes
        }
        #expect(reads.count < 100 && reads.bytes < 1 << 20, "\(path)")
      }
    }
  }

  /// Camera raw files that are not built like TIFF.
  static let raws = [
    "fujifilm.raf", "canon.cr3", "minolta.mrw", "sigma.x3f", "quattro.x3f", "canon.crw",
  ]

  @Test(arguments: raws)
  func `A camera raw file that is cut off has its orientation, or an error at a byte of it`(
    name: String
  ) throws {
    let file = try Fixture.bytes("formats/\(name)")
    let whole = try #require(try Rewriter().audit(file).plan.image.orientation)
    var errors = 0
    for count in 24..<file.count {
      do {
        #expect(try Rewriter().audit(Array(file[..<count])).plan.image.orientation == whole)
      } catch {
        let isWithin = error.offset.map { (0...count).contains($0) } == true
        #expect(isWithin, "\(count) bytes: \(error)")
        errors += 1
      }
    }
    #expect(errors > 0)
  }

  @Test func `A camera raw file with edges in the wrong order has no size`() throws {
    var file = Array("IIU\0".utf8) + [8, 0, 0, 0, 4, 0]
    // Top and left are the largest numbers of eight bytes, bottom and right are 0.
    for (tag, place) in [(4, 62), (5, 62), (6, 70), (7, 70)] as [(UInt8, UInt8)] {
      file += [tag, 0, 16, 0, 1, 0, 0, 0, place, 0, 0, 0]
    }
    file += [0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0, count: 8)
    let image = try Rewriter().audit(file).plan.image
    #expect(image.size == PixelSize(width: 0, height: 0))
  }

  @Test(arguments: [("48.2 N", true), ("unknown", false)])
  func `A position in text counts if it has a number`(text: String, isPosition: Bool) throws {
    var file = try Fixture.bytes("sample/portrait.jpg")
    let block = try #require(file.firstRange(of: Array("Exif\0\0II".utf8))).upperBound - 2
    // GPSLatitude: three rationals at an offset become 24 bytes of text.
    let entry = try #require(file.firstRange(of: [2, 0, 5, 0, 3, 0, 0, 0]))
    let offset = Int(file[entry.upperBound]) | Int(file[entry.upperBound + 1]) << 8
    file.replaceSubrange(entry, with: [2, 0, 2, 0, 24, 0, 0, 0])
    let value = Array(text.utf8) + [UInt8](repeating: 0, count: 24 - text.utf8.count)
    file.replaceSubrange(block + offset..<block + offset + 24, with: value)
    #expect(try Rewriter().audit(file).facts.hasPosition == isPosition)
  }

  @Test func `A PNG file with profiles that expand without end is read in bounded time`() throws {
    let png = try Fixture.bytes("formats/exif.png")
    // Stored blocks would not expand: a run of zeros, compressed a thousandfold by Python.
    let script =
      "import sys,zlib,struct\nd=b'Raw profile type exif\\0\\0'+zlib.compress(b'0'*(64<<20),9)\n"
      + "c=b'zTXt'+d\nsys.stdout.buffer.write(struct.pack('>I',len(d))+c+struct.pack('>I',zlib.crc32(c)))"
    let chunk = try Tool.run("python3", ["-c", script]).output
    var file = Array(png[..<33])
    for _ in 0..<40 { file += chunk }
    file += png[33...]
    let start = ContinuousClock.now
    let audit = try Rewriter().audit(file)
    #expect(audit.facts.exifOrientation == 6)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  /// Exif with the Orientation 6, in hexadecimal as ImageMagick writes it.
  private static let profile: String = {
    let exif = TIFFBlock.exifSegment(.right).dropFirst(4)
    let digits = exif.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return "\nexif\n\(exif.count)\n\(digits)\n"
  }()

  @Test func `A PNG file whose Exif or XMP is not read to its end is not taken for upright`() throws
  {
    let deep = String(repeating: "<a:b>", count: 110) + String(repeating: "</a:b>", count: 110)
    let packet =
      #"<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description xmlns:a="a" "#
      + #"xmlns:t="http://ns.adobe.com/tiff/1.0/" t:Orientation="6">\#(deep)</r:Description></r:RDF>"#
    let png = try Fixture.bytes("formats/plain.png")
    for (chunk, reason) in [
      (PNGChunk.bytes("eXIf", SharedFields.block(orientationIsLast: true)), "shared-bytes"),
      (PNGChunk.bytes("iTXt", "XML:com.adobe.xmp\0\0\0\0\0\(packet)".utf8), "exif-unreadable"),
    ] {
      let file = Array(png[..<33]) + chunk + png[33...]
      #expect(try Rewriter().audit(file).plan.action.reason?.code.rawValue == reason)
      #expect(try Rewriter(.tag(.set(.down))).rewrite(file).skipReason == reason)
      // A program that adds Exif with another Orientation.
      let exif = PNGChunk.bytes("eXIf", TIFFBlock.exifSegment(.down).dropFirst(10))
      let result = Array(png[..<33]) + chunk + exif + png[33...]
      if reason == "exif-unreadable" {
        let verdict = try Verifier().verify(original: file, result: result)
        #expect(verdict.findings.contains { $0.code.rawValue == "orientation-stale" })
      }
    }
    // So is a JPEG file.
    let segment = try #require(SegmentBytes.xmp(Array(packet.utf8)))
    for fixture in ["orientation/aligned-6.jpg", "orientation/aligned-1.jpg"] {
      let photo = try Fixture.bytes(fixture)
      let file = photo[..<2] + segment + photo[2...]
      #expect(try Rewriter().rewrite(Array(file)).skipReason == "exif-unreadable")
      #expect(try Rewriter(.tag(.set(.down))).rewrite(Array(file)).skipReason == "exif-unreadable")
    }
    let photo = try Fixture.bytes("orientation/aligned-6.jpg")
    let done = try Rewriter().rewrite(photo).rewritten().bytes
    let verdict = try Verifier().verify(
      original: Array(photo[..<2] + segment + photo[2...]),
      result: Array(done[..<2] + segment + done[2...])
    )
    #expect(verdict.findings.map(\.code.rawValue) == ["xmp-orientation-stale"])
  }

  @Test func `Compressed texts of a PNG file may have 16 MiB in sum`() throws {
    let png = try Fixture.bytes("formats/plain.png")
    // The profile after a text of so many bytes of spaces.
    func audit(after spaces: Int) throws -> Audit {
      let script =
        "import sys,zlib,struct\n"
        + "for k,t in (b'xmp',b' '*int(sys.argv[1])),(b'exif',sys.argv[2].encode()):\n"
        + " c=b'zTXtRaw profile type '+k+b'\\0\\0'+zlib.compress(t)\n"
        + " sys.stdout.buffer.write(struct.pack('>I',len(c)-4)+c+struct.pack('>I',zlib.crc32(c)))"
      let chunks = try Tool.run("python3", ["-c", script, "\(spaces)", Self.profile]).output
      return try Rewriter().audit(Array(png[..<33]) + chunks + png[33...])
    }
    #expect(try audit(after: 15 << 20).facts.exifOrientation == 6)
    let beyond = try audit(after: 16 << 20)
    #expect(beyond.facts.exifOrientation == nil)
    #expect(beyond.plan.notes.contains { $0.text.contains("exif cannot be read") })
  }

  @Test func `A compressed profile may have hundreds of empty blocks, but not any number`() throws {
    func orientation(_ blocks: [UInt8]) throws -> Int64? {
      let content = Array("Raw profile type exif\0\0".utf8) + [0x78, 0x01] + blocks
      let chunk = PNGChunk.bytes("zTXt", content)
      let png = try Fixture.bytes("formats/plain.png")
      return try Rewriter().audit(Array(png[..<33]) + chunk + png[33...]).facts.exifOrientation
    }
    let text = Array(Self.profile.utf8)
    let count = UInt16(text.count)
    let stored: [UInt8] = [1] + count.bytes(.little) + (~count).bytes(.little) + text
    // What an encoder writes where it is flushed.
    let flush: [UInt8] = [0, 0, 0, 0xFF, 0xFF]
    let flushes = (0..<500).flatMap { _ in flush }
    #expect(try orientation(flushes + stored) == 6)
    // Each has four blocks of ten bits: their kind, and the code of their end.
    var empty: [UInt8] = [2, 8, 0x20, 0x80, 0]
    while empty.count < 1 << 20 { empty += empty }
    let start = ContinuousClock.now
    #expect(try orientation(empty) == nil)
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}

private let corpus = ProcessInfo.processInfo.environment["UPRIGHT_CORPUS"]

@Suite(.enabled(if: corpus != nil, "UPRIGHT_CORPUS names no folder: set it to a folder of photos"))
struct FormatCorpusTests {
  /// Files that the manifest reads in another way, with the reason.
  static let differences = [
    "webp-test.webp":
      "the manifest's exiftool refuses the Exif identifier in the chunk; others read 1",
    "webp_smolkling.webp":
      "the manifest's exiftool refuses the Exif identifier in the chunk; others read 1",
    "Rot3Mir1-1.5x.avif": "exiftool prints irot without imir",
    "rotation-irot90-imir1.avif": "exiftool prints irot without imir",
    "rotation-animated-irot90.avif": "exiftool reads the tracks and not the primary item",
    "hevc32-mini.heif": "exiftool does not know the box mini",
    "simple_osm_tile_alpha.avif": "exiftool does not know the box mini",
  ]

  @Test func `Orientations are those that exiftool reads`() throws {
    let root = URL(filePath: try #require(corpus)).appending(path: "corpus-formats")
    guard let text = try? String(contentsOf: root.appending(path: "MANIFEST.tsv"), encoding: .utf8)
    else { return }
    var (compared, unreadable) = (0, 0)
    for line in text.split(separator: "\n").dropFirst() {
      let row = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      if Self.differences.keys.contains(where: { row[0].hasSuffix($0) }) { continue }
      let file = [UInt8](try Data(contentsOf: root.appending(path: row[0])))
      do {
        let audit = try Rewriter().audit(file)
        let facts = audit.facts
        // exiftool's Orientation may be that of XMP; it prints irot as degrees counter-clockwise.
        let tag = facts.exifOrientation ?? facts.xmpOrientation
        #expect(row[2] == (tag.map { "\($0)" } ?? "-"), "\(row[0])")
        if [.heic, .heif, .avif].contains(audit.plan.image.format) {
          let degrees = [1: "0", 8: "90", 3: "180", 6: "270"]
          #expect(
            row[3] == (facts.formatOrientation.map { degrees[$0.rawValue] ?? "" } ?? "-"),
            "\(row[0])"
          )
        }
        compared += 1
      } catch {
        // Damaged by purpose, or without an image; exiftool reads no Orientation there either.
        #expect(row[2] == "-" && row[3] == "-", "\(row[0]): \(error)")
        unreadable += 1
      }
    }
    print("formats: \(compared) files agree with exiftool, \(unreadable) cannot be read")
    #expect(compared > 0)
  }
}

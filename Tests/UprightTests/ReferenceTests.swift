import FileBytes
import Fixtures
import Foundation
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Numbers that follow the image, and further data that is kept.
@Suite(.requiresExifTool)
struct ReferenceTests {
  private static func segment(_ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, 0xE0 | number] + UInt16(payload.count + 2).bytes(.big) + payload
  }

  private static func resource(_ number: UInt16, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + number.bytes(.big) + [0, 0] + UInt32(data.count).bytes(.big) + data
      + (data.count % 2 == 1 ? [0] : [])
  }

  private static func photoshop(_ resources: [UInt8]) -> [UInt8] {
    segment(13, Array("Photoshop 3.0\0".utf8) + resources)
  }

  private static func xmp(_ attributes: String, _ elements: String = "") -> [UInt8] {
    let text =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" \#(attributes)>\#(elements)</rdf:Description></rdf:RDF></x:xmpmeta>"#
    return segment(1, Array("http://ns.adobe.com/xap/1.0/\0\(text)".utf8))
  }

  private static func photo(_ segments: [UInt8], tag: Int = 6) throws -> [UInt8] {
    var bytes = try Fixture.bytes("orientation/aligned-\(tag).jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.insert(contentsOf: segments, at: exif.range.upperBound)
    return bytes
  }

  /// Rewrites a photo, and checks that the result is undone and proven.
  private func rewritten(
    _ segments: [UInt8],
    tag: Int = 6,
    _ change: (inout Options) -> Void = { _ in }
  ) throws -> (rewrite: Rewrite, values: ExifTool) {
    let original = try Self.photo(segments, tag: tag)
    var rewriter = Rewriter()
    change(&rewriter.options)
    let rewrite = try rewriter.rewrite(original).rewritten()
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.findings.isEmpty, "\(verdict.findings)")
    #expect(!verdict.notes.contains { $0.code.rawValue == "region-kept" }, "\(verdict.notes)")
    return (rewrite, try ExifTool(rewrite.bytes))
  }

  // MARK: Numbers in XMP

  private static let dji = #"xmlns:d="http://www.dji.com/drone-dji/1.0/""#

  @Test func `The radius of a circle of IPTC is a fraction of the new width`() throws {
    let circle = #"i:rbShape="circle" i:rbUnit="relative" i:rbX="0.25" i:rbY="0.5" i:rbRx="0.125""#
    let segment = Self.xmp(
      #"xmlns:i="http://iptc.org/std/Iptc4xmpExt/2008-02-29/""#,
      #"<i:ImageRegion><rdf:Bag><rdf:li rdf:parseType="Resource"><i:RegionBoundary \#(circle)/></rdf:li>"#
        + "</rdf:Bag></i:ImageRegion>"
    )
    let rewrite = try rewritten(segment) { $0.regions = .follow }.rewrite
    let new = rewrite.changes.filter { $0.field.rawValue == "xmp.region.rbRx" }.map(\.new)
    // 12 pixels, of a width of 96 and of 64.
    #expect(new == ["0.1875"])
  }

  @Test(arguments: TransformedRegion.all)
  func `Points in pixels and in fractions follow the image`(expected: TransformedRegion) throws {
    let segments =
      Self.xmp(
        "\(Self.dji) d:CalibratedOpticalCenterX=\"30.000\" d:CalibratedOpticalCenterY=\"20.000\"",
        #"<f:FocalPointX xmlns:f="http://ns.google.com/photos/1.0/focus/">0.25</f:FocalPointX>"#
          + #"<f:FocalPointY xmlns:f="http://ns.google.com/photos/1.0/focus/">0.75</f:FocalPointY>"#
      )
    let values = try rewritten(segments, tag: Int(expected.tag)).values.values
    func numbers(_ names: [String]) -> [Double] {
      names.compactMap { values[$0]?.first.flatMap { Double($0) } }
    }
    let names = ["X", "Y"].map { "XMP-drone-dji:CalibratedOpticalCenter\($0)" }
    #expect(numbers(names) == expected.point.map(Double.init))
    let focus = ["X", "Y"].map { "XMP-GFocus:FocalPoint\($0)" }
    #expect(numbers(focus) == Array(expected.area.prefix(2)))
  }

  @Test(arguments: [2: 330, 3: 210, 4: 150, 5: 240, 6: 120, 7: 60, 8: 300])
  func `The angle of a face follows its region`(tag: Int, expected: Int) throws {
    let region =
      #"<m:Regions rdf:parseType="Resource"><m:RegionList><rdf:Bag><rdf:li><rdf:Description m:Type="Face">"#
      + #"<m:Area a:x="0.2" a:y="0.3" a:w="0.1" a:h="0.2" a:unit="normalized"/>"#
      + #"<m:Extensions f:AngleInfoRoll="30" f:AngleInfoYaw="0"/></rdf:Description></rdf:li></rdf:Bag>"#
      + "</m:RegionList></m:Regions>"
    let segments = Self.xmp(
      #"xmlns:m="http://www.metadataworkinggroup.com/schemas/regions/" xmlns:a="http://ns.adobe.com/xmp/sType/Area#" xmlns:f="http://ns.apple.com/faceinfo/1.0/""#,
      region
    )
    let name = "XMP-mwg-rs:RegionExtensionsAngleInfoRoll"
    #expect(try rewritten(segments, tag: tag).values.number(name) == expected)
    let kept = try Rewriter().rewrite(Self.photo(segments, tag: tag))
    #expect(try ExifTool(kept.rewritten().bytes).number(name) == expected)
    var rewriter = Rewriter()
    rewriter.options.regions = .keep
    let result = try rewriter.rewrite(Self.photo(segments, tag: tag)).rewritten()
    #expect(try ExifTool(result.bytes).number(name) == 30)
  }

  /// Where a lens with OpenCV's model, and its center given from that of the image, shows a direction.
  private func shown(_ n: [Double], _ x: Double, _ y: Double) -> [Double] {
    let r = x * x + y * y
    let radial = 1 + n[4] * r + n[5] * r * r + n[8] * r * r * r
    return [
      n[0] * (x * radial + 2 * n[6] * x * y + n[7] * (r + 2 * x * x)) + n[2],
      n[1] * (y * radial + n[6] * (r + 2 * y * y) + 2 * n[7] * x * y) + n[3],
    ]
  }

  @Test(arguments: 2...8)
  func `The calibration of a lens follows the image`(tag: Int) throws {
    let before = "3666.5,3670.25,-2.1,10.2,-0.1,0.12,0.01,-0.02,0.03"
    let segments = Self.xmp("\(Self.dji) d:DewarpData=\"2021-05-10;\(before)\"")
    let values = try rewritten(segments, tag: tag).values.values
    let after = try #require(values["XMP-drone-dji:DewarpData"]?.first)
    #expect(after.hasPrefix("2021-05-10;"))
    func numbers(_ text: Substring) -> [Double] { text.split(separator: ",").map { Double($0)! } }
    let (old, new) = (numbers(before[...]), numbers(after.dropFirst(11)))
    let transform = try #require(Orientation(rawValue: tag)).transform
    let matrix = transform.matrix(of: ImageSize<Double>(width: 0, height: 0))
    func mapped(_ p: [Double]) -> [Double] {
      [matrix.a * p[0] + matrix.c * p[1], matrix.b * p[0] + matrix.d * p[1]]
    }
    for direction in [[0.3, -0.2], [0.05, 0.4], [-0.25, -0.1]] {
      let expected = mapped(shown(old, direction[0], direction[1]))
      let moved = mapped(direction)
      let found = shown(new, moved[0], moved[1])
      #expect(zip(expected, found).allSatisfy { abs($0 - $1) < 1e-6 }, "\(expected) \(found)")
    }
  }

  @Test func `A number that does not follow, or follows wrongly, is seen`() throws {
    let segments = Self.xmp(
      "\(Self.dji) d:CalibratedOpticalCenterX=\"30.000\" d:CalibratedOpticalCenterY=\"20.000\""
    )
    let original = try Self.photo(segments)
    let jpegtran = ["-copy", "all", "-rotate", "90"]
    let kept = try Tool.run("jpegtran", jpegtran, input: original).output
    let verdict = try Verifier().verify(original: original, result: kept)
    #expect(verdict.notes.filter { $0.code.rawValue == "region-kept" }.count == 2)
    var wrong = try Rewriter().rewrite(original).rewritten().bytes
    let place = try #require(wrong.firstRange(of: Array("CenterX=\"44.0".utf8)))
    wrong[place.upperBound - 1] = UInt8(ascii: "1")
    let found = try Verifier().verify(original: original, result: wrong).findings
    #expect(found.map(\.code.rawValue) == ["xmp-property-changed"])
  }

  // MARK: Photoshop and IPTC

  private static let layout = [0x1C, 2, 5, 0, 1, UInt8(ascii: "t"), 0x1C, 2, 131, 0, 1, 0x4C]

  @Test func `The layout in IPTC is that of the image, and the digest follows`() throws {
    let segments = Self.photoshop(
      Self.resource(1028, Self.layout) + Self.resource(1061, MD5.digest(of: Self.layout))
    )
    let (rewrite, values) = try rewritten(segments)
    #expect(values.values["IPTC:ImageOrientation"] == ["P"])
    #expect(values.values["IPTC:ObjectName"] == ["t"])
    let digests = try Tool.run(
      "exiftool",
      ["-s3", "-CurrentIPTCDigest", "-IPTCDigest", "-"],
      input: rewrite.bytes
    ).text.split(separator: "\n")
    #expect(digests.count == 2 && digests[0] == digests[1])
    // A digest of something else is none.
    let other = Self.photoshop(
      Self.resource(1028, Self.layout) + Self.resource(1061, [UInt8](repeating: 7, count: 16))
    )
    #expect(
      try rewritten(other).rewrite.bytes.firstRange(of: [UInt8](repeating: 7, count: 16)) != nil
    )
  }

  @Test(arguments: [3, 6])
  func `A layout that fits, or is unknown, is kept`(tag: Int) throws {
    for letter in ["P", "X"] where tag == 6 || letter == "X" {
      let segments = Self.photoshop(
        Self.resource(1028, Self.layout.dropLast() + Array(letter.utf8))
      )
      #expect(try rewritten(segments, tag: tag).values.values["IPTC:ImageOrientation"] == [letter])
    }
    let upsideDown = Self.photoshop(Self.resource(1028, Self.layout))
    #expect(try rewritten(upsideDown, tag: 3).values.values["IPTC:ImageOrientation"] == ["L"])
  }

  @Test func `Resolutions and pixel aspect ratios of Photoshop are named, or swapped on request`()
    throws
  {
    let resolution: [UInt8] = [1, 44, 0, 0, 0, 1, 0, 1, 0, 150, 0, 0, 0, 1, 0, 1]
    let ratio: [UInt8] = [0, 0, 0, 1, 0x40, 0, 0, 0, 0, 0, 0, 0]
    let segments = Self.photoshop(
      Self.resource(1005, resolution) + Self.resource(1064, ratio)
    )
    let kept = try rewritten(segments).rewrite
    #expect(kept.plan.notes.filter { $0.text.hasSuffix("differ and are kept") }.count == 2)
    let (rewrite, values) = try rewritten(segments) { $0.resolution = .follow }
    #expect(rewrite.plan.notes.isEmpty)
    #expect(values.values["Photoshop:XResolution"] == ["150"])
    #expect(values.values["Photoshop:YResolution"] == ["300"])
    #expect(values.values["Photoshop:PixelAspectRatio"] == ["0.5"])
    let upsideDown = try rewritten(segments, tag: 3).rewrite
    #expect(upsideDown.plan.notes.isEmpty)
  }

  // MARK: Data that is kept

  private static let stream: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDB, 0, 67]

  private static func slices(_ count: UInt32) -> [UInt8] {
    [0, 0, 0, 6] + [UInt8](repeating: 0, count: 16) + [0, 0, 0, 1, 0, 65] + count.bytes(.big)
  }

  private static func darktable(_ operation: String) -> [UInt8] {
    xmp(
      #"xmlns:dt="http://darktable.sf.net/""#,
      #"<dt:history><rdf:Seq><rdf:li dt:operation="\#(operation)"/></rdf:Seq></dt:history>"#
    )
  }

  @Test func `Data that cannot follow is named, or the photo is skipped`() throws {
    let mechanic = #"xmlns:p="http://ns.camerabits.com/photomechanic/1.0/""#
    let camera = #"xmlns:c="http://pix4d.com/camera/1.0""#
    let guides: [UInt8] = [0, 0, 0, 1] + [UInt8](repeating: 0, count: 8)
    let cases: [(segments: [UInt8], kind: String?, effect: RegisteredData.Effect)] = [
      (Self.photoshop(Self.resource(1032, guides + [0, 0, 0, 1])), "photoshop-guides", .stale),
      (Self.photoshop(Self.resource(1032, guides + [0, 0, 0, 0])), nil, .stale),
      (Self.photoshop(Self.resource(1050, Self.slices(2))), "photoshop-slices", .stale),
      (Self.photoshop(Self.resource(1050, Self.slices(1))), nil, .stale),
      (
        Self.photoshop(
          Self.resource(1050, [0, 0, 0, 7] + Array("slicesVlLs".utf8) + [0, 0, 0, 3])
        ), "photoshop-slices", .stale
      ),
      (
        Self.segment(0, Array("II\u{1A}\0\0\0HEAPJPGM".utf8) + Self.stream), "ciff-preview", .stale
      ), (Self.segment(0, Array("II\u{1A}\0\0\0HEAPJPGM".utf8)), nil, .stale),
      (Self.segment(2, Array("FPXR\0\0\u{2}".utf8) + Self.stream), "flashpix-preview", .stale),
      (Self.segment(2, Array("FPXR\0sound".utf8)), nil, .stale),
      (Self.segment(4, Array("SCALADO\0".utf8)), "scalado-preview", .stale),
      (Self.segment(12, Array("info".utf8) + Self.stream), "app12-preview", .stale),
      (Self.darktable("crop"), "darktable-history", .stale),
      (Self.darktable("exposure"), nil, .stale),
      (Self.xmp("\(camera) c:PrincipalPoint=\"2.4,1.8\""), "pix4d-camera", .misregistered),
      (Self.xmp("\(camera) c:ModelType=\"perspective\""), nil, .stale),
      (Self.xmp("\(mechanic) p:CropLeft=\"0.1\""), "photomechanic-crop", .misregistered),
      (Self.xmp("\(mechanic) p:CropLeft=\"0\""), nil, .stale),
      (
        Self.xmp(
          #"xmlns:g="http://ns.google.com/photos/1.0/panorama/" g:CroppedAreaLeftPixels="10""#
        ), "panorama", .misregistered
      ),
    ]
    for (segments, kind, effect) in cases {
      let original = try Self.photo(segments)
      let plan = try Rewriter().rewrite(original).plan
      #expect(plan.registeredData.map(\.kind) == (kind.map { [$0] } ?? []))
      #expect(plan.action.rewrites == (effect != .misregistered))
      if kind != nil { #expect(plan.registeredData.map(\.effect) == [effect]) }
      #expect(plan.notes.isEmpty == (kind == nil || effect == .misregistered), "\(plan.notes)")
      #expect(try Rewriter().audit(original).plan.registeredData == plan.registeredData)
    }
  }

  @Test func `A panorama that gives the largest numbers is no whole sphere`() throws {
    let names = ["CroppedAreaImage", "FullPano"].flatMap { ["\($0)Width", "\($0)Height"] }
    let sizes = names.map { "g:\($0)Pixels=\"\(Int64.max)\"" }.joined(separator: " ")
    let segments = Self.xmp(
      #"xmlns:g="http://ns.google.com/photos/1.0/panorama/" g:ProjectionType="x" \#(sizes)"#
    )
    let plan = try Rewriter().plan(Self.photo(segments, tag: 3))
    #expect(plan.registeredData.map(\.effect) == [.misregistered])
  }

  @Test func `A perspective correction counts if it is to be applied and changes something`() throws
  {
    let settings = #"xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/""#
    let cases = [
      (#"c:PerspectiveUpright="0" c:PerspectiveVertical="0" c:PerspectiveScale="80""#, false),
      (#"c:PerspectiveUpright="5""#, true), (#"c:PerspectiveVertical="-12""#, true),
      (#"c:PerspectiveHorizontal="+3""#, true), (#"c:PerspectiveRotate="0.4""#, true),
      (#"c:PerspectiveAspect="20""#, true), (#"c:PerspectiveX="1.5""#, true),
      (#"c:PerspectiveY="-0.1""#, true),
      (#"c:PerspectiveUpright="3" c:AlreadyApplied="True""#, false),
      (#"c:PerspectiveUpright="0" c:UprightTransform_3="0.9,0,0,0,1,0,0,0,1""#, false),
    ]
    for (attributes, isSkipped) in cases {
      let plan = try Rewriter().rewrite(Self.photo(Self.xmp("\(settings) \(attributes)"))).plan
      #expect(
        plan.registeredData.map(\.kind) == (isSkipped ? ["camera-raw-perspective"] : []),
        "\(attributes)"
      )
      #expect(plan.action.rewrites != isSkipped, "\(attributes)")
    }
  }

  @Test(arguments: ["makernote-preview", "makernote-preview-ifd", "makernote-preview-start"])
  func `Damaged MakerNotes with a preview are read within their bounds`(name: String) throws {
    var generator = SeededGenerator(seed: 10)
    let file = try Fixture.bytes("registered/\(name).jpg")
    let exif = try #require(try Container(file.span).segments(.exif, in: file.span).first)
    for _ in 0..<100 {
      var damaged = file
      for _ in 0..<4 {
        let place = try #require(exif.payload.dropFirst(6).randomElement(using: &generator))
        damaged[place] = UInt8.random(in: 0...255, using: &generator)
      }
      guard case .rewritten(let rewrite)? = try? Rewriter().rewrite(damaged) else { continue }
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == damaged)
    }
  }

  @Test func `Damaged segments change nothing else`() throws {
    var generator = SeededGenerator(seed: 9)
    let segments = [
      Self.photoshop(
        Self.resource(1028, Self.layout) + Self.resource(1061, MD5.digest(of: Self.layout))
      ),
      Self.photoshop(
        Self.resource(1005, [1, 44, 0, 0, 0, 1, 0, 1, 0, 150, 0, 0, 0, 1, 0, 1])
          + Self.resource(1064, [0, 0, 0, 1, 0x40, 0, 0, 0, 0, 0, 0, 0])
      ),
      Self.photoshop(Self.resource(1050, Self.slices(2))),
    ]
    for _ in 0..<150 {
      let chosen = try #require(segments.randomElement(using: &generator))
      var damaged = chosen.damaged(using: &generator)
      damaged.replaceSubrange(0..<4, with: chosen.prefix(4))
      let original = try Self.photo(damaged)
      var options = Options()
      options.resolution = .follow
      let outcome = try? Rewriter(options: options).rewrite(original)
      guard case .rewritten(let rewrite)? = outcome else { continue }
      #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    }
  }

  @Test func `Every kind is described in the documentation`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let table = try text("Sources/Upright/File/Reference+Table.swift")
    let page = try text("docs/what-changes.md")
    let kinds = table.matches(of: /Reference\(\s*"([^"]+)"/).map { $0.output.1 }
    #expect(kinds.count > 30)
    for kind in kinds { #expect(page.contains("`\(kind)`"), "\(kind)") }
  }
}

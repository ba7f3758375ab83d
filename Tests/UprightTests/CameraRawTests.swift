import Fixtures
import Foundation
import ImageOrientation
import JPEGCore
import Testing
import Upright
import Verification

/// Crops and local corrections of Camera Raw, which refer to the stored image.
struct CameraRawTests {
  private func photo(
    _ attributes: String,
    _ elements: String = "",
    tag: Int = 6
  ) throws -> [UInt8] {
    let text =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/" \#(attributes)>"#
      + "\(elements)</rdf:Description></rdf:RDF></x:xmpmeta>"
    let segment = try #require(SegmentBytes.xmp(Array(text.utf8)))
    var bytes = try Fixture.bytes("orientation/aligned-\(tag).jpg")
    let exif = try #require(try Container(bytes.span).segments(.exif, in: bytes.span).first)
    bytes.insert(contentsOf: segment, at: exif.range.upperBound)
    return bytes
  }

  private static let crop =
    #"c:CropTop="0.1" c:CropLeft="0" c:CropBottom="0.6" c:CropRight="0.5" c:CropAngle="0""#

  private static func list(_ name: String, _ items: String) -> String {
    "<c:\(name)><rdf:Seq><rdf:li\(items)</rdf:li></rdf:Seq></c:\(name)>"
  }

  private static func correction(_ mask: String, _ content: String = "") -> String {
    list(
      "MaskGroupBasedCorrections",
      #"><rdf:Description c:What="Correction" c:LocalExposure2012="0.5">"#
        + list("CorrectionMasks", " \(mask)>\(content)") + list("MainCurve", ">0, 0")
        + "</rdf:Description>"
    )
  }

  private static let spot =
    #"><rdf:Description c:SpotType="heal" c:SourceX="0.4" c:OffsetY="0.25">"#
    + list("Masks", #" c:What="Mask/Ellipse" c:X="0.2" c:Y="0.3" c:SizeX="0.02" c:SizeY="0.02">"#)
    + "</rdf:Description>"

  @Test func `A photo with a correction of a form that is not described is skipped`() throws {
    let applied = #"c:AlreadyApplied="True""#
    let dabs = Self.list("Dabs", ">d 0.5 0.5")
    let cases: [(String, String, Bool)] = [
      (#"c:HasCrop="True" "# + Self.crop, "", false),
      (#"c:HasCrop="True" c:CropWidth="5" "# + Self.crop, "", true),
      (#"c:HasCrop="True" c:CropTop="0.1""#, "", true),
      (#"c:HasCrop="True" c:AlreadyApplied="True" c:CropTop="0.1""#, "", false),
      ("", Self.list("RetouchInfo", ">centerX = 0.5"), true),
      (applied, Self.list("RetouchInfo", ">centerX = 0.5"), false),
      ("", Self.list("RetouchInfo", ">centerX = 0.5, centerY = 0.2"), false),
      ("", Self.list("RetouchInfo", ">centerX = 0.5, centerY = 0.2, tipX = 0.5"), true),
      ("", Self.list("RetouchAreas", Self.spot), false),
      ("", Self.list("RetouchAreas", Self.spot.replacing("heal", with: "heal_patchmatch")), true),
      (
        "", Self.list("RetouchAreas", Self.spot.replacing(#"SizeX="0.02""#, with: #"SizeX="0.1""#)),
        true
      ),
      ("", Self.correction(#"c:What="Mask/Paint" c:Radius="0.1""#, dabs), true),
      ("", Self.correction(#"c:What="Mask/Image" c:MaskDigest="0""#), true),
      ("", Self.correction(#"c:What="Mask/RangeMask" c:MaskValue="1""#), false),
      ("", "<c:MaskGroupBasedCorrections><rdf:Seq/></c:MaskGroupBasedCorrections>", false),
    ]
    for (attributes, elements, isSkipped) in cases {
      let file = try photo(attributes, elements)
      let plan = try Rewriter().rewrite(file).plan
      #expect(plan.action.rewrites != isSkipped, "\(attributes)\(elements)")
      #expect(plan.registeredData.map(\.kind) == (isSkipped ? ["camera-raw"] : []))
    }
  }

  @Test func `Such a photo is rewritten on request, and verify names what no longer fits`() throws {
    var rewriter = Rewriter()
    rewriter.options.registeredData = .keep
    let original = try photo("", Self.correction(#"c:What="Mask/Image" c:MaskDigest="0""#))
    let result = try rewriter.rewrite(original).rewritten().bytes
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["registered-data"])
  }

  @Test func `A photo with corrections is skipped if it is cropped`() throws {
    let file = try photo(#"c:HasCrop="True" "# + Self.crop)
    let window = PixelRectangle(x: 0, y: 0, width: 32, height: 32)
    #expect(
      try Rewriter(.crop(window)).rewrite(file).plan.registeredData.map(\.kind) == ["camera-raw"]
    )
  }

  // MARK: Where corrections are

  /// What Camera Raw shows, in the stored image: places of points and corners of rectangles in pixels, by name.
  private func shown(_ values: [String: [String]], _ size: (Double, Double)) -> [String: [[Double]]]
  {
    func number(_ name: String) -> Double { Double(values["XMP-crs:\(name)"]?.first ?? "0") ?? 0 }
    func corners(_ prefix: String) -> [[Double]] {
      let (cosine, sine) = (
        cos(number(prefix + "Angle") * .pi / 180), sin(number(prefix + "Angle") * .pi / 180)
      )
      let (left, right) = (number(prefix + "Left") * size.0, number(prefix + "Right") * size.0)
      let (top, bottom) = (number(prefix + "Top") * size.1, number(prefix + "Bottom") * size.1)
      let (x, y) = ((right - left) / 2, (bottom - top) / 2)
      let (p, q) = (x * cosine + y * sine, y * cosine - x * sine)
      return [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { i, j in
        [
          (left + right) / 2 + i * p * cosine - j * q * sine,
          (top + bottom) / 2 + i * p * sine + j * q * cosine,
        ]
      }
    }
    func text(_ name: String, _ x: String, _ y: String) -> [Double] {
      var numbers: [String: Double] = [:]
      for pair in values["XMP-crs:\(name)"]?.first?.components(separatedBy: ", ") ?? [] {
        let sides = pair.components(separatedBy: " = ")
        numbers[sides[0]] = Double(sides[1])
      }
      return [(numbers[x] ?? 0) * size.0, (numbers[y] ?? 0) * size.1]
    }
    let mask = "MaskGroupBasedCorrMask"
    return [
      "crop": corners("Crop"), "round": corners(mask),
      "full": [[number(mask + "FullX") * size.0, number(mask + "FullY") * size.1]],
      "zero": [[number(mask + "ZeroX") * size.0, number(mask + "ZeroY") * size.1]],
      "source": [[number("RetouchAreaSourceX") * size.0, number("RetouchAreaOffsetY") * size.1]],
      "spot": [[number("RetouchAreaMaskX") * size.0, number("RetouchAreaMaskY") * size.1]],
      "center": [text("RetouchInfo", "centerX", "centerY")],
      "from": [text("RetouchInfo", "sourceX", "sourceY")],
      "eye": [text("RedEyeInfo", "x", "y")],
    ]
  }

  private static func edits(_ angle: String) -> (attributes: String, elements: String) {
    (
      #"c:HasCrop="True" c:CropTop="0.05" c:CropLeft="0.31" c:CropBottom="0.85" c:CropRight="0.97" c:CropAngle="\#(angle)""#,
      list(
        "RetouchInfo",
        ">centerX = 0.29, centerY = 0.41, radius = 0.006, sourceState = sourceSetExplicitly, sourceX = 0.31, sourceY = 0.4"
      )
        + list(
          "RedEyeInfo",
          ">x = 0.52, y = 0.34, width = 0.013, height = 0.019, alpha = 0.2, highlightX = 0.591, highlightY = 0.424"
        ) + list("RetouchAreas", spot)
        + correction(
          #"c:What="Mask/CircularGradient" c:Top="0.2" c:Left="0.25" c:Bottom="0.6" c:Right="0.75" c:Angle="\#(angle)"/>"#
            + #"<rdf:li c:What="Mask/Gradient" c:ZeroX="0.1" c:ZeroY="1.2" c:FullX="0.9" c:FullY="0.8""#
        )
    )
  }

  @Test(.requiresExifTool, arguments: 2...8, ["0", "3.5", "-12.25", "45"])
  func `A crop and corrections stay where they are in the displayed image`(
    tag: Int,
    angle: String
  ) throws {
    let edits = Self.edits(angle)
    let original = try photo(edits.attributes, edits.elements, tag: tag)
    let rewrite = try Rewriter().rewrite(original).rewritten()
    #expect(try #require(rewrite.undo).restoreOriginal(from: rewrite.bytes) == original)
    let verdict = try Verifier().verify(original: original, result: rewrite.bytes)
    #expect(verdict.findings.isEmpty && verdict.notes.isEmpty, "\(verdict)")
    let transform = try #require(Orientation(rawValue: tag)).transform
    let size = ImageSize<Double>(width: 96, height: 64)
    let (matrix, new) = (transform.matrix(of: size), transform.size(of: size))
    let before = shown(try ExifTool(original).values, (size.width, size.height))
    let result = try ExifTool(rewrite.bytes).values
    let after = shown(result, (new.width, new.height))
    for (name, places) in before {
      for place in places {
        let moved = matrix.applied(to: ImagePoint(x: place[0], y: place[1]))
        let nearest = after[name]?.map { hypot($0[0] - moved.x, $0[1] - moved.y) }.min() ?? 1
        #expect(nearest < 0.001, "\(name) \(place) of \(tag)")
      }
    }
    let eye = try #require(result["XMP-crs:RedEyeInfo"]?.first)
    #expect(eye.contains(transform.transposes ? "width = 0.019, height = 0.013" : "width = 0.013"))
    let leans = transform.mirrorsX != transform.mirrorsY ? "alpha = -0.2" : "alpha = 0.2"
    #expect(eye.contains(leans))
  }

  @Test(arguments: [
    #"CropAngle="3.5""#, "alpha = ", "radius = 0.006", "highlightX = ", #"SourceX=""#,
    #"FullY=""#, "sourceY = ",
  ])
  func `Verify finds a crop or correction that is elsewhere`(text: String) throws {
    let edits = Self.edits("3.5")
    let original = try photo(edits.attributes, edits.elements)
    var result = try Rewriter().rewrite(original).rewritten().bytes
    let place = try #require(result.firstRange(of: Array(text.utf8))).upperBound
    let digit = text.hasSuffix("\"") && text.contains("Angle") ? place - 2 : place + 1
    let last = text.hasPrefix("radius") ? place - 1 : digit
    result[last] = result[last] == UInt8(ascii: "8") ? UInt8(ascii: "7") : UInt8(ascii: "8")
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["xmp-property-changed"], "\(text)")
  }

  @Test func `A sidecar's crop is updated with its photo`() throws {
    let text =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">"#
      + #"<rdf:Description rdf:about="" xmlns:c="http://ns.adobe.com/camera-raw-settings/1.0/" c:HasCrop="True" \#(Self.crop)/></rdf:RDF></x:xmpmeta>"#
    let plan = try Rewriter().rewrite(Fixture.bytes("orientation/aligned-6.jpg")).plan
    let update = try #require(
      try Sidecar(Array(text.utf8)).normalized(for: plan, options: Options())
    )
    let new = String(decoding: update.bytes, as: UTF8.self)
    #expect(new.contains(#"c:CropTop="0""#) && new.contains(#"c:CropLeft="0.4""#))
  }
}

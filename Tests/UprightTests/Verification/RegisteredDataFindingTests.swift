import Fixtures
import Testing
import Upright
import Verification

struct RegisteredDataFindingTests {
  /// A fixture and its image, transformed without its data.
  private func pair(_ name: String) throws -> (original: [UInt8], result: [UInt8]) {
    let original = try Fixture.bytes("registered/\(name).jpg")
    var options = Options()
    options.registeredData = .keep
    return (original, try Rewriter(options: options).rewrite(original).rewritten().bytes)
  }

  @Test(arguments: [
    "flir", "dji", "gdepth", "gdepth-extended", "samsung-depth", "huawei-depth", "panorama",
    "camera-raw-perspective", "panorama-pixel", "jpeg-360",
  ])
  func `A result whose data no longer fits is rejected, or partly proven if that is accepted`(
    name: String
  ) throws {
    let (original, result) = try pair(name)
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.code.rawValue) == ["registered-data"])
    #expect(verdict.detail == .notProven)
    var verifier = Verifier()
    verifier.acceptsRegisteredData = true
    let accepted = try verifier.verify(original: original, result: result)
    #expect(accepted.findings.isEmpty)
    #expect(!accepted.isProven)
    #expect(accepted.detail == .misregistered)
    #expect(accepted.notes.contains { $0.code.rawValue == "registered-data" })
  }

  @Test(arguments: ["stream-in-exif", "camera-raw-perspective-off"])
  func `Independent data does not prevent a proof`(name: String) throws {
    let (original, result) = try pair(name)
    #expect(try Verifier().verify(original: original, result: result).isProven)
  }

  /// Nobody says which image they show.
  @Test(arguments: ["samsung-image", "edof-of-others"])
  func `Images after the image that no index lists prevent a proof, but are no finding`(
    name: String
  ) throws {
    let (original, result) = try pair(name)
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.conclusion == .partlyProven)
  }

  @Test(arguments: [
    "xmp-thumbnail", "app2-preview", "app3-preview", "makernote-preview", "makernote-preview-ifd",
    "makernote-preview-start",
  ])
  func `A result with a preview that shows the stored image is partly proven`(
    name: String
  ) throws {
    let (original, result) = try pair(name)
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings == [])
    #expect(verdict.detail == .misregistered)
    #expect(verdict.notes.contains { $0.code.rawValue == "registered-data" })
  }

  /// The fixtures whose data is in segments, which jpegtran and exiftran copy, and those whose data is after the image,
  /// which they drop.
  private static let fixtures = [
    "registered-data": [
      "flir", "flir-two-segments", "parrot", "infiray", "dji", "gdepth", "gdepth-element",
      "gdepth-extended", "gimage", "gimage-extended", "dynamic-depth", "panorama", "jps", "stim",
      "jpeg-hdr", "photoshop-path", "camera-raw-perspective", "panorama-pixel", "jpeg-360",
    ],
    "trailer-lost": [
      "xiaomi-depth", "samsung-depth", "samsung-depth-single", "samsung-360", "huawei-depth",
      "insta360",
    ],
  ]

  @Test(arguments: fixtures.keys.sorted())
  func `What jpegtran makes of registered data is rejected with the reason`(finding: String) throws
  {
    for name in Self.fixtures[finding] ?? [] {
      let original = try Fixture.bytes("registered/\(name).jpg")
      let degrees = name == "panorama" ? "180" : "90"
      let options = ["-copy", "all", "-rotate", degrees]
      let made = try Tool.run("jpegtran", options, input: original).output
      let verdict = try Verifier().verify(original: original, result: made)
      #expect(verdict.conclusion == .notProven)
      #expect(verdict.findings.contains { $0.code.rawValue == finding }, "\(name)")
    }
  }
}

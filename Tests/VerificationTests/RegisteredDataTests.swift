import Fixtures
import Testing
import Upright

struct RegisteredDataTests {
  /// A fixture and its image, transformed without its data.
  private func pair(_ name: String) throws -> (original: [UInt8], result: [UInt8]) {
    let original = try Fixture.bytes("registered/\(name).jpg")
    var options = Options()
    options.registeredData = .keep
    return (original, try Normalizer(options: options).normalize(original).rewritten().bytes)
  }

  @Test(arguments: [
    "flir", "dji", "gdepth", "gdepth-extended", "samsung-depth", "huawei-depth", "panorama",
  ])
  func `A result whose data no longer fits is rejected, or verified if that is accepted`(
    name: String
  ) throws {
    let (original, result) = try pair(name)
    let verdict = try Verifier().verify(original: original, result: result)
    #expect(verdict.findings.map(\.identifier) == ["registered-data"])
    #expect(verdict.conclusion == .notProven)
    var verifier = Verifier()
    verifier.acceptsRegisteredData = true
    let accepted = try verifier.verify(original: original, result: result)
    #expect(accepted.isVerified)
    #expect(!accepted.isProven)
    #expect(accepted.conclusion == .misregistered)
    #expect(accepted.notes.contains { $0.identifier == "registered-data" })
  }

  @Test(arguments: ["samsung-image", "xmp-thumbnail", "edof-of-others"])
  func `Independent data and previews do not prevent a proof`(name: String) throws {
    let (original, result) = try pair(name)
    #expect(try Verifier().verify(original: original, result: result).isProven)
  }

  @Test func `What jpegtran makes of a thermal photo is rejected with the reason`() throws {
    let original = try Fixture.bytes("registered/flir.jpg")
    let made = try Tool.run("jpegtran", ["-copy", "all", "-rotate", "90"], input: original).output
    let verdict = try Verifier().verify(original: original, result: made)
    #expect(!verdict.isVerified)
    #expect(verdict.findings.contains { $0.identifier == "registered-data" })
  }
}

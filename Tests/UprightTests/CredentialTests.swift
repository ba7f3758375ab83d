import Fixtures
import Testing
import Upright

struct CredentialTests {
  /// The payloads of all APP11 segments.
  private func boxes(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.ranges(of: [0xFF, 0xEB]).map { found in
      let length = Int(bytes[found.upperBound]) << 8 | Int(bytes[found.upperBound + 1])
      return bytes[found.upperBound + 2..<found.upperBound + length]
    }
  }

  /// The number of the box that a segment is part of.
  private func instance(_ payload: ArraySlice<UInt8>) -> UInt8 { payload[payload.startIndex + 3] }

  @Test(arguments: ["c2pa", "c2pa-two-segments"])
  func `Credentials are kept byte for byte if the options say so`(name: String) throws {
    let file = try TransformedFile("credentials/\(name).jpg") { $0.contentCredentials = .keep }
    #expect(file.changesOnlyWhatItLists)
    #expect(boxes(file.bytes) == boxes(file.original))
    #expect(try isTransformed(file.original, file.bytes, "rotate-90"))
  }

  @Test func `Credentials are removed completely, and nothing else`() throws {
    let file = try TransformedFile("credentials/c2pa-two-segments.jpg") {
      $0.contentCredentials = .strip
    }
    #expect(file.changesOnlyWhatItLists)
    #expect(boxes(file.original).map(instance) == [1, 1, 2])
    #expect(boxes(file.bytes).map(instance) == [2])
    #expect(boxes(file.bytes).last == boxes(file.original).last)
    #expect(file.bytes.firstRange(of: Array("c2pa".utf8)) == nil)
  }

  @Test func `Other boxes are kept`() throws {
    let file = try TransformedFile("credentials/jumbf.jpg") { $0.contentCredentials = .strip }
    #expect(boxes(file.bytes) == boxes(file.original))
  }
}

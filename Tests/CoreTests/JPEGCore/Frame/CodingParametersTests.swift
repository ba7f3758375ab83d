import Fixtures
import JPEGCore
import Testing

struct CodingParametersTests {
  @Test(arguments: [[], [1], [0, 1, 0]] as [[UInt8]])
  func `A restart interval that is not two bytes long is malformed`(payload: [UInt8]) throws {
    let photo = try ImageFile(try Fixture.bytes("orientation/aligned-6.jpg"))
    let scan = try #require(photo.container.segments.first { $0.marker == .startOfScan })
    var bytes = photo.bytes
    bytes.insert(
      contentsOf: segment(.defineRestartInterval, payload).bytes,
      at: scan.range.lowerBound
    )
    let error = #expect(throws: ContainerError.self) { try ImageFile(bytes).parameters() }
    #expect(error?.offset == scan.range.lowerBound)
  }
}

import Fixtures
import JPEGCore
import Testing

/// An SOS payload: components of (identifier, tables), then the spectrum and the approximation.
private func payload(
  _ components: [(UInt8, UInt8)],
  _ spectrum: (UInt8, UInt8) = (0, 63),
  _ approximation: UInt8 = 0
) -> [UInt8] {
  [UInt8(components.count)] + components.flatMap { [$0.0, $0.1] }
    + [spectrum.0, spectrum.1, approximation]
}

struct ScanHeaderTests {
  private func header(
    _ payload: [UInt8],
    identifiers: [UInt8] = [1, 2, 3],
    marker: Marker = Marker(rawValue: 0xC2)
  ) throws -> ScanHeader {
    var frame = try frame(
      width: 8,
      height: 8,
      [UInt8](repeating: 0x11, count: identifiers.count),
      marker: marker
    )
    for index in identifiers.indices { frame.components[index].identifier = identifiers[index] }
    let (segment, bytes) = segment(.startOfScan, payload)
    return try ScanHeader(segment, in: bytes, frame: frame)
  }

  @Test
  func `A scan header has components, tables, spectral selection and successive approximation`()
    throws
  {
    let header = try header(payload([(1, 0x12), (3, 0x30)], (5, 9), 0x21))
    #expect(header.components.map(\.index) == [0, 2])
    #expect(header.components.map(\.dcTable) == [1, 3])
    #expect(header.components.map(\.acTable) == [2, 0])
    #expect(header.spectrum == 5...9)
    #expect((header.approximationHigh, header.approximationLow) == (2, 1))
  }

  @Test(
    arguments: [(0, 0, 0), (0, 63, 0), (9, 5, 0x21), (0, 255, 0xFF)] as [(UInt8, UInt8, UInt8)]
  )
  func `Spectral selection and successive approximation of a sequential image are ignored`(
    first: UInt8,
    last: UInt8,
    approximation: UInt8
  ) throws {
    let payload = payload([(1, 0)], (first, last), approximation)
    let header = try header(payload, marker: Marker(rawValue: 0xC0))
    #expect(header.spectrum == 0...63)
    #expect((header.approximationHigh, header.approximationLow) == (0, 0))
  }

  @Test func `Components with the same identifier are assigned in order`() throws {
    let header = try header(payload([(1, 0), (1, 0), (1, 0)]), identifiers: [1, 1, 1])
    #expect(header.components.map(\.index) == [0, 1, 2])
  }

  @Test(arguments: [
    [], [0, 0, 63, 0], payload([(3, 0), (1, 0)]), payload([(2, 0), (1, 0), (3, 0)]),
    payload([(9, 0)]), payload([(1, 0), (1, 0)]), payload([(1, 0x40)]),
    payload([(1, 0x04)]), payload([(1, 0)], (9, 5)), payload([(1, 0)], (0, 64)),
    payload([(1, 0)], (0, 63), 0x0E),
    [5, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 63, 0],
  ])
  func `A scan header that contradicts the standard or the frame is malformed`(
    payload: [UInt8]
  ) throws {
    #expect(throws: ContainerError.self) { try header(payload) }
  }

  @Test func `A scan header truncated at any length is malformed`() throws {
    let whole = payload([(1, 0), (2, 0x11), (3, 0x11)])
    for length in whole.indices {
      #expect(throws: ContainerError.self) { try header(Array(whole[..<length])) }
    }
    #expect(try header(whole).components.count == 3)
  }

  @Test func `The scans of a progressive file are those of the scan script`() throws {
    let image = try ImageFile(try Fixture.bytes("coding/progressive-script.jpg"))
    let headers = try image.container.scans.map {
      try ScanHeader(
        image.container.segments[$0.segment],
        in: image.bytes,
        frame: image.frame
      )
    }
    #expect(
      headers.map(\.spectrum) == [
        0...0, 1...9, 1...63, 1...63, 10...63, 1...63, 0...0, 1...63, 1...63, 1...63,
      ]
    )
    #expect(headers.map(\.approximationLow) == [1, 2, 1, 1, 2, 1, 0, 0, 0, 0])
    #expect(headers.map(\.approximationHigh) == [0, 0, 0, 0, 0, 2, 1, 1, 1, 1])
    #expect(
      headers.map { $0.components.map(\.index) } == [
        [0, 1, 2], [0], [2], [1], [0], [0], [0, 1, 2], [2], [1], [0],
      ]
    )
  }
}

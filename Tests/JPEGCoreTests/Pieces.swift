import Fixtures
import ImageOrientation
import JPEGCore
import TurboTransform

/// The fixtures that are turned, and that the decoder reads: the subject of most tests.
let exactFixtures = Fixture.expecting(.exact)

extension Container {
  /// Every byte that a segment or a scan claims, in file order.
  var claimed: [Range<Int>] {
    (segments.map(\.range) + scans.map(\.data)).sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
  }

  /// The ranges between the claimed ones.
  var gaps: [Range<Int>] {
    zip(claimed, claimed.dropFirst()).map { $0.upperBound..<$1.lowerBound }.filter { !$0.isEmpty }
  }
}

/// A segment with this payload, and the bytes that it stands in.
func segment(_ marker: Marker, _ payload: [UInt8]) -> (segment: Segment, bytes: [UInt8]) {
  let bytes = [0xFF, marker.rawValue] + UInt16(payload.count + 2).bytes(.big) + payload
  return (Segment(marker: marker, range: 0..<bytes.count, payload: 4..<bytes.count), bytes)
}

/// A frame header's payload: precision, height and width, and components of (identifier, factors).
func framePayload(
  width: Int,
  height: Int,
  _ components: [(UInt8, UInt8)],
  precision: UInt8 = 8
) -> [UInt8] {
  [precision] + UInt16(height).bytes(.big) + UInt16(width).bytes(.big) + [UInt8(components.count)]
    + components.flatMap { [$0.0, $0.1, 0] }
}

/// A frame made from its sampling factors, such as 0x22 for 2×2.
func frame(
  width: Int,
  height: Int,
  _ factors: [UInt8],
  marker: Marker = Marker(rawValue: 0xC0)
) throws -> Frame {
  let components = factors.enumerated().map { (UInt8($0.offset + 1), $0.element) }
  let (segment, bytes) = segment(
    marker,
    framePayload(width: width, height: height, components)
  )
  return try Frame(segment, in: bytes)
}

/// A picture with its structure and frame.
struct Picture {
  var bytes: [UInt8]
  var container: Container
  var frame: Frame

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    container = try Container(bytes)
    guard let segment = container.segments.first(where: \.marker.startsFrame) else {
      throw ContainerError(.malformed, at: 0, "no frame")
    }
    frame = try Frame(segment, in: bytes)
  }

  /// The quantized coefficients.
  func coefficients() throws -> CoefficientImage {
    CoefficientImage(
      try CoefficientReader.read(
        container.decodableStream(bytes),
        frame: frame,
        turn: .none
      )
    )
  }

  /// The picture with its scans coded anew and nothing else done.
  func recoded(_ tables: ScanScript.Tables) throws -> [UInt8] {
    let script = try ScanScript(container, frame: frame, bytes.span)
    return try script.edits(SparseImage(try coefficients()), tables: tables).applied(to: bytes)
  }

  /// The Huffman tables in file order.
  func huffmanTables() throws -> [HuffmanTable] {
    try container.segments.filter { $0.marker == .defineHuffmanTables }
      .flatMap { try HuffmanTables($0, in: bytes).definitions.map(\.table) }
  }

  /// How many bytes of codes all scans have, stuffed zeros not counted.
  var codedSize: Int {
    container.scans.reduce(0) { sum, scan in
      let data = bytes[scan.data]
      return sum + data.count - zip(data, data.dropFirst()).count { $0 == 0xFF && $1 == 0 }
    }
  }
}

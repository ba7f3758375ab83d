import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import Testing

/// The fixtures that are transformed losslessly, for most tests.
let losslessFixtures = Fixture.expecting(.lossless)

/// Those with different images or different coding.
let losslessImages: [Fixture] = {
  var seen: Set<[UInt8]> = []
  return losslessFixtures.filter { fixture in
    guard let bytes = try? fixture.bytes(), let photo = try? ImageFile(bytes) else { return true }
    return seen.insert(photo.stream).inserted
  }
}()

extension Container {
  /// The ranges of all segments and scans, in file order.
  var claimed: [Range<Int>] {
    (segments.map(\.range) + scans.map(\.data)).sorted {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    }
  }

  /// The ranges between them.
  var gaps: [Range<Int>] {
    zip(claimed, claimed.dropFirst()).map { $0.upperBound..<$1.lowerBound }.filter { !$0.isEmpty }
  }
}

/// Returns a segment with this payload, and its bytes.
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

extension ImageFile {
  /// Returns jpegtran's transform of the image, a sequential stream.
  ///
  /// - Parameters:
  ///   - transform: The transform, which must be perfect.
  ///   - window: The part of the image that is kept, which begins with a whole MCU; the whole by default.
  /// - Returns: Its output.
  /// - Throws: ``Tool/Failure``.
  func transformedByJpegtran(
    _ transform: OrientationTransform,
    in window: PixelRectangle? = nil
  ) throws -> ImageFile {
    let part = try window.map { try Tool.jpegtran(bytes, ["-crop", "\($0)"]) } ?? bytes
    return try ImageFile(
      Tool.jpegtran(part, ["-perfect"] + Tool.jpegtranOptions(transform.rawValue))
    )
  }

  /// The file with its scans encoded again and nothing else done.
  func recoded(
    _ tables: ImageEncoder.Tables,
    _ info: ReconstructionInfo? = nil
  ) throws -> [UInt8] {
    try ImageEncoder(parameters(), frame: frame).edits(decode().image, tables: tables, info)
      .applied(to: bytes)
  }

  /// The image with random AC coefficients.
  ///
  /// - Parameters:
  ///   - largest: Their largest magnitude.
  ///   - sparsity: How many are zero for each other one.
  ///   - tables: The tables that code it.
  /// - Returns: The image, coded.
  /// - Throws: An error if it cannot be coded.
  func withNoise(
    largest: Int16,
    sparsity: Int,
    _ tables: ImageEncoder.Tables
  ) throws -> ImageFile {
    var generator = SeededGenerator(seed: UInt64(largest) + UInt64(sparsity))
    var image = try decoded()
    for index in image.coefficients.indices where index % 64 > 0 {
      let isZero = Int.random(in: 0...sparsity, using: &generator) > 0
      image.coefficients[index] = isZero ? 0 : .random(in: -largest...largest, using: &generator)
    }
    for block in image.masks.indices {
      image.masks[block] = CoefficientImage.mask(
        Array(image.coefficients[block * 64..<block * 64 + 64])
      )
    }
    let edits = try ImageEncoder(parameters(), frame: frame)
      .edits(SparseImage(image), tables: tables)
    let photo = try ImageFile(edits.applied(to: bytes))
    #expect(try photo.decoded().isEqual(to: image))
    return photo
  }

  /// The Huffman tables in file order.
  func huffmanTables() throws -> [HuffmanTable] {
    try container.segments.filter { $0.marker == .defineHuffmanTables }
      .flatMap { try HuffmanTables($0, in: bytes).definitions.map(\.table) }
  }

  /// The number of bytes of all scans, without stuffed zeros.
  var codedSize: Int {
    container.scans.reduce(0) { sum, scan in
      let data = bytes[scan.data]
      return sum + data.count - zip(data, data.dropFirst()).count { $0 == 0xFF && $1 == 0 }
    }
  }

  /// Why the image cannot be decoded; nil if it can.
  func decodeError(in window: PixelRectangle? = nil) throws -> DecodeError? {
    do {
      _ = try decode(in: window)
      return nil
    } catch let error as DecodeError { return error }
  }
}

extension DecodeError {
  var isDamage: Bool {
    if case .damaged = self { return true }
    return false
  }

  var isUnsupported: Bool {
    if case .unsupported = self { return true }
    return false
  }
}

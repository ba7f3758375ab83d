import FileBytes
import Fixtures
import ImageOrientation
import JPEGCore
import TurboTransform
import Upright

extension ImageFile {
  /// The quantized coefficients, transformed, as libjpeg reads them.
  ///
  /// - Parameter transform: The transform, with partial MCUs wherever it moves them.
  /// - Returns: The coefficients.
  /// - Throws: ``Tool/Failure`` where libjpeg warns.
  func coefficients(transform: OrientationTransform = .none) throws -> CoefficientImage {
    // jpegtran knows samplings that TurboJPEG has no name for.
    let reference =
      try (try? LosslessTransform.stream(stream, transformedBy: .none)) ?? Tool.jpegtran(bytes, [])
    return try ImageFile(reference).decoded(transform: transform)
  }

  /// The headers of the scans.
  func scanHeaders() throws -> [ScanHeader] {
    try container.scans.map {
      try ScanHeader(container.segments[$0.segment], in: bytes.span, frame: frame)
    }
  }

  /// The segments with this marker, without marker and length.
  func payloads(_ marker: Marker) -> [[UInt8]] {
    container.segments.filter { $0.marker == marker }.map { Array(bytes[$0.payload]) }
  }

  /// The payloads of the Exif segments.
  var exif: [[UInt8]] {
    container.segments(.exif, in: bytes.span).map { Array(bytes[$0.payload]) }
  }

  /// Whether nothing gives the image an orientation.
  var silent: Bool { (try? Rewriter().plan(bytes))?.image.orientation == nil }

  /// What follows EOI.
  var trailer: ArraySlice<UInt8> { bytes[container.end...] }

  /// Whether a Huffman table differs from those of the standard.
  func hasOptimizedTables() throws -> Bool {
    try container.segments.filter { $0.marker == .defineHuffmanTables }.contains { segment in
      try HuffmanTables(segment, in: bytes.span).definitions.contains { !$0.table.isStandard }
    }
  }

  /// The first Orientation of IFD0, with its TIFF block.
  var orientationEntry: (block: TIFFBlock, entry: TIFFBlock.Entry)? {
    guard let segment = container.segments(.exif, in: bytes.span).first else { return nil }
    let start = min(segment.payload.lowerBound + 6, segment.payload.upperBound)
    guard let block = TIFFBlock(bytes.span, in: start..<segment.payload.upperBound),
      let entry = block.entries(.ifd0, ExifTag.orientation).first
    else { return nil }
    return (block, entry)
  }

  /// A copy in which the first Orientation of IFD0 has another value.
  func withOrientation(_ value: Int) -> [UInt8]? {
    guard let (block, entry) = orientationEntry,
      let edit = block.edit(entry, to: Int64(value), field: "", bytes.span)
    else { return nil }
    return [edit].applied(to: bytes)
  }
}

/// The file with a segment right after SOI.
func inserting(_ marker: Marker, _ payload: [UInt8], into path: String) throws -> [UInt8] {
  let bytes = try Fixture.bytes(path)
  return Array(bytes[..<2]) + [0xFF, marker.rawValue] + UInt16(payload.count + 2).bytes(.big)
    + payload + bytes[2...]
}

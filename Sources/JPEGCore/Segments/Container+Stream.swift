extension Container {
  /// Returns the image without application segments, comments, fill bytes and stray bytes, always with EOI: a minimal
  /// stream, for which decoders have no reason to warn.
  ///
  /// Sequential scans get the usual spectral selection.
  ///
  /// Segments that specify the color encoding are kept if `showsColor`; coefficients do not depend on it.
  package func decodableStream(_ bytes: [UInt8], showsColor: Bool = false) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(end - (segments.first?.range.lowerBound ?? 0) + 2)
    let frame = segments.first { $0.marker.startsFrame }
    let isSequential = frame.map { $0.marker.isOfSequentialFrame } ?? false
    for (index, segment) in segments.enumerated()
    where segment.marker != .endOfImage {
      if segment.marker.carriesMetadata {
        guard showsColor, [.jfif, .adobe].contains(segment.kind(in: bytes.span)) else { continue }
      }
      stream += bytes[segment.range]
      if segment.marker == .startOfScan, isSequential,
        let count = bytes[segment.payload].first, segment.payload.count == 4 + 2 * Int(count)
      {
        // Decoders ignore these parameters, but warn of unusual ones.
        stream.replaceSubrange(stream.count - 3..<stream.count, with: [0, 63, 0])
      }
      if segment.marker == .startOfScan, let scan = scans.first(where: { $0.segment == index }) {
        stream += bytes[scan.data]
      }
    }
    stream += [0xFF, 0xD9]
    return stream
  }
}

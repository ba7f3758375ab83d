extension Container {
  /// The image without application segments, comments, fill bytes and stray bytes, always with EOI: what a
  /// decoder needs, and nothing that it might warn of for no reason.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - showsColor: Whether the segments are kept that say how colors are stored, which coefficients do not ask
  ///     for.
  /// - Returns: The stream.
  package func decodableStream(_ bytes: [UInt8], showsColor: Bool = false) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(end - (segments.first?.range.lowerBound ?? 0) + 2)
    for (index, segment) in segments.enumerated()
    where segment.marker != .endOfImage {
      if segment.marker.carriesMetadata {
        guard showsColor, [.jfif, .adobe].contains(segment.kind(in: bytes.span)) else { continue }
      }
      stream += bytes[segment.range]
      if segment.marker == .startOfScan, let scan = scans.first(where: { $0.segment == index }) {
        stream += bytes[scan.data]
      }
    }
    stream += [0xFF, 0xD9]
    return stream
  }
}

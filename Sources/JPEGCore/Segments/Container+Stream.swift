extension Container {
  /// The image without application segments, comments, fill bytes and stray bytes, always with EOI: what a
  /// decoder needs, and nothing that it might warn of for no reason.
  package func decodableStream(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    stream.reserveCapacity(end - (segments.first?.range.lowerBound ?? 0) + 2)
    for (index, segment) in segments.enumerated()
    where !segment.marker.carriesMetadata && segment.marker != .endOfImage {
      stream += bytes[segment.range]
      if segment.marker == .startOfScan, let scan = scans.first(where: { $0.segment == index }) {
        stream += bytes[scan.data]
      }
    }
    stream += [0xFF, 0xD9]
    return stream
  }
}

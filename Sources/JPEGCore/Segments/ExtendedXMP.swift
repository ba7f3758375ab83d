internal import FileBytes

/// A packet in segments of extended XMP (XMP specification, part 3, 1.1.3.1).
package struct ExtendedXMP: Sendable {
  /// The digest that names the packet, as 32 hexadecimal digits; the packet of the XMP segment refers to it.
  package let digest: [UInt8]
  /// Where each segment has the digest.
  package private(set) var digests: [Range<Int>] = []
  /// The parts of the text, in the order of the segments.
  package private(set) var parts: [Range<Int>] = []

  private static let identifierLength = 35
  private static let digestLength = 32
  /// The identifier, the digest, the length and the offset.
  private static let headerLength = identifierLength + digestLength + 8

  /// Returns the packets in segments, each in the order of its first segment.
  package static func list(_ segments: [Segment], _ bytes: Span<UInt8>) -> [ExtendedXMP] {
    var packets: [ExtendedXMP] = []
    var indices: [[UInt8]: Int] = [:]
    for segment in segments
    where segment.kind(in: bytes) == .extendedXMP && segment.payload.count > headerLength {
      let place = segment.payload.dropFirst(identifierLength).prefix(digestLength)
      let digest = bytes.bytes(place)
      let index = indices[digest] ?? packets.endIndex
      if index == packets.endIndex {
        packets.append(ExtendedXMP(digest: digest))
        indices[digest] = index
      }
      packets[index].digests.append(place)
      packets[index].parts.append(segment.payload.dropFirst(headerLength))
    }
    return packets
  }

  private init(digest: [UInt8]) { self.digest = digest }

  /// Returns the text of the packet.
  package func text(_ bytes: Span<UInt8>) -> [UInt8] { parts.flatMap { bytes.bytes($0) } }

  /// The search for the digests of packets, which the XMP segments that refer to them have.
  package struct References {
    /// The indices of the packets by their digests.
    private var indices: [[UInt8]: Int] = [:]
    private var beginnings: Set<UInt32?> = []

    package init(to packets: [ExtendedXMP]) {
      for (index, packet) in packets.enumerated() {
        indices[packet.digest] = index
        beginnings.insert(packet.digest.span.uint32(at: 0))
      }
    }

    /// Returns where a segment has the digest of a packet, by the packet's index.
    package func find(
      in segment: Segment,
      _ bytes: Span<UInt8>
    ) -> [(packet: Int, place: Range<Int>)] {
      let last = segment.payload.upperBound - digestLength
      guard segment.payload.lowerBound <= last, !indices.isEmpty else { return [] }
      return (segment.payload.lowerBound...last).compactMap { start in
        guard beginnings.contains(bytes.uint32(at: start)) else { return nil }
        let place = start..<start + digestLength
        return indices[bytes.bytes(place)].map { ($0, place) }
      }
    }
  }

  /// Returns the digest of a text.
  package static func digest(of text: [UInt8]) -> [UInt8] {
    Array(MD5.digest(of: text).hexadecimal(uppercase: true).utf8)
  }
}

internal import JPEGCore
internal import Upright
internal import XMPPacket

/// The comparison of extended XMP, whose digest follows its content.
extension ImageComparison {
  /// Compares two segments of extended XMP; nil if they differ in more than Orientation and the digest, and the packets
  /// cannot be compared as XMP.
  func compareExtended(_ a: Segment, _ b: Segment) -> [Observation]? {
    let digest = 35..<67
    guard a.payload.count == b.payload.count, a.payload.count > 75,
      let observations = files.compareCopies(
        a.payload.dropFirst(75),
        b.payload.dropFirst(75),
        "xmp.extended"
      ) ?? (readsExtended ? [] : nil),
      files.isEqual(a.payload.prefix(35), b.payload.prefix(35)),
      files.isEqual(a.payload.dropFirst(67).prefix(8), b.payload.dropFirst(67).prefix(8))
    else { return nil }
    let places = [a, b].map { $0.payload.dropFirst(digest.lowerBound).prefix(digest.count) }
    guard !files.isEqual(places[0], places[1]) else { return observations }
    return observations + [.difference("xmp.extended.digest", places[0], places[1])]
  }

  /// Returns findings on extended XMP that the packet referred to in the original and does not in the result, and on a
  /// digest that was right.
  @ListBuilder<Observation> func compareReferences() -> [Observation] {
    let before = ExtendedXMP.list(old.container.segments, files.original.span)
    let after = ExtendedXMP.list(new.container.segments, files.result.span)
    let referred = old.references(to: before, files.original.span)
    let stillReferred = new.references(to: after, files.result.span)
    for (number, (one, other)) in zip(before, after).enumerated() {
      if referred.contains(number), !stillReferred.contains(number) {
        Observation.finding(
          .extendedXMPLost,
          "the XMP packet does not refer to the extended XMP of the result",
          original: one.digests.first?.lowerBound,
          result: other.digests.first?.lowerBound
        )
      }
      let wasRight = one.digest == ExtendedXMP.digest(of: one.text(files.original.span))
      if wasRight, other.digest != ExtendedXMP.digest(of: other.text(files.result.span)) {
        Observation.finding(
          .extendedXMPDigest,
          "the digest of the extended XMP is wrong",
          original: one.digests.first?.lowerBound,
          result: other.digests.first?.lowerBound
        )
      }
    }
  }

  /// The comparison of XMP in other places.
  var furtherXMP: FurtherXMPComparison {
    FurtherXMPComparison(
      files: files,
      orientation: old.transform,
      transform: transform,
      sizes: (old.frame.size, new.frame.size)
    )
  }

  /// Compares the packets of extended XMP, whose segments are compared apart.
  func compareExtendedPackets() -> [Observation] {
    let before = ExtendedXMP.list(old.container.segments, files.original.span)
    let after = ExtendedXMP.list(new.container.segments, files.result.span)
    guard before.count == after.count else { return [] }
    return zip(before, after).flatMap {
      furtherXMP.compare($0.parts, $1.parts, "extended XMP") ?? []
    }
  }

  /// The comparison that knows whether each packet of extended XMP can be compared as XMP, which is found out once for all
  /// segments.
  var withExtendedPackets: ImageComparison {
    var result = self
    result.readsExtended = canReadExtended
    return result
  }

  private var canReadExtended: Bool {
    let before = ExtendedXMP.list(old.container.segments, files.original.span)
    let after = ExtendedXMP.list(new.container.segments, files.result.span)
    return before.count == after.count
      && zip(before, after).allSatisfy {
        furtherXMP.compare($0.parts, $1.parts, "extended XMP") != nil
      }
  }
}

extension Header {
  /// Returns the indices of the packets of extended XMP whose digests XMP segments have.
  fileprivate func references(to packets: [ExtendedXMP], _ bytes: Span<UInt8>) -> Set<Int> {
    var indices: Set<Int> = []
    let search = ExtendedXMP.References(to: packets)
    for segment in container.segments(.xmp, in: bytes) where !packets.isEmpty {
      indices.formUnion(search.find(in: segment, bytes).map { $0.packet })
    }
    return indices
  }
}

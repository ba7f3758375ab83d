internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import Upright
internal import XMPPacket

extension ImageComparison {
  /// Compares all segments with metadata, and lists differences of those with coding parameters.
  @ListBuilder<Observation> func compareSegments() -> [Observation] {
    let undo = (old.undoSegments(files.original.span), new.undoSegments(files.result.span))
    let mine = Self.metadata(old.container, without: undo.0)
    let theirs = Self.metadata(new.container, without: undo.1)
    compareUndo(undo.0, undo.1)
    withExtendedPackets.compareMetadata(mine, theirs)
    compareCodingSegments()
    compareOrientation()
    compareReferences()
    compareExtendedPackets()
    compareFill()
  }

  /// Returns the segments with metadata, without some of them.
  private static func metadata(_ container: Container, without left: [Segment]) -> [Segment] {
    let left = Set(left)
    return container.segments.filter { $0.marker.carriesMetadata && !left.contains($0) }
  }

  /// Notes undo data, which a rewrite adds, replaces or removes.
  private func compareUndo(_ a: [Segment], _ b: [Segment]) -> Observation? {
    if let first = b.first {
      let text = "the result holds undo data of \(b.reduce(0) { $0 + $1.range.count }) bytes"
      return .note(.undoData, text, result: first.range.lowerBound)
    }
    let text = "the undo data of the original is removed"
    return a.first.map { .note(.undoDataRemoved, text, original: $0.range.lowerBound) }
  }

  private func compareMetadata(_ mine: [Segment], _ theirs: [Segment]) -> [Observation] {
    let keys = mine.map { Key($0, files.original.span) }
    let others = theirs.map { Key($0, files.result.span) }
    let index = indexSegments
    guard keys == others else {
      return match(Array(zip(mine, keys)), Array(zip(theirs, others)), index)
    }
    return zip(keys, zip(mine, theirs)).flatMap { key, pair in
      compare(pair.0, pair.1, key, index)
    }
  }

  /// Compares segments of which some are missing, were added, or are in another order.
  private func match(
    _ mine: [(Segment, Key)],
    _ theirs: [(Segment, Key)],
    _ index: IndexSegments?
  ) -> [Observation] {
    var observations: [Observation] = []
    var partners: [(old: Segment, new: Segment)] = []
    func match(_ segment: Segment, _ key: Key, _ partner: Segment) {
      partners.append((segment, partner))
      observations += compare(segment, partner, key, index)
    }
    // Equal segments are matched first, so that a missing one does not shift the others.
    var equal = Candidates(theirs.map { (files.result[$0.0.range], $0.0) })
    var left: [(Segment, Key)] = []
    for (segment, key) in mine {
      if let partner = equal.next(files.original[segment.range]) {
        match(segment, key, partner)
      } else {
        left.append((segment, key))
      }
    }
    let taken = Set(partners.map { $0.new })
    let free = theirs.filter { !taken.contains($0.0) }
    var similar = Candidates(free.map { ($0.1, $0.0) })
    let removed = left.isEmpty ? [] : removedCredentials
    for (segment, key) in left {
      if let partner = similar.next(key) {
        match(segment, key, partner)
      } else {
        observations.append(missing(segment, key, isRemoved: removed.contains(segment)))
      }
    }
    let known = Set(partners.map { $0.new })
    observations += free.filter { !known.contains($0.0) }.map { segment, key in
      .finding(
        .segmentAdded,
        "a \(key.name) segment of \(segment.range.count) bytes was added",
        result: segment.range.lowerBound
      )
    }
    let order = partners.inFileOrder { $0.old.range }
      .map { $0.new.range.lowerBound }
    if let place = zip(order, order.dropFirst()).first(where: { $0 > $1 }) {
      observations.append(
        .finding(.segmentOrder, "the order of the segments changed", result: place.1)
      )
    }
    return observations
  }

  /// The segments of the result that a segment of the original can be compared with, by what they have in common.
  private struct Candidates<Common: Hashable> {
    /// Those of each kind, the first one last.
    private var segments: [Common: [Segment]] = [:]

    init(_ list: [(Common, Segment)]) {
      for (common, segment) in list.reversed() { segments[common, default: []].append(segment) }
    }

    /// Takes out the first one.
    mutating func next(_ common: Common) -> Segment? { segments[common]?.popLast() }
  }

  private func missing(_ segment: Segment, _ key: Key, isRemoved: Bool) -> Observation {
    if isRemoved { return .note(.credentialsRemoved, "the content credentials are removed") }
    return .finding(
      .segmentLost,
      "the \(key.name) segment of \(segment.range.count) bytes is missing",
      original: segment.range.lowerBound
    )
  }

  /// The content credentials of the original if the result has none, and no part of those; none otherwise.
  private var removedCredentials: Set<Segment> {
    let own = old.credentialSegments(files.original.span)
    let boxes = new.container.segments(.jumbf, in: files.result.span)
    let kept = Set(boxes.map { files.result[$0.range] })
    guard new.credentialSegments(files.result.span).isEmpty,
      !own.contains(where: { kept.contains(files.original[$0.range]) })
    else { return [] }
    return Set(own)
  }

  private struct Key: Hashable {
    var marker: Marker
    var kind: SegmentKind
    /// The identifier of an unknown segment.
    var identifier: [UInt8]

    init(_ segment: Segment, _ bytes: Span<UInt8>) {
      marker = segment.marker
      kind = segment.kind(in: bytes)
      let beginning = bytes.bytes(segment.payload).prefix(32)
      identifier =
        kind == .unknown
        ? Array(beginning.prefix { (0x20..<0x7F).contains($0) }) : []
    }

    var name: String {
      guard kind == .unknown else { return "\(marker) \(kind.rawValue)" }
      return identifier.isEmpty
        ? "\(marker)" : "\(marker) \(String(decoding: identifier, as: UTF8.self))"
    }
  }

  private func compare(
    _ a: Segment,
    _ b: Segment,
    _ key: Key,
    _ index: IndexSegments?
  ) -> [Observation] {
    if files.isEqual(a.range, b.range) {
      // Metadata that is the same may describe the image as it was stored.
      guard transform != .none, [.exif, .xmp, .photoshop].contains(key.kind) else { return [] }
      return compareContents(a, b, key, index) ?? []
    }
    if let observations = compareContents(a, b, key, index) { return observations }
    let place = files.equalCount(a.range, b.range)
    return [
      .finding(
        .segmentChanged,
        "the \(key.name) segment differs",
        original: a.range.lowerBound + place,
        result: b.range.lowerBound + place
      )
    ]
  }

  /// Compares what two segments of one kind contain; nil if they can only be compared as bytes.
  private func compareContents(
    _ a: Segment,
    _ b: Segment,
    _ key: Key,
    _ index: IndexSegments?
  ) -> [Observation]? {
    let sizes = (old.frame.size, new.frame.size)
    switch key.kind {
    case .exif:
      guard let number = old.exifIndex(in: a), let otherNumber = new.exifIndex(in: b),
        case let (one, other) = (old.exif[number], new.exif[otherNumber])
      else { return nil }
      // A block in several segments is compared once, with the first segment that differs.
      let isFirst = a.range.contains(one.range.lowerBound)
      guard isFirst == b.range.contains(other.range.lowerBound) else { return nil }
      if isFirst {
        guard
          files.isEqual(
            a.payload.lowerBound..<one.range.lowerBound,
            b.payload.lowerBound..<other.range.lowerBound
          )
        else { return nil }
      } else if transform != .none {
        return []
      }
      return ExifComparison(
        files: files,
        old: one,
        new: other,
        orientation: old.transform,
        transform: transform,
        sizes: sizes,
        thumbnail: number < thumbnails.count ? thumbnails[number] : ThumbnailPair()
      ).compare()
    case .xmp:
      guard let one = old.packet(of: a), let other = new.packet(of: b) else { return nil }
      return XMPComparison(
        old: one,
        new: other,
        transform: transform,
        sizes: sizes,
        orientation: old.transform
      ).compare()
    case .multiPicture
    where old.container.segments[0].range.lowerBound == 0
      && index?.old == a && index?.new == b:
      return []
    case .photoshop:
      let others = files.expectedChanges(a.payload, b.payload, transform, sizes)
      let packets = furtherXMP.expectedChanges(a.payload, b.payload, isPacket: false)
      return files.compareCopies(
        a.payload,
        b.payload,
        "photoshop",
        others: packets.changes + others
      ).map { $0 + packets.observations }
    case .extendedXMP: return compareExtended(a, b)
    case .unknown where key.marker == .app(12):
      return files.compareCopies(a.payload, b.payload, "app12")
    case .jfif where isDensityExchanged(a, b):
      let at = (a.payload.lowerBound + 8, b.payload.lowerBound + 8)
      return [.difference("jfif.density", at.0..<at.0 + 4, at.1..<at.1 + 4, new: "exchanged")]
    default: return nil
    }
  }

  private func isDensityExchanged(_ a: Segment, _ b: Segment) -> Bool {
    guard transform.transposes, a.payload.count == b.payload.count, a.payload.count >= 12 else {
      return false
    }
    var expected = Array(files.original[a.payload])
    expected.swapAt(8, 10)
    expected.swapAt(9, 11)
    return expected[...] == files.result[b.payload]
  }

  /// Lists differences of segments with coding parameters; the comparison of coefficients proves them correct.
  private func compareCodingSegments() -> [Observation] {
    let kinds: [(field: String, isIncluded: (Marker) -> Bool)] = [
      ("quantization-tables", { $0 == .defineQuantizationTables }),
      ("huffman-tables", { $0 == .defineHuffmanTables }),
      ("scan-header", { $0 == .startOfScan }),
      ("restart-interval", { $0 == .defineRestartInterval }),
      ("frame", { $0.startsFrame }),
    ]
    return kinds.flatMap { field, isIncluded in
      list(field) { $0.segments.filter { isIncluded($0.marker) }.map { $0.range } }
    } + list("scan") { $0.scans.map { $0.data } }
  }

  private func list(_ field: String, _ ranges: (Container) -> [Range<Int>]) -> [Observation] {
    let (a, b) = (ranges(old.container), ranges(new.container))
    return (0..<max(a.count, b.count)).compactMap { number in
      let one = number < a.count ? a[number] : old.container.end..<old.container.end
      let other = number < b.count ? b[number] : new.container.end..<new.container.end
      return files.isEqual(one, other) ? nil : .difference("\(field).\(number)", one, other)
    }
  }

  @ListBuilder<Observation> private func compareOrientation() -> [Observation] {
    if transform != .none || old.orientation.usable != .up {
      if let stale = new.orientation.usable, stale != .up {
        Observation.finding(
          .orientationStale,
          "Orientation is still \(stale.rawValue); viewers rotate or flip the image again",
          result: new.container.segments[0].range.lowerBound
        )
      }
      if let problem = new.xmpExcess {
        Observation.finding(
          .xmpOrientationStale,
          "whether XMP still gives another Orientation is not known: \(problem)",
          result: new.container.segments[0].range.lowerBound
        )
      }
      for segment in new.container.segments {
        switch segment.kind(in: files.result.span) {
        case .photoshop:
          files.staleCopies(segment.payload, "Photoshop's resources")
          files.staleLayouts(segment.payload, (old.frame.size, new.frame.size))
        case .extendedXMP: files.staleCopies(segment.payload, "extended XMP")
        case .unknown where segment.marker == .app(12):
          files.staleCopies(segment.payload, "the APP12 segment")
        default: [Observation]()
        }
      }
      for block in new.exif {
        for entry in block.entries where Self.containers.contains(entry.tag) {
          if let value = entry.value {
            files.staleCopies(value, "\(entry.directory.name) \(ExifTag.number(entry.tag))")
          }
        }
      }
      for block in new.xmp {
        for property in block.own(XMPNamespace.tiff, "Orientation") where property.value != "1" {
          Observation.finding(
            .xmpOrientationStale,
            "tiff:Orientation in XMP is still \(property.value)",
            result: block.start + property.valueRange.lowerBound
          )
        }
      }
    }
  }

  /// The tags whose values hold XMP, or Photoshop's resources.
  private static let containers: Set<UInt16> = [ExifTag.xmp, ExifTag.imageResources]

  @ListBuilder<Observation> private func compareFill() -> [Observation] {
    let (a, b) = (Gaps(old.container, files.original), Gaps(new.container, files.result))
    if a.strayBytes != b.strayBytes {
      Observation.finding(
        .strayBytes,
        "the stray bytes between segments differ",
        original: a.stray.first?.lowerBound,
        result: b.stray.first?.lowerBound
      )
    }
    if a.count != b.count {
      Observation.difference(
        "fill",
        a.last,
        b.last,
        old: "\(a.count) bytes",
        new: "\(b.count) bytes"
      )
    }
  }

  /// The bytes between the segments and scans of an image.
  private struct Gaps {
    /// The gaps with other bytes than fill bytes.
    let stray: [Range<Int>]
    let strayBytes: [[UInt8]]
    let count: Int
    let last: Range<Int>

    init(_ container: Container, _ bytes: [UInt8]) {
      let taken = (container.segments.map { $0.range } + container.scans.map { $0.data })
        .inFileOrder { $0 }
      let gaps = zip(taken, taken.dropFirst()).map {
        $0.upperBound..<max($0.upperBound, $1.lowerBound)
      }.filter { !$0.isEmpty }
      stray = gaps.filter { !bytes[$0].allSatisfy { $0 == 0xFF } }
      strayBytes = stray.map { bytes[$0].filter { $0 != 0xFF } }
      count = gaps.reduce(0) { $0 + $1.count }
      last = gaps.last ?? container.end..<container.end
    }
  }
}

extension Header {
  /// Returns the index of the Exif block in a segment, or that the segment continues; nil if there is none that can be
  /// read.
  fileprivate func exifIndex(in segment: Segment) -> Int? {
    let next = exif.partitionPoint { $0.range.upperBound > segment.range.lowerBound }
    return next < exif.count && exif[next].range.overlaps(segment.range) ? next : nil
  }

  /// Returns the XMP packet of a segment; nil if there is none that was read.
  fileprivate func packet(of segment: Segment) -> XMPBlock? {
    let next = xmp.partitionPoint {
      ($0.segment?.range.lowerBound ?? 0) >= segment.range.lowerBound
    }
    return next < xmp.count && xmp[next].segment == segment ? xmp[next] : nil
  }
}

internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// The comparison of the segments of an image.
extension ImageComparison {
  /// Compares all segments with metadata, and lists differences of those with coding parameters.
  func compareSegments(_ thumbnails: [ThumbnailPair] = []) -> [Observation] {
    let undo = (old.undoSegments(files.original.span), new.undoSegments(files.result.span))
    let mine = old.container.segments.filter {
      $0.marker.carriesMetadata && !undo.0.contains($0)
    }
    let theirs = new.container.segments.filter {
      $0.marker.carriesMetadata && !undo.1.contains($0)
    }
    return compareUndo(undo.0, undo.1) + compareMetadata(mine, theirs, thumbnails)
      + compareCodingSegments() + compareOrientation() + compareFill()
  }

  /// Notes undo data, which a rewrite adds, replaces or removes.
  private func compareUndo(_ a: [Segment], _ b: [Segment]) -> [Observation] {
    if let first = b.first {
      let size = b.reduce(0) { $0 + $1.range.count }
      return [
        .note(
          "undo-data",
          "the result holds undo data of \(size) bytes",
          result: first.range.lowerBound
        )
      ]
    }
    guard let first = a.first else { return [] }
    return [
      .note(
        "undo-data-removed",
        "the undo data of the original is removed",
        original: first.range.lowerBound
      )
    ]
  }

  private func compareMetadata(
    _ mine: [Segment],
    _ theirs: [Segment],
    _ thumbnails: [ThumbnailPair]
  ) -> [Observation] {
    let keys = mine.map { Key($0, files.original.span) }
    guard keys == theirs.map({ Key($0, files.result.span) }) else {
      return match(mine, theirs, thumbnails)
    }
    var observations: [Observation] = []
    for (key, (segment, partner)) in zip(keys, zip(mine, theirs)) {
      observations += compare(segment, partner, key, thumbnails)
    }
    return observations
  }

  /// Compares segments of which some are missing, were added, or are in another order.
  private func match(
    _ mine: [Segment],
    _ theirs: [Segment],
    _ thumbnails: [ThumbnailPair]
  ) -> [Observation] {
    var observations: [Observation] = []
    var partners: [(old: Segment, new: Segment)] = []
    var free = Array(theirs.indices)
    var left: [Segment] = []
    // Equal segments are matched first, so that a missing one does not shift the others.
    for segment in mine {
      let match = free.firstIndex { files.isEqual(segment.range, theirs[$0].range) }
      guard let match else {
        left.append(segment)
        continue
      }
      let partner = theirs[free.remove(at: match)]
      partners.append((segment, partner))
      observations += compare(segment, partner, Key(segment, files.original.span), thumbnails)
    }
    for segment in left {
      let key = Key(segment, files.original.span)
      guard let match = free.firstIndex(where: { Key(theirs[$0], files.result.span) == key })
      else {
        observations.append(missing(segment, key))
        continue
      }
      let partner = theirs[free.remove(at: match)]
      partners.append((segment, partner))
      observations += compare(segment, partner, key, thumbnails)
    }
    for index in free {
      let segment = theirs[index]
      observations.append(
        .finding(
          "segment-added",
          "a \(Key(segment, files.result.span).name) segment of \(segment.range.count) bytes was added",
          result: segment.range.lowerBound
        )
      )
    }
    let order = partners.sorted { $0.old.range.lowerBound < $1.old.range.lowerBound }
      .map { $0.new.range.lowerBound }
    if let place = zip(order, order.dropFirst()).first(where: { $0 > $1 }) {
      observations.append(
        .finding("segment-order", "the order of the segments changed", result: place.1)
      )
    }
    return observations
  }

  private func missing(_ segment: Segment, _ key: Key) -> Observation {
    if areCredentialsRemoved, old.credentialSegments(files.original.span).contains(segment) {
      return .note("credentials-removed", "the content credentials are removed")
    }
    return .finding(
      "segment-lost",
      "the \(key.name) segment of \(segment.range.count) bytes is missing",
      original: segment.range.lowerBound
    )
  }

  /// Whether the result has no content credentials, and no part of those of the original.
  private var areCredentialsRemoved: Bool {
    let boxes = new.container.segments(.jumbf, in: files.result.span)
    return new.credentialSegments(files.result.span).isEmpty
      && !old.credentialSegments(files.original.span).contains { segment in
        boxes.contains { files.isEqual(segment.range, $0.range) }
      }
  }

  /// The key by which segments of two files are matched.
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
    _ thumbnails: [ThumbnailPair]
  ) -> [Observation] {
    if files.isEqual(a.range, b.range) {
      // Metadata that is the same may describe the image as it was stored.
      guard transform != .none, key.kind == .exif || key.kind == .xmp else { return [] }
      return compareContents(a, b, key, thumbnails) ?? []
    }
    if let observations = compareContents(a, b, key, thumbnails) { return observations }
    let place = files.equalCount(a.range, b.range)
    return [
      .finding(
        "segment-changed",
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
    _ thumbnails: [ThumbnailPair]
  ) -> [Observation]? {
    let sizes = (old.frame.size, new.frame.size)
    switch key.kind {
    case .exif:
      guard let index = old.exif.firstIndex(where: { a.range.contains($0.range.lowerBound) }),
        case let one = old.exif[index],
        let other = new.exif.first(where: { b.range.contains($0.range.lowerBound) }),
        files.isEqual(
          a.payload.lowerBound..<one.range.lowerBound,
          b.payload.lowerBound..<other.range.lowerBound
        )
      else { return nil }
      return ExifComparison(
        files: files,
        old: one,
        new: other,
        transform: transform,
        sizes: sizes,
        thumbnail: index < thumbnails.count ? thumbnails[index] : ThumbnailPair()
      ).compare()
    case .xmp:
      guard let one = old.xmp.first(where: { $0.segment == a }),
        let other = new.xmp.first(where: { $0.segment == b })
      else { return nil }
      return XMPComparison(old: one, new: other, transform: transform, sizes: sizes).compare()
    case .multiPicture
    where old.container.segments[0].range.lowerBound == 0
      && comparesIndex(a, b):
      return []
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
    func ranges(_ container: Container, _ isIncluded: (Marker) -> Bool) -> [Range<Int>] {
      container.segments.filter { isIncluded($0.marker) }.map { $0.range }
    }
    let markers: [Marker] = [
      .defineQuantizationTables, .defineHuffmanTables, .startOfScan, .defineRestartInterval,
    ]
    return markers.flatMap { marker in
      list(
        marker.fieldName,
        ranges(old.container) { $0 == marker },
        ranges(new.container) { $0 == marker }
      )
    }
      + list(
        "frame",
        ranges(old.container) { $0.startsFrame },
        ranges(new.container) { $0.startsFrame }
      )
      + list("scan", old.container.scans.map { $0.data }, new.container.scans.map { $0.data })
  }

  private func list(_ field: String, _ a: [Range<Int>], _ b: [Range<Int>]) -> [Observation] {
    (0..<max(a.count, b.count)).compactMap { number in
      let one = number < a.count ? a[number] : old.container.end..<old.container.end
      let other = number < b.count ? b[number] : new.container.end..<new.container.end
      return files.isEqual(one, other) ? nil : .difference("\(field).\(number)", one, other)
    }
  }

  private func compareOrientation() -> [Observation] {
    guard transform != .none || old.orientation.usable != .up else { return [] }
    var observations: [Observation] = []
    if let stale = new.orientation.usable, stale != .up {
      observations.append(
        .finding(
          "orientation-stale",
          "Orientation is still \(stale.rawValue); viewers rotate or flip the image again",
          result: new.container.segments[0].range.lowerBound
        )
      )
    }
    for block in new.xmp {
      for property in block.own(XMPNamespace.tiff, "Orientation")
      where property.value != "1" {
        observations.append(
          .finding(
            "xmp-orientation-stale",
            "tiff:Orientation in XMP is still \(property.value)",
            result: block.start + property.valueRange.lowerBound
          )
        )
      }
    }
    return observations
  }

  private func compareFill() -> [Observation] {
    var observations: [Observation] = []
    let fill = (Self.gaps(old.container), Self.gaps(new.container))
    let stray = (
      fill.0.filter { !files.original[$0].allSatisfy { $0 == 0xFF } },
      fill.1.filter { !files.result[$0].allSatisfy { $0 == 0xFF } }
    )
    let contents = (
      stray.0.map { files.original[$0].filter { $0 != 0xFF } },
      stray.1.map { files.result[$0].filter { $0 != 0xFF } }
    )
    if contents.0 != contents.1 {
      observations.append(
        .finding(
          "stray-bytes",
          "the stray bytes between segments differ",
          original: stray.0.first?.lowerBound,
          result: stray.1.first?.lowerBound
        )
      )
    }
    let counts = (
      fill.0.reduce(0) { $0 + $1.count }, fill.1.reduce(0) { $0 + $1.count }
    )
    guard counts.0 != counts.1 else { return observations }
    let (a, b) = (
      fill.0.last ?? old.container.end..<old.container.end,
      fill.1.last ?? new.container.end..<new.container.end
    )
    return observations + [
      .difference("fill", a, b, old: "\(counts.0) bytes", new: "\(counts.1) bytes")
    ]
  }

  private static func gaps(_ container: Container) -> [Range<Int>] {
    var taken = container.segments.map { $0.range } + container.scans.map { $0.data }
    taken.sort { $0.lowerBound < $1.lowerBound }
    return zip(taken, taken.dropFirst()).map { $0.upperBound..<max($0.upperBound, $1.lowerBound) }
      .filter { !$0.isEmpty }
  }
}

extension Marker {
  /// The name of a segment with coding parameters in lists of differences.
  fileprivate var fieldName: String {
    switch self {
    case .defineQuantizationTables: "quantization-tables"
    case .defineHuffmanTables: "huffman-tables"
    case .startOfScan: "scan-header"
    default: "restart-interval"
    }
  }
}

internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Compares the segments of an image.
struct SegmentComparison {
  let old: Header
  let new: Header
  /// The transform of the image.
  let transform: OrientationTransform
  /// The comparisons of the thumbnails of the Exif blocks of the original, in their order.
  let thumbnails: [ThumbnailComparison.Result]

  /// Compares all segments with metadata, and lists differences of those with coding parameters.
  func compare(_ ledger: inout Ledger) {
    let undo = (old.undoSegments(ledger.original.span), new.undoSegments(ledger.result.span))
    let mine = old.container.segments.filter {
      $0.marker.carriesMetadata && !undo.0.contains($0)
    }
    let theirs = new.container.segments.filter {
      $0.marker.carriesMetadata && !undo.1.contains($0)
    }
    compareUndo(undo.0, undo.1, &ledger)
    let keys = (
      mine.map { Key($0, ledger.original.span) }, theirs.map { Key($0, ledger.result.span) }
    )
    if keys.0 == keys.1 {
      for (index, (segment, partner)) in zip(mine, theirs).enumerated()
      where !ledger.isEqual(segment.range, partner.range) {
        compare(segment, partner, keys.0[index], &ledger)
      }
    } else {
      match(mine, theirs, &ledger)
    }
    listCoding(&ledger)
    compareOrientation(&ledger)
    compareFill(&ledger)
  }

  /// Notes undo data, which a rewrite adds, replaces or removes.
  private func compareUndo(_ a: [Segment], _ b: [Segment], _ ledger: inout Ledger) {
    if let first = b.first {
      let size = b.reduce(0) { $0 + $1.range.count }
      ledger.note(
        "undo-data",
        "the result holds undo data of \(size) bytes",
        result: first.range.lowerBound
      )
    } else if let first = a.first {
      ledger.note(
        "undo-data-removed",
        "the undo data of the original is removed",
        original: first.range.lowerBound
      )
    }
  }

  /// Compares segments of which some are missing, were added, or are in another order.
  private func match(_ mine: [Segment], _ theirs: [Segment], _ ledger: inout Ledger) {
    var partners: [(old: Segment, new: Segment)] = []
    var free = Array(theirs.indices)
    var left: [Segment] = []
    // Equal segments are matched first, so that a missing one does not shift the others.
    for segment in mine {
      let match = free.firstIndex { ledger.isEqual(segment.range, theirs[$0].range) }
      guard let match else {
        left.append(segment)
        continue
      }
      partners.append((segment, theirs[free.remove(at: match)]))
    }
    for segment in left {
      let key = Key(segment, ledger.original.span)
      let match = free.firstIndex { Key(theirs[$0], ledger.result.span) == key }
      if match == nil, areCredentialsRemoved(ledger),
        old.credentialSegments(ledger.original.span).contains(segment)
      {
        ledger.note("credentials-removed", "the content credentials are removed")
        continue
      }
      guard let match else {
        ledger.find(
          "segment-lost",
          "the \(key.name) segment of \(segment.range.count) bytes is missing",
          original: segment.range.lowerBound
        )
        continue
      }
      let partner = theirs[free.remove(at: match)]
      partners.append((segment, partner))
      compare(segment, partner, key, &ledger)
    }
    for index in free {
      let segment = theirs[index]
      ledger.find(
        "segment-added",
        "a \(Key(segment, ledger.result.span).name) segment of \(segment.range.count) bytes was added",
        result: segment.range.lowerBound
      )
    }
    let order = partners.sorted { $0.old.range.lowerBound < $1.old.range.lowerBound }
      .map { $0.new.range.lowerBound }
    if let place = zip(order, order.dropFirst()).first(where: { $0 > $1 }) {
      ledger.find("segment-order", "the order of the segments changed", result: place.1)
    }
  }

  /// Whether the result has no content credentials.
  private func areCredentialsRemoved(_ ledger: Ledger) -> Bool {
    new.credentialSegments(ledger.result.span).isEmpty
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

  private func compare(_ a: Segment, _ b: Segment, _ key: Key, _ ledger: inout Ledger) {
    switch key.kind {
    case .exif:
      if let index = old.exif.firstIndex(where: { a.range.contains($0.range.lowerBound) }),
        case let one = old.exif[index],
        let other = new.exif.first(where: { b.range.contains($0.range.lowerBound) }),
        ledger.isEqual(
          a.payload.lowerBound..<one.range.lowerBound,
          b.payload.lowerBound..<other.range.lowerBound
        )
      {
        ExifComparison(
          old: one,
          new: other,
          transform: transform,
          sizes: (old.frame.size, new.frame.size),
          thumbnail: index < thumbnails.count
            ? thumbnails[index] : ThumbnailComparison.Result()
        ).compare(&ledger)
        return
      }
    case .xmp:
      if let one = old.xmp.first(where: { $0.segment == a }),
        let other = new.xmp.first(where: { $0.segment == b })
      {
        XMPComparison(
          old: one,
          new: other,
          transform: transform,
          sizes: (old.frame.size, new.frame.size)
        ).compare(&ledger)
        return
      }
    case .multiPicture
    where old.container.segments[0].range.lowerBound == 0
      && IndexComparison(old: old, new: new).compares(a, b, ledger):
      return
    case .jfif where isDensityExchanged(a, b, ledger):
      let at = (a.payload.lowerBound + 8, b.payload.lowerBound + 8)
      ledger.differ("jfif.density", at.0..<at.0 + 4, at.1..<at.1 + 4, new: "exchanged")
      return
    default: break
    }
    let place = zip(ledger.original[a.range], ledger.result[b.range]).prefix { $0 == $1 }.count
    ledger.find(
      "segment-changed",
      "the \(key.name) segment differs",
      original: a.range.lowerBound + place,
      result: b.range.lowerBound + place
    )
  }

  private func isDensityExchanged(_ a: Segment, _ b: Segment, _ ledger: Ledger) -> Bool {
    guard transform.transposes, a.payload.count == b.payload.count, a.payload.count >= 12 else {
      return false
    }
    var expected = Array(ledger.original[a.payload])
    expected.swapAt(8, 10)
    expected.swapAt(9, 11)
    return expected[...] == ledger.result[b.payload]
  }

  /// Lists differences of segments with coding parameters; the comparison of coefficients proves them correct.
  private func listCoding(_ ledger: inout Ledger) {
    for marker in [
      Marker.defineQuantizationTables, .defineHuffmanTables, .startOfScan, .defineRestartInterval,
    ] {
      list(
        marker.fieldName,
        old.container.segments.filter { $0.marker == marker }.map { $0.range },
        new.container.segments.filter { $0.marker == marker }.map { $0.range },
        &ledger
      )
    }
    list(
      "frame",
      old.container.segments.filter { $0.marker.startsFrame }.map { $0.range },
      new.container.segments.filter { $0.marker.startsFrame }.map { $0.range },
      &ledger
    )
    list("scan", old.container.scans.map { $0.data }, new.container.scans.map { $0.data }, &ledger)
  }

  private func list(
    _ field: String,
    _ a: [Range<Int>],
    _ b: [Range<Int>],
    _ ledger: inout Ledger
  ) {
    for number in 0..<max(a.count, b.count) {
      let one = number < a.count ? a[number] : old.container.end..<old.container.end
      let other = number < b.count ? b[number] : new.container.end..<new.container.end
      guard !ledger.isEqual(one, other) else { continue }
      ledger.differ("\(field).\(number)", one, other)
    }
  }

  /// Checks that Orientation is 1 in Exif and XMP.
  private func compareOrientation(_ ledger: inout Ledger) {
    guard transform != .none || old.orientation.usable != .up else { return }
    if let stale = new.orientation.usable, stale != .up {
      ledger.find(
        "orientation-stale",
        "Orientation is still \(stale.rawValue); viewers rotate or flip the image again",
        result: new.container.segments[0].range.lowerBound
      )
    }
    for block in new.xmp {
      for property in block.own(XMPNamespace.tiff, "Orientation")
      where property.value != "1" {
        ledger.find(
          "xmp-orientation-stale",
          "tiff:Orientation in XMP is still \(property.value)",
          result: block.start + property.valueRange.lowerBound
        )
      }
    }
  }

  /// Compares the bytes between segments.
  private func compareFill(_ ledger: inout Ledger) {
    let fill = (Self.gaps(old.container), Self.gaps(new.container))
    let stray = (
      fill.0.filter { !ledger.original[$0].allSatisfy { $0 == 0xFF } },
      fill.1.filter { !ledger.result[$0].allSatisfy { $0 == 0xFF } }
    )
    let contents = (
      stray.0.map { ledger.original[$0].filter { $0 != 0xFF } },
      stray.1.map { ledger.result[$0].filter { $0 != 0xFF } }
    )
    if contents.0 != contents.1 {
      ledger.find(
        "stray-bytes",
        "the stray bytes between segments differ",
        original: stray.0.first?.lowerBound,
        result: stray.1.first?.lowerBound
      )
    }
    let counts = (
      fill.0.reduce(0) { $0 + $1.count }, fill.1.reduce(0) { $0 + $1.count }
    )
    guard counts.0 != counts.1 else { return }
    let (a, b) = (
      fill.0.last ?? old.container.end..<old.container.end,
      fill.1.last ?? new.container.end..<new.container.end
    )
    ledger.differ("fill", a, b, old: "\(counts.0) bytes", new: "\(counts.1) bytes")
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

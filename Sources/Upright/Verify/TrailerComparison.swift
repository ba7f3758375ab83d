internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Compares the data after the primary image: secondary images and other bytes.
struct TrailerComparison {
  let old: Header
  let new: Header
  let transform: OrientationTransform
  let limits: DecodingLimits

  func compare(_ ledger: inout Ledger) throws(Verifier.Unreadable) -> [Verdict.Image] {
    let (end, newEnd) = (old.container.end, new.container.end)
    let counts = (ledger.original.count - end, ledger.result.count - newEnd)
    guard counts.0 > 0 || counts.1 > 0 else { return [] }
    guard counts.1 > 0 else {
      ledger.find(
        "trailer-lost",
        "the \(counts.0) bytes after the image are missing\(content(ledger))",
        original: end
      )
      return []
    }
    let before = SearchedImage.inventory(old, ledger.original.span)
    let after = SearchedImage.search(after: newEnd, ledger.result.span).filter { $0.isComplete }
    let complete = before.images.filter { $0.isComplete }
    judgeUnknown(before, &ledger)
    guard complete.count == after.count else {
      changed(end, newEnd, &ledger)
      return []
    }
    var images: [Verdict.Image] = []
    var (position, newPosition) = (end, newEnd)
    // Other images are compared with the bytes around them.
    for (a, b) in zip(complete, after) where a.isListed || a.role != .unknown {
      compareRest(position..<a.range.lowerBound, newPosition..<b.range.lowerBound, &ledger)
      if let image = try compare(a, b, &ledger) { images.append(image) }
      (position, newPosition) = (a.range.upperBound, b.range.upperBound)
    }
    compareRest(
      position..<ledger.original.count,
      newPosition..<ledger.result.count,
      &ledger
    )
    return images
  }

  /// Finds images that may have to be transformed although they cannot be compared.
  private func judgeUnknown(_ inventory: SearchedImage.Inventory, _ ledger: inout Ledger) {
    guard transform != .none else { return }
    for image in inventory.images where !image.isComplete {
      guard image.isAligned || image.role == .preview || image.isListed && image.header == nil
      else { continue }
      ledger.find(
        "embedded-not-transformed",
        "the \(image.role.rawValue) image is damaged and cannot be transformed",
        original: image.range.lowerBound
      )
    }
    let others = inventory.images.filter { !$0.isListed && $0.role == .unknown && $0.header != nil }
    if let missing = inventory.missing, let other = others.first {
      ledger.find(
        "embedded-not-transformed",
        "an index lists an image at byte \(missing), where there is none; whether it is the image at byte "
          + "\(other.range.lowerBound), which was not transformed, is unknown",
        original: other.range.lowerBound
      )
    }
  }

  /// Returns text that names the images after the primary image.
  private func content(_ ledger: Ledger) -> String {
    let images = SearchedImage.inventory(old, ledger.original.span).images.filter {
      $0.isComplete && ($0.isListed || $0.role != .unknown)
    }
    return images.isEmpty
      ? "" : ", among them: " + images.map { $0.role.rawValue }.joined(separator: ", ")
  }

  private func compareRest(_ a: Range<Int>, _ b: Range<Int>, _ ledger: inout Ledger) {
    guard !ledger.isEqual(a, b) else { return }
    let same = zip(ledger.original[a], ledger.result[b]).prefix { $0 == $1 }.count
    changed(a.lowerBound + same, b.lowerBound + same, &ledger)
  }

  private func changed(_ a: Int, _ b: Int, _ ledger: inout Ledger) {
    ledger.find(
      "trailer-changed",
      "the bytes after the image differ",
      original: a,
      result: b
    )
  }

  /// Compares a secondary image.
  private func compare(
    _ a: SearchedImage,
    _ b: SearchedImage,
    _ ledger: inout Ledger
  ) throws(Verifier.Unreadable) -> Verdict.Image? {
    guard let one = a.header, let other = b.header else { return nil }
    let expected = self.transform(of: a, one)
    let comparison = ImageComparison(
      old: one,
      new: other,
      role: a.role,
      transform: expected,
      limits: limits
    )
    if ledger.isEqual(a.range, b.range) {
      // Viewers show a preview by its own tag.
      let isTagged = one.orientation.stated != nil && old.displayed(transform) == .none
      if a.isAligned || a.role == .preview && !isTagged, expected != .none,
        !comparison.looksSameTransformed(ledger)
      {
        ledger.find(
          "embedded-not-transformed",
          "the \(a.role.rawValue) was not transformed and no longer matches the image",
          original: a.range.lowerBound,
          result: b.range.lowerBound
        )
      }
      return Verdict.Image(
        role: a.role,
        original: a.range,
        result: b.range,
        transform: .none,
        relation: .identical,
        components: [],
        coefficients: 0
      )
    }
    ledger.prefix = "\(a.role.rawValue)."
    defer { ledger.prefix = "" }
    let image = try comparison.compare(&ledger)
    SegmentComparison(
      old: one,
      new: other,
      transform: expected,
      thumbnails: []
    ).compare(&ledger)
    return image
  }

  /// Returns the expected transform of a secondary image.
  private func transform(of image: SearchedImage, _ header: Header) -> OrientationTransform {
    switch image.role {
    case .gainMap, .depthMap, .matte: return transform
    case .preview:
      if let own = header.orientation.stated { return own.transform.then(old.displayed(transform)) }
      let (size, primary) = (header.frame.size, old.frame.size)
      let isUpright =
        old.transform.transposes && size.isInProportion(to: primary.transposed)
        && !size.isInProportion(to: primary)
      return isUpright ? old.displayed(transform) : transform
    case .thumbnail, .view, .video, .unknown:
      return header.orientation.stated?.transform ?? transform
    }
  }
}

/// Compares the multi-picture index with the images that it lists.
struct IndexComparison {
  let old: Header
  let new: Header

  /// The indexes of both files, with the segments that contain them.
  private struct Indexes {
    let old: MultiPictureIndex
    let new: MultiPictureIndex
    let segments: (old: Segment, new: Segment)
  }

  /// Returns the indexes if both can be read and have the same layout.
  private func indexes(_ ledger: Ledger) -> Indexes? {
    guard let a = MultiPictureIndex(old.container, ledger.original.span),
      let b = MultiPictureIndex(new.container, ledger.result.span),
      let one = old.container.segments(.multiPicture, in: ledger.original.span).first,
      let other = new.container.segments(.multiPicture, in: ledger.result.span).first,
      one.range.count == other.range.count,
      a.entries.map({ $0.position - one.range.lowerBound })
        == b.entries.map({ $0.position - other.range.lowerBound })
    else { return nil }
    return Indexes(old: a, new: b, segments: (one, other))
  }

  /// Returns whether ``compare(_:_:)`` compares these segments.
  func compares(_ a: Segment, _ b: Segment, _ ledger: Ledger) -> Bool {
    guard let segments = indexes(ledger)?.segments else { return false }
    return segments.old == a && segments.new == b
  }

  func compare(_ images: [Verdict.Image], _ ledger: inout Ledger) {
    compareItems(images, &ledger)
    guard let indexes = indexes(ledger) else { return }
    let (one, other) = indexes.segments
    var mask: Set<Int> = []
    for (number, (x, y)) in zip(indexes.old.entries, indexes.new.entries).enumerated() {
      compare(number, x, y, images, &ledger)
      mask.formUnion(x.position + 4 - one.range.lowerBound..<x.position + 12 - one.range.lowerBound)
    }
    let bytes = zip(ledger.original[one.range], ledger.result[other.range]).enumerated()
    if let place = bytes.first(where: { $0.element.0 != $0.element.1 && !mask.contains($0.offset) })
    {
      ledger.find(
        "segment-changed",
        "the multi-picture index differs in more than sizes and offsets",
        original: one.range.lowerBound + place.offset,
        result: other.range.lowerBound + place.offset
      )
    }
  }

  /// Compares the lengths in the container directories.
  private func compareItems(_ images: [Verdict.Image], _ ledger: inout Ledger) {
    for (a, b) in zip(
      old.xmp.compactMap(ContainerDirectory.init),
      new.xmp.compactMap(ContainerDirectory.init)
    ) {
      var position = old.container.end + (a.items.first?.padding ?? 0)
      for (number, (x, y)) in zip(a.items, b.items).enumerated() {
        let (before, after) = (length(x), length(y))
        var growth = 0
        if number == 0 {
          if before == old.container.end { growth = new.container.end - old.container.end }
        } else {
          if let image = images.first(where: { $0.original.lowerBound == position }) {
            growth = image.result.count - image.original.count
          }
          position += (before ?? 0) + x.padding
        }
        guard x.length?.value != y.length?.value, after != before.map({ $0 + growth }) else {
          continue
        }
        ledger.find(
          "index-broken",
          "the length of file \(number) in the container directory changed from "
            + "\(x.length?.value.prefix(20) ?? "none") to \(y.length?.value.prefix(20) ?? "none"), but it grew by \(growth)",
          original: a.block.start,
          result: b.block.start
        )
      }
    }
  }

  private func length(_ item: ContainerDirectory.Item) -> Int? {
    item.length.flatMap { UInt32($0.value)?.length }
  }

  /// Returns by how many bytes an offset after the primary image moves.
  private func shift(of offset: Int, _ images: [Verdict.Image]) -> Int {
    images.filter { $0.original.upperBound <= offset }.reduce(
      new.container.end - old.container.end
    ) { $0 + $1.result.count - $1.original.count }
  }

  private func compare(
    _ number: Int,
    _ x: MultiPictureIndex.Entry,
    _ y: MultiPictureIndex.Entry,
    _ images: [Verdict.Image],
    _ ledger: inout Ledger
  ) {
    var lengths = (Int64(old.container.end), Int64(new.container.end))
    if number > 0 {
      let image = images.first { $0.original.lowerBound == x.start }
      lengths = image.map { (Int64($0.original.count), Int64($0.result.count)) } ?? (0, 0)
      let isBefore = x.start < old.container.end
      let moved = x.start + (isBefore ? 0 : Int64(shift(of: x.start.length, images)))
      // An entry without an image was already wrong in the original.
      let isOutside = isBefore || x.start >= ledger.original.count
      if y.start != moved, !(isOutside && ledger.isEqual(x.offsetField, y.offsetField)) {
        ledger.find(
          "index-broken",
          "entry \(number) of the multi-picture index points to byte \(y.start) instead of \(moved)",
          original: x.position,
          result: y.position
        )
      }
    }
    let grewBy = lengths.1 - lengths.0
    if number == 0, x.size != lengths.0, y.size == x.size || y.size == x.size + grewBy {
      ledger.note(
        "index-wrong",
        "the multi-picture index gives a wrong size of the primary image: \(x.size) instead of "
          + "\(lengths.0) bytes in the original, \(y.size) instead of \(lengths.1) in the result",
        original: x.position,
        result: y.position
      )
    } else if y.size - x.size != grewBy {
      ledger.find(
        "index-broken",
        "entry \(number) of the multi-picture index changed from \(x.size) to \(y.size) bytes, "
          + "but its image grew by \(grewBy)",
        original: x.position,
        result: y.position
      )
    }
    let fields = [(4, "size", x.size, y.size), (8, "offset", x.start, y.start)]
    for (place, name, before, after) in fields where before != after {
      ledger.differ(
        "mpf.\(number).\(name)",
        x.position + place..<x.position + place + 4,
        y.position + place..<y.position + place + 4,
        old: "\(before)",
        new: "\(after)"
      )
    }
  }
}

extension MultiPictureIndex.Entry {
  /// The range of the offset in the file.
  fileprivate var offsetField: Range<Int> { position + 8..<position + 12 }
}

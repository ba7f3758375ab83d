internal import ImageOrientation
internal import JPEGCore

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
    let before = SecondaryImage.find(old, ledger.original.span)
    let after = SecondaryImage.find(new, ledger.result.span)
    guard before.count == after.count else {
      let same = ledger.isEqual(end..<ledger.original.count, newEnd..<ledger.result.count)
      if same && !before.isEmpty {
        ledger.find(
          "index-broken",
          "the secondary images are there, but the index no longer points to them",
          original: end,
          result: newEnd
        )
      } else if !same {
        changed(end, newEnd, &ledger)
      }
      return []
    }
    var images: [Verdict.Image] = []
    var (position, newPosition) = (end, newEnd)
    for (a, b) in zip(before, after) {
      guard a.range.lowerBound >= position, b.range.lowerBound >= newPosition else { continue }
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

  /// Returns text that names the images after the primary image.
  private func content(_ ledger: Ledger) -> String {
    let images = Inventory.images(old, ledger.original.span).filter { $0.role != .thumbnail }
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

  private func looksSameTransformed(
    _ a: SecondaryImage,
    _ b: SecondaryImage,
    _ ledger: Ledger
  ) -> Bool {
    guard let one = a.header, let other = b.header else { return false }
    return ImageComparison(old: one, new: other, role: a.role, transform: transform, limits: limits)
      .looksSameTransformed(ledger)
  }

  /// Compares a secondary image.
  private func compare(
    _ a: SecondaryImage,
    _ b: SecondaryImage,
    _ ledger: inout Ledger
  ) throws(Verifier.Unreadable) -> Verdict.Image? {
    let isTied = [.gainMap, .depthMap, .matte].contains(a.role)
    if ledger.isEqual(a.range, b.range) {
      if isTied, transform != .none, !looksSameTransformed(a, b, ledger) {
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
    guard let one = a.header, let other = b.header else {
      changed(a.range.lowerBound, b.range.lowerBound, &ledger)
      return nil
    }
    let expected =
      isTied
      ? transform
      : a.transform(with: transform, of: old) ?? one.orientation.stated?.transform ?? transform
    ledger.prefix = "\(a.role.rawValue)."
    defer { ledger.prefix = "" }
    let image = try ImageComparison(
      old: one,
      new: other,
      role: a.role,
      transform: expected,
      limits: limits
    )
    .compare(&ledger)
    SegmentComparison(
      old: one,
      new: other,
      transform: expected,
      thumbnail: ThumbnailComparison.Result()
    ).compare(&ledger)
    compareRest(
      one.container.end..<a.range.upperBound,
      other.container.end..<b.range.upperBound,
      &ledger
    )
    return image
  }
}

/// Compares the multi-picture index with the images that it lists.
struct IndexComparison {
  let old: Header
  let new: Header

  func compare(_ images: [Verdict.Image], _ ledger: inout Ledger) {
    guard let a = MultiPictureIndex(old.container, ledger.original.span),
      let b = MultiPictureIndex(new.container, ledger.result.span),
      a.entries.count == b.entries.count,
      let one = old.container.segments(.multiPicture, in: ledger.original.span).first,
      let other = new.container.segments(.multiPicture, in: ledger.result.span).first
    else { return }
    var mask: Set<Int> = []
    for (number, (x, y)) in zip(a.entries, b.entries).enumerated() {
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

  private func compare(
    _ number: Int,
    _ x: MultiPictureIndex.Entry,
    _ y: MultiPictureIndex.Entry,
    _ images: [Verdict.Image],
    _ ledger: inout Ledger
  ) {
    let lengths: (Int, Int)
    if number == 0 {
      lengths = (old.container.end, new.container.end)
    } else {
      // An entry without an image was already wrong in the original.
      guard let image = images.first(where: { $0.original.lowerBound == x.start }) else {
        return
      }
      lengths = (
        image.relation == .identical
          ? 0 : image.original.upperBound - image.original.lowerBound,
        image.relation == .identical ? 0 : image.result.upperBound - image.result.lowerBound
      )
      if y.start != image.result.lowerBound {
        ledger.find(
          "index-broken",
          "entry \(number) of the multi-picture index points to byte \(y.start), but the image is at byte \(image.result.lowerBound)",
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

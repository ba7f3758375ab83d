internal import ImageOrientation
internal import JPEGCore

/// Compares what follows the primary picture: other pictures, and bytes of any other kind.
struct TrailerComparison {
  let old: Header
  let new: Header
  let turn: Turn
  let limits: DecodingLimits

  func compare(_ ledger: inout Ledger) throws(Verifier.Unreadable) -> [Verdict.Picture] {
    let (end, newEnd) = (old.container.end, new.container.end)
    let counts = (ledger.original.count - end, ledger.result.count - newEnd)
    guard counts.0 > 0 || counts.1 > 0 else { return [] }
    guard counts.1 > 0 else {
      ledger.find(
        "trailer-lost",
        "the \(counts.0) bytes behind the picture are missing\(content(ledger))",
        original: end
      )
      return []
    }
    let before = SecondaryPicture.find(old, ledger.original.span)
    let after = SecondaryPicture.find(new, ledger.result.span)
    guard before.count == after.count else {
      let same = ledger.isEqual(end..<ledger.original.count, newEnd..<ledger.result.count)
      if same && !before.isEmpty {
        ledger.find(
          "index-broken",
          "the pictures behind the first one are there, and the index no longer finds them",
          original: end,
          result: newEnd
        )
      } else if !same {
        changed(end, newEnd, &ledger)
      }
      return []
    }
    var pictures: [Verdict.Picture] = []
    var (position, newPosition) = (end, newEnd)
    for (a, b) in zip(before, after) {
      guard a.range.lowerBound >= position, b.range.lowerBound >= newPosition else { continue }
      compareRest(position..<a.range.lowerBound, newPosition..<b.range.lowerBound, &ledger)
      if let picture = try compare(a, b, &ledger) { pictures.append(picture) }
      (position, newPosition) = (a.range.upperBound, b.range.upperBound)
    }
    compareRest(
      position..<ledger.original.count,
      newPosition..<ledger.result.count,
      &ledger
    )
    return pictures
  }

  /// What the bytes behind the picture are, for people.
  private func content(_ ledger: Ledger) -> String {
    let pictures = Inventory.pictures(old, ledger.original.span).filter { $0.role != .thumbnail }
    return pictures.isEmpty
      ? "" : ", among them: " + pictures.map { $0.role.rawValue }.joined(separator: ", ")
  }

  private func compareRest(_ a: Range<Int>, _ b: Range<Int>, _ ledger: inout Ledger) {
    guard !ledger.isEqual(a, b) else { return }
    let same = zip(ledger.original[a], ledger.result[b]).prefix { $0 == $1 }.count
    changed(a.lowerBound + same, b.lowerBound + same, &ledger)
  }

  private func changed(_ a: Int, _ b: Int, _ ledger: inout Ledger) {
    ledger.find(
      "trailer-changed",
      "the bytes behind the picture are not the same",
      original: a,
      result: b
    )
  }

  private func looksSameTurned(
    _ a: SecondaryPicture,
    _ b: SecondaryPicture,
    _ ledger: Ledger
  ) -> Bool {
    guard let one = a.header, let other = b.header else { return false }
    return PictureComparison(old: one, new: other, role: a.role, turn: turn, limits: limits)
      .looksSameTurned(ledger)
  }

  /// Compares a picture behind the primary one.
  private func compare(
    _ a: SecondaryPicture,
    _ b: SecondaryPicture,
    _ ledger: inout Ledger
  ) throws(Verifier.Unreadable) -> Verdict.Picture? {
    let isTied = [.gainMap, .depthMap, .matte].contains(a.role)
    if ledger.isEqual(a.range, b.range) {
      if isTied, turn != .none, !looksSameTurned(a, b, ledger) {
        ledger.find(
          "embedded-not-turned",
          "the \(a.role.rawValue) is stored as it was, and no longer fits the picture",
          original: a.range.lowerBound,
          result: b.range.lowerBound
        )
      }
      return Verdict.Picture(
        role: a.role,
        original: a.range,
        result: b.range,
        turn: .none,
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
      isTied ? turn : a.turn(with: turn, of: old) ?? one.orientation.stated?.turn ?? turn
    ledger.prefix = "\(a.role.rawValue)."
    defer { ledger.prefix = "" }
    let picture = try PictureComparison(
      old: one,
      new: other,
      role: a.role,
      turn: expected,
      limits: limits
    )
    .compare(&ledger)
    SegmentComparison(
      old: one,
      new: other,
      turn: expected,
      thumbnail: ThumbnailComparison.Result()
    ).compare(&ledger)
    compareRest(
      one.container.end..<a.range.upperBound,
      other.container.end..<b.range.upperBound,
      &ledger
    )
    return picture
  }
}

/// Compares the index of a multi-picture file and Google's directory with the pictures that they list.
struct IndexComparison {
  let old: Header
  let new: Header

  func compare(_ pictures: [Verdict.Picture], _ ledger: inout Ledger) {
    guard let a = MultiPictureIndex(old.container, ledger.original.span),
      let b = MultiPictureIndex(new.container, ledger.result.span),
      a.entries.count == b.entries.count,
      let one = old.container.segments(.multiPicture, in: ledger.original.span).first,
      let other = new.container.segments(.multiPicture, in: ledger.result.span).first
    else { return }
    var mask: Set<Int> = []
    for (number, (x, y)) in zip(a.entries, b.entries).enumerated() {
      compare(number, x, y, pictures, &ledger)
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
    _ pictures: [Verdict.Picture],
    _ ledger: inout Ledger
  ) {
    let lengths: (Int, Int)
    if number == 0 {
      lengths = (old.container.end, new.container.end)
    } else {
      // An entry that finds no picture is wrong already.
      guard let picture = pictures.first(where: { $0.original.lowerBound == x.start }) else {
        return
      }
      lengths = (
        picture.relation == .identical
          ? 0 : picture.original.upperBound - picture.original.lowerBound,
        picture.relation == .identical ? 0 : picture.result.upperBound - picture.result.lowerBound
      )
      if y.start != picture.result.lowerBound {
        ledger.find(
          "index-broken",
          "entry \(number) of the multi-picture index points to byte \(y.start), the picture is at \(picture.result.lowerBound)",
          result: y.position
        )
      }
    }
    let grewBy = lengths.1 - lengths.0
    if number == 0, x.size != lengths.0, y.size == x.size || y.size == x.size + grewBy {
      ledger.note(
        "index-wrong",
        "the multi-picture index gives the first picture \(x.size) bytes in the original, where it has "
          + "\(lengths.0), and \(y.size) in the result, where it has \(lengths.1)",
        original: x.position,
        result: y.position
      )
    } else if y.size - x.size != grewBy {
      ledger.find(
        "index-broken",
        "entry \(number) of the multi-picture index gives \(y.size) bytes, and was \(x.size); "
          + "its picture grew by \(grewBy)",
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

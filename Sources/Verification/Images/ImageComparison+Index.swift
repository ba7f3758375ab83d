internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import Upright
internal import XMPPacket

/// The comparison of the multi-picture index and the container directory with the images that they list.
extension ImageComparison {
  /// The segments of the two indexes.
  typealias IndexSegments = (old: Segment, new: Segment)

  private struct Indexes {
    let old: MultiPictureIndex
    let new: MultiPictureIndex
    let segments: IndexSegments
  }

  /// The indexes if both can be read and have the same layout.
  private var indexes: Indexes? {
    guard let a = MultiPictureIndex(old.container, files.original.span),
      let b = MultiPictureIndex(new.container, files.result.span),
      let one = old.container.segments(.multiPicture, in: files.original.span).first,
      let other = new.container.segments(.multiPicture, in: files.result.span).first,
      one.range.count == other.range.count,
      a.entries.map({ $0.position - one.range.lowerBound })
        == b.entries.map({ $0.position - other.range.lowerBound })
    else { return nil }
    return Indexes(old: a, new: b, segments: (one, other))
  }

  /// The segments that ``compareIndex(_:)`` compares; nil if it compares none.
  var indexSegments: IndexSegments? { indexes?.segments }

  func compareIndex(_ images: [Verdict.Image]) -> [Observation] {
    var observations = compareItems(images)
    guard let indexes else { return observations }
    let (one, other) = indexes.segments
    if indexes.old.isCut, transform != .none || old.container.end != new.container.end {
      let text = "more fields of the multi-picture index share bytes than are read"
      observations.append(
        .finding(
          .sharedBytes,
          text,
          original: one.range.lowerBound,
          result: other.range.lowerBound
        )
      )
    }
    var mask: Set<Int> = []
    for (number, (x, y)) in zip(indexes.old.entries, indexes.new.entries).enumerated() {
      observations += compare(number, x, y, images)
      mask.formUnion(x.position + 4 - one.range.lowerBound..<x.position + 12 - one.range.lowerBound)
    }
    let bytes = zip(files.original[one.range], files.result[other.range]).enumerated()
    if let place = bytes.first(where: { $0.element.0 != $0.element.1 && !mask.contains($0.offset) })
    {
      observations.append(
        .finding(
          .segmentChanged,
          "the multi-picture index differs in more than sizes and offsets",
          original: one.range.lowerBound + place.offset,
          result: other.range.lowerBound + place.offset
        )
      )
    }
    return observations
  }

  private func compareItems(_ images: [Verdict.Image]) -> [Observation] {
    var observations: [Observation] = []
    for (a, b) in zip(
      old.xmp.compactMap(ContainerDirectory.init),
      new.xmp.compactMap(ContainerDirectory.init)
    ) {
      var position = old.container.end + (a.items.first?.padding ?? 0)
      for (number, (x, y)) in zip(a.items, b.items).enumerated() {
        let (before, after) = (length(x), length(y))
        var growth = 0
        // A length that was wrong before may be kept.
        var wasRight = false
        if number == 0 {
          wasRight = before == old.container.end
          if wasRight { growth = new.container.end - old.container.end }
        } else {
          if let image = images.first(where: { $0.original.lowerBound == position }) {
            wasRight = before == image.original.count
            growth = image.result.count - image.original.count
          }
          position += (before ?? 0) + x.padding
        }
        guard wasRight || x.length?.value != y.length?.value,
          after != before.map({ $0 + growth })
        else { continue }
        observations.append(
          .finding(
            .indexBroken,
            "the length of file \(number) in the container directory changed from "
              + "\(x.length?.value.prefix(20) ?? "none") to \(y.length?.value.prefix(20) ?? "none"), but it grew by \(growth)",
            original: a.block.start,
            result: b.block.start
          )
        )
      }
    }
    return observations
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

  @ListBuilder<Observation>
  private func compare(
    _ number: Int,
    _ x: MultiPictureIndex.Entry,
    _ y: MultiPictureIndex.Entry,
    _ images: [Verdict.Image]
  ) -> [Observation] {
    let image = images.first { $0.original.lowerBound == x.start }
    let lengths =
      number == 0
      ? (Int64(old.container.end), Int64(new.container.end))
      : image.map { (Int64($0.original.count), Int64($0.result.count)) } ?? (0, 0)
    if number > 0 {
      let isBefore = x.start < old.container.end
      let moved = x.start + (isBefore ? 0 : Int64(shift(of: x.start.length, images)))
      // An entry without an image was already wrong in the original.
      let isOutside = isBefore || x.start >= files.original.count
      if y.start != moved, !(isOutside && files.isEqual(x.offsetField, y.offsetField)) {
        broken(number, "points to byte \(y.start) instead of \(moved)", x, y)
      }
    }
    let grewBy = lengths.1 - lengths.0
    if number == 0, x.size != lengths.0, y.size == x.size || y.size == x.size + grewBy {
      Observation.note(
        .indexWrong,
        "the multi-picture index gives a wrong size of the primary image: \(x.size) instead of "
          + "\(lengths.0) bytes in the original, \(y.size) instead of \(lengths.1) in the result",
        original: x.position,
        result: y.position
      )
    } else if y.size - x.size != grewBy {
      let text = "changed from \(x.size) to \(y.size) bytes, but its image grew by \(grewBy)"
      broken(number, text, x, y)
    }
    for (place, name, before, after) in [
      (4, "size", x.size, y.size), (8, "offset", x.start, y.start),
    ] where before != after {
      Observation.difference(
        "mpf.\(number).\(name)",
        x.position + place..<x.position + place + 4,
        y.position + place..<y.position + place + 4,
        old: "\(before)",
        new: "\(after)"
      )
    }
  }

  private func broken(
    _ number: Int,
    _ text: String,
    _ x: MultiPictureIndex.Entry,
    _ y: MultiPictureIndex.Entry
  ) -> Observation {
    let entry = "entry \(number) of the multi-picture index"
    return .finding(.indexBroken, "\(entry) \(text)", original: x.position, result: y.position)
  }
}

extension MultiPictureIndex.Entry {
  /// The range of the offset in the file.
  fileprivate var offsetField: Range<Int> { position + 8..<position + 12 }
}

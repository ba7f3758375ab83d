internal import FileBytes
internal import ImageOrientation
internal import JPEGCore
internal import Upright

/// The thumbnails of an Exif block in both files.
struct ThumbnailPair {
  var old: Thumbnail?
  var new: Thumbnail?
}

/// Compares two Exif blocks: fields that may change by value, all other bytes directly.
struct ExifComparison {
  let files: ComparedFiles
  let old: TIFFBlock
  let new: TIFFBlock
  let orientation: OrientationTransform
  let transform: OrientationTransform
  let sizes: (old: PixelSize, new: PixelSize)
  let thumbnail: ThumbnailPair

  func compare() -> [Observation] {
    guard !old.isCut, !new.isCut else {
      return [
        .finding(
          .sharedBytes,
          "more fields share bytes of the Exif block than are compared",
          original: old.range.lowerBound,
          result: new.range.lowerBound
        )
      ]
    }
    guard hasSameLayout else { return compareRebuilt() }
    var observations = compareShownSize()
    var exempt = holes + gapLengths
    for (a, b) in zip(old.entries, newEntries) {
      guard let field = Field(a, b), let checked = check(field) else { continue }
      exempt.append(relative(field.places.old, old))
      observations += checked + change(field)
    }
    return observations + compareBytes(exempt)
  }

  struct Field {
    let old: TIFFBlock.Entry
    let new: TIFFBlock.Entry
    let places: (old: Range<Int>, new: Range<Int>)

    init?(_ old: TIFFBlock.Entry, _ new: TIFFBlock.Entry?) {
      guard let new, let place = old.value, let newPlace = new.value else { return nil }
      (self.old, self.new, places) = (old, new, (place, newPlace))
    }
  }

  func isUnchanged(_ field: Field) -> Bool { files.isEqual(field.places.old, field.places.new) }

  func finding(
    _ code: Verdict.Finding.Code.Known,
    _ text: String,
    _ field: Field
  ) -> Observation {
    let (one, other) = field.places
    return .finding(code, text, original: one.lowerBound, result: other.lowerBound)
  }

  func note(
    _ code: Verdict.Finding.Code.KnownNote,
    _ text: String,
    _ field: Field
  ) -> Observation {
    let (one, other) = field.places
    return .note(code, text, original: one.lowerBound, result: other.lowerBound)
  }

  @ListBuilder<Observation> private func change(_ field: Field) -> [Observation] {
    if !isUnchanged(field) {
      Observation.difference(
        field.old.field,
        field.places.old,
        field.places.new,
        old: Self.text(field.old, old, files.original.span),
        new: Self.text(field.new, new, files.result.span)
      )
    }
  }

  /// The entries of the result, without those of directories to which wrong pointers led in the original, too: bytes that
  /// change may then look like entries.
  private var newEntries: [TIFFBlock.Entry] {
    new.entries.filter { !old.unread.contains($0.directory) }
  }

  private var hasSameLayout: Bool {
    guard old.order == new.order, old.entries.count == newEntries.count,
      old.gaps.map({ relative($0, old) }) == new.gaps.map({ relative($0, new) })
    else { return false }
    return zip(old.entries, newEntries).allSatisfy { a, b in
      (a.directory, a.tag, a.type, a.count) == (b.directory, b.tag, b.type, b.count)
        && a.offset - old.range.lowerBound == b.offset - new.range.lowerBound
        && a.value.map { relative($0, old) } == b.value.map { relative($0, new) }
    }
  }

  private func relative(_ range: Range<Int>, _ block: TIFFBlock) -> Range<Int> {
    range.lowerBound - block.range.lowerBound..<range.upperBound - block.range.lowerBound
  }

  /// The range of the old thumbnail in the block if the new one is at the same offset.
  private var holes: [Range<Int>] {
    guard let one = thumbnail.old, let other = thumbnail.new, one.block.range == old.range else {
      return []
    }
    let (a, b) = (relative(one.range, old), relative(other.range, new))
    guard a.lowerBound == b.lowerBound else { return [] }
    return [a.lowerBound..<max(a.upperBound, b.upperBound)]
  }

  /// Where the headers in the block give the lengths of the segments that continue it.
  private var gapLengths: [Range<Int>] {
    let length = Segment.identifierLength(.exif) + 2
    return old.gaps.map { relative($0, old).upperBound - length }.map { $0..<$0 + 2 }
  }

  private func compareBytes(_ exempt: [Range<Int>]) -> [Observation] {
    var observations: [Observation] = []
    let common = min(old.range.count, new.range.count)
    var mask = [Bool](repeating: false, count: max(old.range.count, new.range.count))
    for range in exempt {
      for index in range.clamped(to: mask.indices) { mask[index] = true }
    }
    if let other = thumbnail.new, other.block.range == new.range {
      // A thumbnail that has grown is at the end of the block.
      for index in relative(other.range, new).clamped(to: old.range.count..<mask.count) {
        mask[index] = true
      }
    }
    for index in 0..<common where !mask[index] {
      let (a, b) = (old.range.lowerBound + index, new.range.lowerBound + index)
      guard files.original[a] != files.result[b] else { continue }
      // One finding for each value, and one for each byte outside of values.
      let entry = old.entries.first { $0.value?.contains(a) == true }
      if let value = entry?.value.map({ relative($0, old) }) {
        for index in value.clamped(to: mask.indices) { mask[index] = true }
      }
      let name = entry.map { "\($0.directory.name) \(ExifTag.number($0.tag))" }
      let text = "\(name ?? "a byte of the Exif block") differs"
      observations.append(.finding(.exifBytesChanged, text, original: a, result: b))
    }
    guard mask[common...].contains(false) else { return observations }
    return observations + [
      .finding(
        .exifLengthChanged,
        "the Exif block has \(new.range.count) bytes instead of \(old.range.count)",
        original: old.range.lowerBound,
        result: new.range.lowerBound
      )
    ]
  }

  /// Compares a block that was rebuilt, by tags.
  private func compareRebuilt() -> [Observation] {
    var observations: [Observation] =
      compareShownSize() + [
        .finding(
          .exifRebuilt,
          "the Exif block was rebuilt; offsets within MakerNotes may no longer be valid",
          original: old.range.lowerBound,
          result: new.range.lowerBound
        )
      ]
    var lost: [String] = []
    for entry in old.entries {
      guard let value = entry.value else { continue }
      let partner = new.entries.first {
        $0.directory == entry.directory && $0.tag == entry.tag
      }
      if let field = Field(entry, partner) {
        observations += compare(field)
      } else if entry.tag == ExifTag.makerNote, entry.directory == .exif {
        let text = "the MakerNote of \(value.count) bytes is missing"
        observations.append(.finding(.makernoteLost, text, original: value.lowerBound))
      } else {
        lost.append("\(entry.directory.name) \(ExifTag.number(entry.tag))")
      }
    }
    guard !lost.isEmpty else { return observations }
    let more = lost.count > 12 ? " and \(lost.count - 12) more" : ""
    let text = "tags are missing: " + lost.prefix(12).joined(separator: ", ") + more
    return observations + [.finding(.exifTagLost, text, original: old.range.lowerBound)]
  }

  private func compare(_ field: Field) -> [Observation] {
    let entry = field.old
    if Self.pointers.contains(entry.tag) { return [] }
    if let checked = check(field) { return checked + change(field) }
    guard old.order == new.order, !isUnchanged(field) else { return [] }
    let text = "\(entry.directory.name) \(ExifTag.number(entry.tag)) differs"
    return [finding(.exifTagChanged, text, field)]
  }

  private static let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005]
}

internal import ImageOrientation
internal import JPEGCore

/// Compares two Exif blocks: fields that may change by value, all other bytes directly.
struct ExifComparison {
  let old: TIFFBlock
  let new: TIFFBlock
  let transform: OrientationTransform
  /// The sizes of the images that the blocks describe.
  let sizes: (old: PixelSize, new: PixelSize)
  let thumbnail: ThumbnailComparison.Result

  private static let makerNote: UInt16 = 0x927C

  func compare(_ ledger: inout Ledger) {
    guard hasSameLayout else {
      compareRebuilt(&ledger)
      return
    }
    var exempt = holes(&ledger)
    for (a, b) in zip(old.entries, new.entries) {
      guard let one = a.value, let other = b.value else { continue }
      guard judge(a, b, &ledger) else { continue }
      exempt.append(relative(one, old))
      list(a, b, one, other, &ledger)
    }
    compareBytes(exempt, &ledger)
  }

  /// Lists an expected change of a field.
  private func list(
    _ a: TIFFBlock.Entry,
    _ b: TIFFBlock.Entry,
    _ one: Range<Int>,
    _ other: Range<Int>,
    _ ledger: inout Ledger
  ) {
    guard !ledger.isEqual(one, other) else { return }
    ledger.differ(
      "exif.\(a.directory.rawValue).\(Self.name(a.tag))",
      one,
      other,
      old: Self.text(a, old, ledger.original.span),
      new: Self.text(b, new, ledger.result.span)
    )
  }

  /// Whether both blocks have the same entries at the same offsets.
  private var hasSameLayout: Bool {
    guard old.order == new.order, old.entries.count == new.entries.count else { return false }
    return zip(old.entries, new.entries).allSatisfy { a, b in
      (a.directory, a.tag, a.type, a.count) == (b.directory, b.tag, b.type, b.count)
        && a.offset - old.range.lowerBound == b.offset - new.range.lowerBound
        && a.value.map { relative($0, old) } == b.value.map { relative($0, new) }
    }
  }

  private func relative(_ range: Range<Int>, _ block: TIFFBlock) -> Range<Int> {
    range.lowerBound - block.range.lowerBound..<range.upperBound - block.range.lowerBound
  }

  /// Returns the range of the old thumbnail in the block if the new one is at the same offset.
  private func holes(_ ledger: inout Ledger) -> [Range<Int>] {
    guard let one = thumbnail.old, let other = thumbnail.new, one.block.range == old.range else {
      return []
    }
    let (a, b) = (relative(one.range, old), relative(other.range, new))
    guard a.lowerBound == b.lowerBound else { return [] }
    return [a.lowerBound..<max(a.upperBound, b.upperBound)]
  }

  /// Compares all bytes except those that were compared by value.
  private func compareBytes(_ exempt: [Range<Int>], _ ledger: inout Ledger) {
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
      guard ledger.original[a] != ledger.result[b] else { continue }
      // One finding for each value, and one for each byte outside of values.
      let entry = old.entries.first { $0.value?.contains(a) == true }
      if let value = entry?.value.map({ relative($0, old) }) {
        for index in value.clamped(to: mask.indices) { mask[index] = true }
      }
      ledger.find(
        "exif-bytes-changed",
        entry.map { "\($0.directory.name) \(Self.hex($0.tag)) differs" }
          ?? "a byte of the Exif block differs",
        original: a,
        result: b
      )
    }
    if mask[common...].contains(false) {
      ledger.find(
        "exif-length-changed",
        "the Exif block has \(new.range.count) bytes instead of \(old.range.count)",
        original: old.range.lowerBound,
        result: new.range.lowerBound
      )
    }
  }

  /// Compares a block that was rebuilt, by tags.
  private func compareRebuilt(_ ledger: inout Ledger) {
    ledger.find(
      "exif-rebuilt",
      "the Exif block was rebuilt; offsets within MakerNotes may no longer be valid",
      original: old.range.lowerBound,
      result: new.range.lowerBound
    )
    var lost: [String] = []
    for entry in old.entries {
      guard let value = entry.value else { continue }
      guard
        let other = new.entries.first(where: {
          $0.directory == entry.directory && $0.tag == entry.tag
        }), let found = other.value
      else {
        if entry.tag == Self.makerNote, entry.directory == .exif {
          ledger.find(
            "makernote-lost",
            "the MakerNote of \(value.count) bytes is missing",
            original: value.lowerBound
          )
        } else {
          lost.append("\(entry.directory.name) \(Self.hex(entry.tag))")
        }
        continue
      }
      if Self.pointers.contains(entry.tag) { continue }
      if judge(entry, other, &ledger) {
        list(entry, other, value, found, &ledger)
        continue
      }
      if old.order == new.order, !ledger.isEqual(value, found) {
        ledger.find(
          "exif-tag-changed",
          "\(entry.directory.name) \(Self.hex(entry.tag)) differs",
          original: value.lowerBound,
          result: found.lowerBound
        )
      }
    }
    if !lost.isEmpty {
      ledger.find(
        "exif-tag-lost",
        "tags are missing: " + lost.prefix(12).joined(separator: ", ")
          + (lost.count > 12 ? " and \(lost.count - 12) more" : ""),
        original: old.range.lowerBound
      )
    }
  }

  private static let pointers: Set<UInt16> = [0x8769, 0x8825, 0xA005]

  static func hex(_ tag: UInt16) -> String {
    "0x" + tag.hexadecimal(uppercase: true)
  }
}

internal import ImageOrientation
internal import JPEGCore

extension ExifComparison {
  /// Checks a field that a transform may or must change.
  ///
  /// - Returns: Whether the field was checked, so that its bytes need no comparison.
  func judge(_ a: TIFFBlock.Entry, _ b: TIFFBlock.Entry, _ ledger: inout Ledger) -> Bool {
    let (before, after) = (old.integer(a, ledger.original.span), new.integer(b, ledger.result.span))
    let (oldSize, newSize) = (StatedSize(sizes.old), StatedSize(sizes.new))
    let thumbnailSize = thumbnail.new?.size.map { StatedSize($0) }
    switch (a.directory, a.tag) {
    case (.ifd0, ExifTag.orientation):
      // A wrong value is a finding about the whole file.
      return after == 1
    case (.ifd1, ExifTag.orientation): return after == 1 && thumbnail.old != nil
    case (.ifd1, ExifTag.thumbnailOffset), (.ifd1, ExifTag.thumbnailLength):
      // The thumbnail was found by these fields.
      return thumbnail.new?.block.range == new.range
    case (.ifd1, ExifTag.imageWidth): return after == thumbnailSize?.width
    case (.ifd1, ExifTag.imageLength), (.ifd1, ExifTag.rowsPerStrip):
      return after == thumbnailSize?.height
    case (.exif, ExifTag.pixelXDimension):
      return judge(a, b, is: after == newSize.width, &ledger)
    case (.exif, ExifTag.pixelYDimension):
      return judge(a, b, is: after == newSize.height, &ledger)
    case (.ifd0, ExifTag.imageWidth), (.interoperability, ExifTag.relatedImageWidth):
      let fits =
        after == newSize.width || after == exchanged(a, before, ledger)
        || before != oldSize.width && after == before
      return judge(a, b, is: fits, &ledger)
    case (.ifd0, ExifTag.imageLength), (.interoperability, ExifTag.relatedImageHeight):
      let fits =
        after == newSize.height || after == exchanged(a, before, ledger)
        || before != oldSize.height && after == before
      return judge(a, b, is: fits, &ledger)
    case (.ifd0, ExifTag.xResolution), (.ifd0, ExifTag.yResolution),
      (.exif, ExifTag.focalPlaneXResolution), (.exif, ExifTag.focalPlaneYResolution):
      guard transform.transposes, let partner = partner(a)?.value, let value = b.value else {
        return false
      }
      return ledger.original[partner] == ledger.result[value]
    case (.exif, ExifTag.subjectArea), (.exif, ExifTag.subjectLocation):
      return judgeSubject(a, b, &ledger)
    default: return false
    }
  }

  private func judge(
    _ a: TIFFBlock.Entry,
    _ b: TIFFBlock.Entry,
    is fitting: Bool,
    _ ledger: inout Ledger
  ) -> Bool {
    guard !fitting else { return true }
    let text =
      "\(a.directory.name) \(Self.name(a.tag)) is \(Self.text(b, new, ledger.result.span)), "
      + "but the image is \(sizes.new.width)×\(sizes.new.height)"
    let wasRight =
      transform != .none
      && [sizes.old.width, sizes.old.height].contains {
        old.integer(a, ledger.original.span) == Int64($0)
      }
    if !wasRight, let one = a.value, let other = b.value, ledger.isEqual(one, other) {
      ledger.note(
        "exif-dimensions-stale",
        text + "; it was already wrong in the original",
        original: one.lowerBound,
        result: other.lowerBound
      )
    } else {
      ledger.find(
        "exif-dimensions-stale",
        text,
        original: a.value?.lowerBound,
        result: b.value?.lowerBound
      )
    }
    return true
  }

  /// Returns the field for the other axis.
  private func partner(_ entry: TIFFBlock.Entry) -> TIFFBlock.Entry? {
    let pairs: [(UInt16, UInt16)] = [
      (ExifTag.imageWidth, ExifTag.imageLength),
      (ExifTag.relatedImageWidth, ExifTag.relatedImageHeight),
      (ExifTag.xResolution, ExifTag.yResolution),
      (ExifTag.focalPlaneXResolution, ExifTag.focalPlaneYResolution),
    ]
    for (x, y) in pairs where entry.tag == x || entry.tag == y {
      return old.entries(entry.directory, entry.tag == x ? y : x).first
    }
    return nil
  }

  /// Returns the value of the field for the other axis if the transform swaps the axes.
  private func exchanged(_ entry: TIFFBlock.Entry, _ before: Int64?, _ ledger: Ledger) -> Int64? {
    guard transform.transposes else { return before }
    return partner(entry).flatMap { old.integer($0, ledger.original.span) }
  }

  /// Checks SubjectArea and SubjectLocation, which may be kept or transformed with the image.
  private func judgeSubject(
    _ a: TIFFBlock.Entry,
    _ b: TIFFBlock.Entry,
    _ ledger: inout Ledger
  ) -> Bool {
    guard let one = a.value, let other = b.value, a.type == 3, b.type == 3, a.count == b.count
    else {
      return false
    }
    if ledger.original[one] == ledger.result[other] {
      if transform != .none {
        ledger.note(
          "region-kept",
          "\(Self.name(a.tag)) is unchanged and describes the image as it was stored",
          original: one.lowerBound,
          result: other.lowerBound
        )
      }
      return false
    }
    var (before, after): ([Int], [Int]) = ([], [])
    for index in 0..<Int(a.count) {
      before.append(
        Int(ledger.original.span.uint16(at: one.lowerBound + 2 * index, old.order) ?? 0)
      )
      after.append(
        Int(ledger.result.span.uint16(at: other.lowerBound + 2 * index, new.order) ?? 0)
      )
    }
    guard before.count >= 2, after.count >= 2 else { return false }
    var expected = before
    if transform.transposes {
      expected.swapAt(0, 1)
      if expected.count == 4 { expected.swapAt(2, 3) }
    }
    if transform.mirrorsX { expected[0] = sizes.new.width - expected[0] }
    if transform.mirrorsY { expected[1] = sizes.new.height - expected[1] }
    return zip(expected, after).allSatisfy { abs($0 - $1) <= 1 }
  }

  /// Returns the value of a field as text if it is a number.
  static func text(_ entry: TIFFBlock.Entry, _ block: TIFFBlock, _ bytes: Span<UInt8>) -> String {
    block.integer(entry, bytes).map { "\($0)" } ?? ""
  }

  /// Returns the name of a field in lists of differences.
  static func name(_ tag: UInt16) -> String {
    switch tag {
    case ExifTag.orientation: "orientation"
    case ExifTag.pixelXDimension: "pixel-x-dimension"
    case ExifTag.pixelYDimension: "pixel-y-dimension"
    case ExifTag.imageWidth: "image-width"
    case ExifTag.imageLength: "image-length"
    case ExifTag.rowsPerStrip: "rows-per-strip"
    case ExifTag.relatedImageWidth: "related-image-width"
    case ExifTag.relatedImageHeight: "related-image-height"
    case ExifTag.thumbnailOffset: "thumbnail-offset"
    case ExifTag.thumbnailLength: "thumbnail-length"
    case ExifTag.xResolution: "x-resolution"
    case ExifTag.yResolution: "y-resolution"
    case ExifTag.focalPlaneXResolution: "x-focal-plane-resolution"
    case ExifTag.focalPlaneYResolution: "y-focal-plane-resolution"
    case ExifTag.subjectArea: "subject-area"
    case ExifTag.subjectLocation: "subject-location"
    default: hex(tag)
    }
  }
}

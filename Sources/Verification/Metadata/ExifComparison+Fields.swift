internal import FileBytes
internal import ImageOrientation
internal import Upright

extension ExifComparison {
  /// Checks a field that a transform may or must change; nil if its bytes must be compared.
  func check(_ field: Field) -> [Observation]? {
    let entry = field.old
    let before = old.integer(entry, files.original.span)
    let after = new.integer(field.new, files.result.span)
    let (oldSize, newSize) = (integers(sizes.old), integers(sizes.new))
    let thumbnailSize = thumbnail.new?.size.map(integers)
    /// Checks a size that may be another one than that of the image.
    func checkOther(_ old: Int64, _ new: Int64) -> [Observation] {
      let isKept = before != old && after == before
      return after == new || after == exchanged(entry, before) || isKept
        ? [] : wrongSize(field, before)
    }
    let isFitting: Bool
    switch (entry.directory, entry.tag) {
    // The size in which browsers show the image is compared as a whole.
    case (.exif, ExifTag.pixelXDimension) where shownSize != nil,
      (.exif, ExifTag.pixelYDimension) where shownSize != nil:
      return []
    case (.exif, ExifTag.pixelXDimension):
      return after == newSize.width ? [] : wrongSize(field, before)
    case (.exif, ExifTag.pixelYDimension):
      return after == newSize.height ? [] : wrongSize(field, before)
    case (.ifd0, ExifTag.imageWidth), (.interoperability, ExifTag.relatedImageWidth):
      return checkOther(oldSize.width, newSize.width)
    case (.ifd0, ExifTag.imageLength), (.interoperability, ExifTag.relatedImageHeight):
      return checkOther(oldSize.height, newSize.height)
    case (.exif, ExifTag.subjectArea), (.exif, ExifTag.subjectLocation):
      return checkSubject(field)
    case (.ifd0, ExifTag.xmp), (.ifd0, ExifTag.imageResources), (.ifd0, ExifTag.iptc):
      let (a, b) = field.places
      let others = files.expectedChanges(a, b, transform, sizes)
      let packets = FurtherXMPComparison(
        files: files,
        orientation: orientation,
        transform: transform,
        sizes: sizes
      ).expectedChanges(a, b, isPacket: entry.tag == ExifTag.xmp)
      return files.compareCopies(a, b, entry.field, others: packets.changes + others).map {
        $0 + packets.observations
      }
    // A wrong value is a finding about the whole file.
    case (.ifd0, ExifTag.orientation): isFitting = after == 1
    case (.ifd1, ExifTag.orientation): isFitting = after == 1 && thumbnail.old != nil
    // The thumbnail was found by these fields.
    case (.ifd1, ExifTag.thumbnailOffset), (.ifd1, ExifTag.thumbnailLength):
      isFitting = thumbnail.new?.block.range == new.range
    case (.ifd1, ExifTag.imageWidth): isFitting = after == thumbnailSize?.width
    case (.ifd1, ExifTag.imageLength), (.ifd1, ExifTag.rowsPerStrip):
      isFitting = after == thumbnailSize?.height
    case (.ifd0, ExifTag.xResolution), (.ifd0, ExifTag.yResolution),
      (.exif, ExifTag.focalPlaneXResolution), (.exif, ExifTag.focalPlaneYResolution):
      guard transform.transposes, let partner = partner(entry)?.value else { return nil }
      isFitting = files.isEqual(partner, field.places.new)
    default: return nil
    }
    return isFitting ? [] : nil
  }

  private func integers(_ size: PixelSize) -> ImageSize<Int64> {
    ImageSize(width: Int64(size.width), height: Int64(size.height))
  }

  private func wrongSize(_ field: Field, _ before: Int64?) -> [Observation] {
    let text =
      "\(field.old.directory.name) \(ExifTag.name(field.old.tag)) is "
      + Self.text(field.new, new, files.result.span)
      + ", but the image is \(sizes.new.width)×\(sizes.new.height)"
    let wasRight =
      transform != .none
      && [sizes.old.width, sizes.old.height].contains { before == Int64($0) }
    guard !wasRight, isUnchanged(field) else { return [finding(.exifDimensionsStale, text, field)] }
    return [
      note(.exifDimensionsStale, text + "; it was already wrong in the original", field)
    ]
  }

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
  private func exchanged(_ entry: TIFFBlock.Entry, _ before: Int64?) -> Int64? {
    guard transform.transposes else { return before }
    return partner(entry).flatMap { old.integer($0, files.original.span) }
  }

  /// Checks SubjectArea and SubjectLocation, which may be kept or transformed with the image.
  private func checkSubject(_ field: Field) -> [Observation]? {
    let (a, b) = (field.old, field.new)
    let (one, other) = field.places
    guard a.type == 3, b.type == 3, a.count == b.count else { return nil }
    if isUnchanged(field) {
      guard transform != .none else { return nil }
      let text = "\(ExifTag.name(a.tag)) is unchanged and describes the image as it was stored"
      return [note(.regionKept, text, field)]
    }
    let places = (0..<Int(a.count)).map { 2 * $0 }
    let before = places.map {
      Int(files.original.span.uint16(at: one.lowerBound + $0, old.order) ?? 0)
    }
    let after = places.map {
      Int(files.result.span.uint16(at: other.lowerBound + $0, new.order) ?? 0)
    }
    guard before.count >= 2, after.count >= 2 else { return nil }
    var expected = before
    if transform.transposes {
      expected.swapAt(0, 1)
      if expected.count == 4 { expected.swapAt(2, 3) }
    }
    if transform.mirrorsX { expected[0] = sizes.new.width - expected[0] }
    if transform.mirrorsY { expected[1] = sizes.new.height - expected[1] }
    return zip(expected, after).allSatisfy { abs($0 - $1) <= 1 } ? [] : nil
  }

  /// Returns the value of a field as text if it is a number.
  static func text(_ entry: TIFFBlock.Entry, _ block: TIFFBlock, _ bytes: Span<UInt8>) -> String {
    block.integer(entry, bytes).map { "\($0)" } ?? ""
  }
}

package import ImageOrientation

/// Setting and removing the Orientation of IFD0, and blocks that contain only an Orientation.
extension TIFFBlock {
  /// Returns why an Orientation of IFD0 cannot be read and changed reliably; nil if all can.
  package func orientationProblem(_ bytes: Span<UInt8>) -> String? {
    for entry in entries(.ifd0, ExifTag.orientation) {
      if integer(entry, bytes) == nil { return "its Orientation is not an integer" }
      // The offset of several values is not trusted.
      if !entry.isInline { return "its Orientation has \(entry.count) values instead of 1" }
    }
    return nil
  }

  /// Returns the edits that set every Orientation of IFD0, keeping type and count.
  package func orientationEdits(
    to orientation: Orientation = .up,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    edits(.ifd0, ExifTag.orientation, to: Int64(orientation.rawValue), bytes)
  }

  /// Returns the edits that remove every Orientation from IFD0 without moving data that an offset refers to; nil if the
  /// directory is incomplete or shares its bytes with other data.
  ///
  /// The following entries and the offset of the next directory move up; the freed bytes become zero.
  package func orientationRemoval(_ bytes: Span<UInt8>) -> [Edit]? {
    if isCut { return nil }
    let own = entries.filter { $0.directory == .ifd0 }
    guard let removed = own.first(where: { $0.tag == ExifTag.orientation }) else { return [] }
    guard hasWholeIFD0, let first = own.first else { return nil }
    let end = first.offset + 12 * own.count
    let tail = removed.offset..<min(end + 4, range.upperBound)
    let kept = own.filter { $0.tag != ExifTag.orientation }
    var closed = kept.filter { $0.offset > removed.offset }.flatMap {
      bytes.bytes($0.offset..<$0.offset + 12)
    }
    closed += bytes.bytes(end..<tail.upperBound)
    closed += [UInt8](repeating: 0, count: tail.count - closed.count)
    let number = integer(removed, bytes).map { "\($0)" } ?? ""
    let edits = [
      Edit(
        first.offset - 2..<first.offset,
        with: UInt16(kept.count).bytes(order),
        field: Edit.Field("exif.ifd0.count", old: "\(own.count)", new: "\(kept.count)")
      ),
      Edit(
        tail,
        with: closed,
        field: Edit.Field("exif.ifd0.orientation", old: number, new: "removed")
      ),
    ]
    return claims(bytes).permits(edits) ? edits : nil
  }

  /// Returns whether the block contains only an Orientation, as one of ``exifSegment(_:)`` does.
  package func holdsOrientationAlone(_ bytes: Span<UInt8>) -> Bool {
    guard entries.count == 1, let entry = entries.first, entry.directory == .ifd0 else {
      return false
    }
    return entry.tag == ExifTag.orientation && entry.isInline && range.count == 26
      && bytes.uint32(at: entry.offset + 12) == 0
  }

  /// Returns an Exif segment that contains only an Orientation.
  package static func exifSegment(_ orientation: Orientation) -> [UInt8] {
    let entry: [UInt16] = [ExifTag.orientation, 3, 0, 1, UInt16(orientation.rawValue), 0]
    let block: [UInt8] =
      Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry.flatMap { $0.bytes(.big) }
      + [0, 0, 0, 0]
    let payload = Array("Exif\0\0".utf8) + block
    return [0xFF, 0xE1] + UInt16(payload.count + 2).bytes(.big) + payload
  }
}

internal import ImageOrientation
internal import JPEGCore

/// The edits that change the Orientation tags of a file.
struct TagEdits {
  let header: Header

  /// Returns the edits; empty if nothing changes.
  ///
  /// - Parameters:
  ///   - orientation: The new orientation, or nil to remove the tag.
  ///   - bytes: The file, or its header.
  /// - Returns: The edits, in no particular order.
  /// - Throws: ``TagEditor/Refusal``.
  func edits(
    to orientation: Orientation?,
    _ bytes: Span<UInt8>
  ) throws(TagEditor.Refusal) -> [Edit] {
    guard let orientation else { return try removal(bytes) }
    let edits = MetadataRewriter.tagEdits(header, to: orientation, bytes)
    // No Orientation means the same as 1.
    if header.hasExifOrientation(bytes) || orientation == .up { return edits }
    // XMP alone does not suffice: most viewers read only Exif.
    guard header.exif.isEmpty else { throw TagEditor.Refusal(reason: .noOrientationEntry) }
    guard mayMove(bytes) else { throw TagEditor.Refusal(reason: .noRoomForExif) }
    let place = placeForExif(bytes)
    return edits + [
      Edit(
        place..<place,
        with: TIFFBlock.exifSegment(orientation),
        field: Edit.Field("exif.segment", new: "added, Orientation \(orientation.rawValue)")
      )
    ]
  }

  /// Returns the edits that remove the tag from Exif and set it to 1 in XMP.
  private func removal(_ bytes: Span<UInt8>) throws(TagEditor.Refusal) -> [Edit] {
    var edits = header.xmp.flatMap { $0.edits($0.orientationValues()) ?? [] }
    for block in header.exif {
      if block.holdsOrientationAlone(bytes), mayMove(bytes),
        let segment = header.container.segments.first(where: {
          $0.range.contains(block.range.lowerBound)
        })
      {
        edits.append(
          Edit(segment.range, with: [], field: Edit.Field("exif.segment", new: "removed"))
        )
        continue
      }
      guard let removal = block.orientationRemoval(bytes) else {
        throw TagEditor.Refusal(reason: .sharedBytes)
      }
      edits += removal
    }
    return edits
  }

  /// Returns whether the data after the header may move, because no offsets point to it.
  private func mayMove(_ bytes: Span<UInt8>) -> Bool {
    // From a header alone it is unknown whether data follows the image.
    let isLast = !header.container.isComplete || header.container.end == bytes.count
    return isLast && header.container.segments(.multiPicture, in: bytes).isEmpty
      && !header.xmp.contains { ContainerDirectory($0) != nil }
  }

  /// Returns the offset for an Exif segment: after SOI, or after JFIF, which must come first.
  private func placeForExif(_ bytes: Span<UInt8>) -> Int {
    let segments = header.container.segments
    let jfif = segments.dropFirst().prefix {
      [.jfif, .jfifExtension].contains($0.kind(in: bytes)) && $0.marker.carriesMetadata
    }
    return (jfif.last ?? segments[0]).range.upperBound
  }
}

internal import ImageOrientation
internal import JPEGCore

/// The edits that change what a file says of its orientation: where it says it, if it does.
struct TagEdits {
  let header: Header

  /// The edits; empty where nothing changes.
  ///
  /// - Parameters:
  ///   - orientation: What the file is to say; nil where it is to say nothing.
  ///   - bytes: The file, or its header.
  /// - Returns: The edits, in no particular order.
  /// - Throws: ``TagEditor/Refusal``.
  func edits(
    to orientation: Orientation?,
    _ bytes: Span<UInt8>
  ) throws(TagEditor.Refusal) -> [Edit] {
    guard let orientation else { return try removal(bytes) }
    let edits = MetadataRewriter.tagEdits(header, to: orientation, bytes)
    // Nothing says the same as 1.
    if header.hasExifOrientation(bytes) || orientation == .up { return edits }
    // XMP alone would not do, for most viewers look at Exif only.
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

  /// The edits that take the tag out; XMP's becomes 1, which says as much.
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

  /// Whether what follows the header may move, because nothing says where it is.
  private func mayMove(_ bytes: Span<UInt8>) -> Bool {
    // Of a header alone nobody knows what follows the image.
    let isLast = !header.container.isComplete || header.container.end == bytes.count
    return isLast && header.container.segments(.multiPicture, in: bytes).isEmpty
      && !header.xmp.contains { ContainerDirectory($0) != nil }
  }

  /// Where an Exif segment belongs: after SOI, or after JFIF, which has to come first.
  private func placeForExif(_ bytes: Span<UInt8>) -> Int {
    let segments = header.container.segments
    let jfif = segments.dropFirst().prefix {
      [.jfif, .jfifExtension].contains($0.kind(in: bytes)) && $0.marker.carriesMetadata
    }
    return (jfif.last ?? segments[0]).range.upperBound
  }
}

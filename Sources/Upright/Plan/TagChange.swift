internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// A change of the Orientation tags of a file, which keeps the image.
struct TagChange {
  /// The header, with all XMP packets.
  let header: Header
  /// The edits of the tags, in no particular order.
  let edits: [Edit]
  /// Notes on copies of the tag that are kept.
  let notes: [Note]
  /// The new orientation; nil if the tag is removed.
  private let orientation: Orientation?

  /// Returns the change that sets Orientation to 1 where it exists.
  static func reset(_ header: Header, _ bytes: Span<UInt8>) -> TagChange {
    let copies = OrientationCopies(header, to: .up, bytes)
    return TagChange(
      header: header,
      edits: header.tagEdits(.up, copies, bytes),
      notes: copies.notes,
      orientation: .up
    )
  }

  /// Returns the change for the whole file; other edits if they would move data that only the whole file shows.
  func completed(_ container: Container, _ bytes: Span<UInt8>) throws(Refusal) -> TagChange {
    var header = header
    header.container = container
    let adds = edits.contains { $0.field.identifier == "exif.segment" }
    guard adds, !header.mayMove(bytes) else {
      return TagChange(header: header, edits: edits, notes: notes, orientation: orientation)
    }
    return try TagChange(header, to: orientation, bytes)
  }

  /// Returns the edits of the tags and others, with those that they require elsewhere in the file.
  func edits(
    _ policy: Options.CredentialPolicy,
    _ file: [UInt8],
    adding others: [Edit]
  ) throws(Refusal) -> [Edit] {
    let credentials = policy.edits(header, file.span)
    var edits = edits + credentials + others
    let hasMore = header.container.end < file.count
    if hasMore, let end = header.container.endOfImageOffset {
      edits.compensate(edits.totalShift, before: end)
    }
    guard edits.totalShift != 0 else { return edits }
    if hasMore, SamsungTrailer.hasAbsoluteOffsets(file, after: header.container.end) {
      throw Refusal(.absoluteOffsets)
    }
    if header.listsOwnLength {
      // A longer number can make the packet longer, once.
      for _ in 0..<2 {
        let length = header.container.end + edits.totalShift
        let change = try TagChange(header, to: orientation, file.span, length: length)
        edits = change.edits + credentials + others
      }
    }
    let index = MultiPictureIndex(header.container, file.span)
    return edits + (index?.edits(following: edits, file.span) ?? [])
  }
}

extension TagChange {
  /// Creates the change to an orientation; without edits if nothing changes.
  ///
  /// `length` is the new one of the primary image, if the container directory gives it.
  init(
    _ header: Header,
    to orientation: Orientation?,
    _ bytes: Span<UInt8>,
    length: Int? = nil
  ) throws(Refusal) {
    self.header = header
    self.orientation = orientation
    let copies = OrientationCopies(header, to: orientation ?? .up, bytes)
    notes = copies.notes
    guard let orientation else {
      edits = try header.tagRemoval(copies, bytes, length)
      return
    }
    let edits =
      try header.exifTagEdits(orientation, copies, bytes)
      + header.xmpTagEdits(orientation, length)
    // No Orientation means the same as 1.
    if orientation == .up {
      self.edits = edits
      return
    }
    if header.hasExifOrientation(bytes) {
      self.edits = edits + (try header.removalOfRepeatedIdentifiers(bytes))
      return
    }
    // XMP alone does not suffice: most viewers read only Exif.
    guard header.exif.isEmpty else { throw Refusal(.noOrientationEntry) }
    guard header.mayMove(bytes) else { throw Refusal(.noRoomForExif) }
    let place = header.placeForExif(bytes)
    self.edits =
      edits + [
        Edit(
          place..<place,
          with: TIFFBlock.exifSegment(orientation),
          field: Edit.Field("exif.segment", new: "added, Orientation \(orientation.rawValue)")
        )
      ]
  }
}

extension Header {
  /// Returns the edits that set Orientation where it exists.
  fileprivate func tagEdits(
    _ orientation: Orientation,
    _ copies: OrientationCopies,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    exifTagEdits(orientation, copies, bytes)
      + xmp.flatMap { $0.edits(tagValues(orientation, nil, in: $0)) ?? [] }
  }

  private func tagValues(
    _ orientation: Orientation,
    _ length: Int?,
    in block: XMPBlock
  ) -> [XMPBlock.Value] {
    var values =
      block.orientationValues(orientation)
      + block.rotationValues(from: self.orientation.usable, to: orientation)
    if let length, let old = ownLength(in: block) {
      values.append(.init(old, "\(length)", field: "xmp.container.0.Length"))
    }
    return values
  }

  fileprivate func exifTagEdits(
    _ orientation: Orientation,
    _ copies: OrientationCopies,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    exif.flatMap { $0.orientationEdits(to: orientation, bytes) }
      + copies.edits
  }

  /// Returns the edits that set Orientation in XMP where it exists.
  fileprivate func xmpTagEdits(
    _ orientation: Orientation,
    _ length: Int?
  ) throws(Refusal) -> [Edit] {
    var edits: [Edit] = []
    for block in xmp {
      guard let own = block.edits(tagValues(orientation, length, in: block)) else {
        throw Refusal(.noRoomInXMP)
      }
      edits += own
    }
    return edits
  }

  /// Returns the edits that remove the tag from Exif and set it to 1 in XMP.
  fileprivate func tagRemoval(
    _ copies: OrientationCopies,
    _ bytes: Span<UInt8>,
    _ length: Int?
  ) throws(Refusal) -> [Edit] {
    var edits = try xmpTagEdits(.up, length) + copies.edits
    for block in exif {
      if block.holdsOrientationAlone(bytes), mayMove(bytes),
        let segment = segment(of: block)
      {
        edits.append(.removal(segment.range, "exif.segment"))
        continue
      }
      guard let removal = block.orientationRemoval(bytes) else {
        throw Refusal(.sharedBytes)
      }
      edits += removal
    }
    return edits
  }

  /// Returns the edits after which every program finds the Orientation of Exif.
  fileprivate func removalOfRepeatedIdentifiers(_ bytes: Span<UInt8>) throws(Refusal) -> [Edit] {
    guard hidesExifOrientation(bytes) else { return [] }
    guard mayMove(bytes) else { throw Refusal(.noRoomForExif) }
    var edits: [Edit] = []
    for range in repeatedExifIdentifiers {
      guard let segment = container.segments.first(where: { $0.range.contains(range.lowerBound) })
      else { continue }
      edits.append(.removal(range, "exif.repeated-identifier"))
      edits.append(segment.lengthEdit(growingBy: -range.count, field: "exif.segment-length"))
    }
    return edits
  }

  /// Returns whether the data after the header may move, because no offsets point to it.
  fileprivate func mayMove(_ bytes: Span<UInt8>) -> Bool {
    // From a header alone it is unknown whether data follows the image.
    let isLast = !container.isComplete || container.end == bytes.count
    return isLast && container.segments(.multiPicture, in: bytes).isEmpty
      && !xmp.contains { ContainerDirectory($0) != nil }
  }

  /// Returns the offset for an Exif segment: after SOI, or after JFIF, which must come first.
  fileprivate func placeForExif(_ bytes: Span<UInt8>) -> Int {
    let segments = container.segments
    let jfif = segments.dropFirst().prefix {
      [.jfif, .jfifExtension].contains($0.kind(in: bytes)) && $0.marker.carriesMetadata
    }
    return (jfif.last ?? segments[0]).range.upperBound
  }
}

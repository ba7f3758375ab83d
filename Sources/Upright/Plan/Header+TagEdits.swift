internal import ImageOrientation
internal import JPEGCore
internal import XMPPacket

/// Changes of the Orientation tags, which keep the image.
extension Header {
  /// Returns the edits of a planned change of the tags, in no particular order, and notes on copies of the tag that are
  /// kept; no edits if nothing changes.
  ///
  /// A header alone does not show whether data follows the image, which may not move. `length` is the new one of the
  /// primary image, if the container directory gives it.
  func tagEdits(
    _ action: Action,
    _ bytes: Span<UInt8>,
    length: Int? = nil
  ) throws(Reason) -> (edits: [Edit], notes: [Note]) {
    switch action {
    case .changeTag(let orientation): try tagEdits(to: orientation, bytes, length)
    case .resetTag where length == nil: tagReset(bytes)
    case .resetTag: try tagEdits(to: .up, bytes, length)
    case .unchanged, .transform, .skip: ([], [])
    }
  }

  /// Returns the edits that set Orientation to 1 where it exists, and notes on copies that are kept.
  func tagReset(_ bytes: Span<UInt8>) -> (edits: [Edit], notes: [Note]) {
    let copies = OrientationCopies(self, to: .up, bytes)
    let xmpEdits = xmp.flatMap { $0.edits(tagValues(.up, nil, in: $0)) ?? [] }
    return (exifTagEdits(.up, copies, bytes) + xmpEdits, copies.notes)
  }

  /// Returns the edits of a planned change of the tags and others, with those that they require elsewhere in the file.
  func edits(
    _ action: Action,
    _ policy: Options.CredentialPolicy,
    _ file: [UInt8],
    adding others: [Edit]
  ) throws(Reason) -> [Edit] {
    let others = policy.edits(self, file.span) + others
    var edits = try tagEdits(action, file.span).edits + others
    let hasMore = container.end < file.count
    if hasMore, let end = container.endOfImageOffset {
      edits.compensate(edits.totalShift, before: end)
    }
    guard edits.totalShift != 0 else { return edits }
    if hasMore, SamsungTrailer.hasAbsoluteOffsets(file, after: container.end) {
      throw .absoluteOffsets
    }
    edits = try self.edits(edits) { (length) throws(Reason) in
      try tagEdits(action, file.span, length: length).edits + others
    }
    let index = MultiPictureIndex(container, file.span)
    return edits + (index?.edits(following: edits, file.span) ?? [])
  }

  private func tagEdits(
    to orientation: Orientation?,
    _ bytes: Span<UInt8>,
    _ length: Int?
  ) throws(Reason) -> (edits: [Edit], notes: [Note]) {
    let copies = OrientationCopies(self, to: orientation ?? .up, bytes)
    guard let orientation else {
      return (try tagRemoval(copies, bytes, length), copies.notes)
    }
    var edits =
      try exifTagEdits(orientation, copies, bytes) + xmpTagEdits(orientation, length)
    // No Orientation means the same as 1.
    if orientation == .up { return (edits, copies.notes) }
    if hasExifOrientation(bytes) {
      edits += try removalOfRepeatedIdentifiers(bytes)
      return (edits, copies.notes)
    }
    // XMP alone does not suffice: most viewers read only Exif.
    guard exif.isEmpty else { throw .noOrientationEntry }
    guard mayMove(bytes) else { throw .noRoomForExif }
    let place = placeForExif(bytes)
    edits.append(
      Edit(
        place..<place,
        with: TIFFBlock.exifSegment(orientation),
        field: Edit.Field("exif.segment", new: "added, Orientation \(orientation.rawValue)")
      )
    )
    return (edits, copies.notes)
  }

  private func tagValues(
    _ orientation: Orientation,
    _ length: Int?,
    in block: XMPBlock
  ) -> [XMPValue] {
    var values =
      block.orientationValues(orientation)
      + block.rotationValues(from: self.orientation.usable, to: orientation)
    if let length, let old = ownLength(in: block) {
      values.append(.init(old, "\(length)", field: "xmp.container.0.Length"))
    }
    return values
  }

  private func exifTagEdits(
    _ orientation: Orientation,
    _ copies: OrientationCopies,
    _ bytes: Span<UInt8>
  ) -> [Edit] {
    exif.flatMap { $0.orientationEdits(to: orientation, bytes) }
      + copies.edits
  }

  /// Returns the edits that set Orientation in XMP where it exists.
  private func xmpTagEdits(
    _ orientation: Orientation,
    _ length: Int?
  ) throws(Reason) -> [Edit] {
    var edits: [Edit] = []
    for block in xmp {
      guard let own = block.edits(tagValues(orientation, length, in: block)) else {
        throw .noRoomInXMP
      }
      edits += own
    }
    return edits
  }

  /// Returns the edits that remove the tag from Exif and set it to 1 in XMP.
  private func tagRemoval(
    _ copies: OrientationCopies,
    _ bytes: Span<UInt8>,
    _ length: Int?
  ) throws(Reason) -> [Edit] {
    var edits = try xmpTagEdits(.up, length) + copies.edits
    for block in exif {
      if block.holdsOrientationAlone(bytes), mayMove(bytes),
        let segment = segment(of: block)
      {
        edits.append(.removal(segment.range, "exif.segment"))
        continue
      }
      guard let removal = block.orientationRemoval(bytes) else {
        throw .sharedBytes
      }
      edits += removal
    }
    return edits
  }

  /// Returns the edits after which every program finds the Orientation of Exif.
  private func removalOfRepeatedIdentifiers(_ bytes: Span<UInt8>) throws(Reason) -> [Edit] {
    guard hidesExifOrientation(bytes) else { return [] }
    // Fill bytes keep what follows the image in its place.
    guard !hasOffsets(bytes) else { throw .noRoomForExif }
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
  private func mayMove(_ bytes: Span<UInt8>) -> Bool {
    // From a header alone it is unknown whether data follows the image.
    let isLast = !container.isComplete || container.end == bytes.count
    return isLast && !hasOffsets(bytes)
  }

  /// Returns whether the header lists images by offsets and lengths.
  private func hasOffsets(_ bytes: Span<UInt8>) -> Bool {
    !container.segments(.multiPicture, in: bytes).isEmpty
      || xmp.contains { ContainerDirectory($0) != nil }
  }

  /// Returns the offset for an Exif segment: after SOI, or after JFIF, which must come first.
  private func placeForExif(_ bytes: Span<UInt8>) -> Int {
    let segments = container.segments
    let jfif = segments.dropFirst().prefix {
      [.jfif, .jfifExtension].contains($0.kind(in: bytes)) && $0.marker.carriesMetadata
    }
    return (jfif.last ?? segments[0]).range.upperBound
  }
}

internal import FileBytes
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
    _ policy: Options.RegionPolicy,
    _ bytes: Span<UInt8>,
    length: Int? = nil
  ) throws(Reason) -> (edits: [Edit], notes: [Note]) {
    let tag: Orientation?
    switch action {
    case .changeTag(let orientation): tag = orientation
    case .resetTag: tag = .up
    case .unchanged, .transform, .skip: return ([], [])
    }
    let copies = OrientationCopies(self, to: tag ?? .up, bytes)
    let regions = RegionTagChange(self, action, policy, bytes)
    let packets = FurtherXMPEdits(self, regions.further, bytes) { block in
      (block.orientationValues(tag ?? .up), regions.values(block))
    }
    var edits = try copies.edits + packets.edits + xmpTagEdits(tag ?? .up, regions, length)
    let notes = copies.notes + packets.notes + regions.notes + regionNotes(regions)
    guard let tag else { return (try edits + tagRemoval(bytes), notes) }
    edits += exif.flatMap { $0.orientationEdits(to: tag, bytes) }
    // No Orientation means the same as 1.
    if tag == .up { return (edits, notes) }
    if hasExifOrientation(bytes) {
      edits += try removalOfRepeatedIdentifiers(bytes)
      return (edits, notes)
    }
    // XMP alone does not suffice: most viewers read only Exif.
    guard exif.isEmpty else { throw .noOrientationEntry }
    guard mayMove(bytes) else { throw .noRoomForExif }
    let place = placeForExif(bytes)
    edits.append(
      Edit(
        place..<place,
        with: TIFFBlock.exifSegment(tag),
        field: Edit.Field("exif.segment", new: "added, Orientation \(tag.rawValue)")
      )
    )
    return (edits, notes)
  }

  /// Returns the edits of a planned change of the tags and others, with those that they require elsewhere in the file.
  func edits(
    _ action: Action,
    _ options: Options,
    _ file: [UInt8],
    adding others: [Edit]
  ) throws(Reason) -> [Edit] {
    let credentials = options.contentCredentials.edits(self, file.span)
    let others = credentials + (try viewEdits(action, options.regions, file)) + others
    var edits = try tagEdits(action, options.regions, file.span).edits + others
    let hasMore = container.end < file.count
    if hasMore, let end = container.endOfImageOffset {
      edits.compensate(edits.totalShift, before: end)
    }
    guard edits.totalShift != 0 else { return edits }
    if hasMore, Trailers.hasAbsoluteOffsets(file, after: container.end) {
      throw .absoluteOffsets
    }
    edits = try self.edits(edits) { (length) throws(Reason) in
      try tagEdits(action, options.regions, file.span, length: length).edits + others
    }
    let index = MultiPictureIndex(container, file.span)
    if index?.isCut == true { throw .sharedBytes }
    return edits + (index?.edits(following: edits, file.span) ?? [])
  }

  /// Returns the edits of the tags of views that are shown together with this image.
  private func viewEdits(
    _ action: Action,
    _ regions: Options.RegionPolicy,
    _ file: [UInt8]
  ) throws(Reason) -> [Edit] {
    var edits: [Edit] = []
    for image in SecondaryImage.views(self, file.span) {
      if let obstacle = image.obstacle(beside: self) {
        throw .embeddedImage(image.role, obstacle)
      }
      guard let own = image.header else { continue }
      let changed = try own.tagEdits(action, regions, file.span).edits
      guard
        !own.sharesBytes(changed, own.thumbnails(file.span), file.span) || action == .changeTag(nil)
      else { throw .sharedBytes }
      edits += changed.prefixed(image.role.rawValue)
    }
    return edits
  }

  /// Returns the edits that set Orientation in XMP where it exists.
  private func xmpTagEdits(
    _ orientation: Orientation,
    _ regions: RegionTagChange,
    _ length: Int?
  ) throws(Reason) -> [Edit] {
    var edits: [Edit] = []
    for block in xmp {
      var values =
        block.orientationValues(orientation)
        + block.rotationValues(from: self.orientation.usable, to: orientation)
      if let length, let old = ownLength(in: block) {
        values.append(XMPValue(old, "\(length)", field: "xmp.container.0.Length"))
      }
      if let own = block.fittingEdits(values + regions.values(block)) {
        edits += own
        continue
      }
      guard let own = block.edits(values) else { throw .noRoomInXMP }
      edits += own
    }
    return edits
  }

  /// Returns the notes on regions of packets that have no room for other numbers.
  private func regionNotes(_ regions: RegionTagChange) -> [Note] {
    let isLacking = xmp.contains { block in
      let values = regions.values(block)
      return !values.isEmpty && block.fittingEdits(values) == nil
    }
    return isLacking ? [.regionsKept(in: "XMP")] : []
  }

  /// Returns the edits that remove the tag from Exif.
  private func tagRemoval(_ bytes: Span<UInt8>) throws(Reason) -> [Edit] {
    var edits: [Edit] = []
    let mayMove = mayMove(bytes)
    for block in exif {
      if block.holdsOrientationAlone(bytes), mayMove, let segment = segment(of: block) {
        edits.append(.removal(segment.range, "exif.segment"))
        continue
      }
      guard let removal = block.orientationRemoval(bytes) else { throw .sharedBytes }
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
      guard let segment = container.segment(at: range.lowerBound) else { continue }
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

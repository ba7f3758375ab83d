internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// Makes the plan for a file from its header: the only place that decides what becomes of a file.
///
/// The image of a JPEG file is decided on here; the tag of one, and files of other formats, in extensions.
struct Planner {
  let request: Request
  let options: Options
  let size: Int?

  var limits: DecodingLimits { DecodingLimits(options, size: size) }

  /// Returns the plan, or what it needs of the rest of the file.
  ///
  /// - Throws: ``UprightError``.
  func plan(_ photo: inout Photo) throws(UprightError) -> Photo.Step<Plan> {
    switch photo {
    case .other(let statements): return .done(try plan(statements))
    case .jpeg(var jpeg):
      defer { photo = .jpeg(jpeg) }
      return try plan(&jpeg)
    }
  }

  /// Returns the plan for a JPEG file, or what it needs of the rest of the file.
  ///
  /// - Throws: ``UprightError``.
  func plan(_ photo: inout JPEGPhoto) throws(UprightError) -> Photo.Step<Plan> {
    guard case .tag(let operation, let pages) = request.kind else { return try planImage(&photo) }
    return .done(try plan(operation, pages, &photo))
  }

  private func planImage(_ photo: inout JPEGPhoto) throws(UprightError) -> Photo.Step<Plan> {
    let evidence = ConflictEvidence(&photo)
    var (action, raster) = try decision(photo, evidence)
    let registered: [RegisteredData]
    do throws(Photo.Need) {
      registered =
        try raster.map { (raster) throws(Photo.Need) in
          try RegisteredDataSearch.find(
            in: &photo,
            transform: raster.transform,
            isCropped: raster.isCropped
          )
        } ?? []
    } catch { return .needs(error) }
    let misregistered = registered.filter { $0.effect == .misregistered }
    if options.registeredData == .skip, !misregistered.isEmpty {
      action = .skip(.registeredData(misregistered))
    }
    return .done(try plan(&photo, action, raster, registered, evidence))
  }

  /// Returns the plan for an action that was decided on.
  private func plan(
    _ photo: inout JPEGPhoto,
    _ action: Action,
    _ raster: RasterTransform?,
    _ registered: [RegisteredData],
    _ evidence: ConflictEvidence
  ) throws(UprightError) -> Plan {
    var plan = Plan(photo, action)
    plan.conflicts = evidence.conflicts
    plan.registeredData = registered
    guard action.rewrites else {
      plan.notes = disagreements(photo.header, photo.bytes.span)
      if case .unchanged = action, options.checksUnchanged {
        plan.estimatedMemory = Int(clamping: limits.memory(photo.header.frame, isReencoded: false))
      }
      return plan
    }
    let header = photo.headerWithAllXMP()
    let bytes = photo.bytes.span
    plan.notes = disagreements(header, bytes)
    if let reason = Reason.unread(header) {
      plan.action = .skip(reason)
      return plan
    }
    plan.notes += registered.compactMap { note($0) }
    switch plan.action {
    case .transform:
      guard let raster else { break }
      if !request.isCrop {
        for (index, thumbnail) in photo.thumbnails.enumerated()
        where thumbnail.isReencoded(with: raster.transform, of: header) {
          plan.embeddedImages[index].disposition = .reencoded
        }
      }
      if request.reliesOnTag {
        plan.contradictions = evidence.against
        plan.notes += [evidence.note].compactMap { $0 }
      }
      describe(&plan, header, raster, photo)
      plan.estimatedMemory = Int(
        clamping: limits.memory(header.frame, isReencoded: raster.isReencoded)
      )
    case .resetTag:
      let edits: [Edit]
      do throws(Reason) {
        let change = try header.tagEdits(plan.action, options.regions, bytes)
        edits = change.edits
        plan.notes += change.notes.filter { $0.code == .regionKept }
      } catch {
        plan.action = .skip(error)
        break
      }
      try complete(&plan, edits, header, photo)
    case .unchanged, .skip, .changeTag: break
    }
    return plan
  }

  /// Returns the note on registered data that is kept, or nil if nothing needs to be said.
  private func note(_ data: RegisteredData) -> Note? {
    let text: String
    switch data.effect {
    case .independent: return nil
    case .misregistered:
      text =
        "kept, but no longer fits the image: \(data.name)"
        + (request.isCrop ? "; it may show what was cut away" : "")
    case .stale where request.isCrop: text = "kept, and may show what was cut away: \(data.name)"
    case .stale: text = "kept, and shows the image as it was stored: \(data.name)"
    }
    return Note(.registeredData, text)
  }

  /// Returns the action, and the transform if the image is to be transformed; a file for which the memory does not
  /// suffice is skipped.
  private func decision(
    _ photo: JPEGPhoto,
    _ evidence: ConflictEvidence
  ) throws(UprightError) -> (Action, RasterTransform?) {
    let header = photo.header
    let bytes = photo.bytes.span
    if let reason = Self.obstacle(header, options) { return (.skip(reason), nil) }
    let then = request.then(header.displayed)
    let transform = header.transform.then(then)
    let trims = options.unaligned == .trim && request.part?.snap != .exact
    let raster = RasterTransform(
      header,
      transform,
      window: try window(header.frame, transform),
      partialMCUs: trims ? .trim : .redraw(options.redrawQuality.quality)
    )
    let isAsRequested = !raster.isCropped && raster.transform == .none
    let reset: Reason? =
      request.keepsTag ? nil : then != .none ? .asStored : Self.invalidity(header, options)
    if !isAsRequested || reset != nil || options.checksUnchanged {
      try options.checkSize(size ?? 0)
    }
    if isAsRequested {
      if let reset { return (.resetTag(reset), nil) }
      switch header.orientation {
      case .absent: return (.unchanged(.noOrientation), nil)
      case .unknown: return (.unchanged(.unknownOrientation), nil)
      case .value, .reserved, .unclear: return (.unchanged(.upright), nil)
      }
    }
    // A caller who crops the displayed image has seen it.
    let isSuspect = request.reliesOnTag && !raster.isCropped && !evidence.conflicts.isEmpty
    let conflict = isSuspect ? Reason.conflict(evidence.conflicts) : nil
    if let conflict, options.onConflict == .resetTag { return (.resetTag(conflict), nil) }
    if let reason = undecodable(header, raster) ?? dependent(header, bytes)
      ?? options.contentCredentials.refusal(header, bytes)
    {
      return (.skip(reason), nil)
    }
    if let conflict, options.onConflict == .skip { return (.skip(conflict), nil) }
    let action = try edges(photo, raster)
    if request.isPerfect, !raster.isLossless {
      throw UprightError(
        .unalignedEdge,
        "the transform is not perfect: the image size is not a multiple of the MCU size"
      )
    }
    guard case .transform = action else { return (action, nil) }
    return (action, raster)
  }

  /// Returns why it is unknown how the stored image is displayed, or nil.
  private static func obstacle(_ header: Header, _ options: Options) -> Reason? {
    if let reason = unreadable(header) ?? .unread(header) { return reason }
    switch header.orientation {
    case .absent: return header.exifProblem.map { .unreadableExif($0) }
    case .value: return nil
    case .unknown where options.resetsInvalid, .reserved where options.resetsInvalid: return nil
    case .unknown: return options.strictOrientation ? .reservedOrientation(0) : nil
    case .reserved(let value): return .reservedOrientation(value)
    case .unclear(let values): return .unclearOrientation(values)
    }
  }

  static func isUpright(_ header: Header, _ options: Options) -> Bool {
    obstacle(header, options) == nil && invalidity(header, options) == nil
      && header.transform == .none
  }

  /// Returns why Orientation is set to 1 although the image is kept, or nil.
  private static func invalidity(_ header: Header, _ options: Options) -> Reason? {
    guard options.resetsInvalid else { return nil }
    return switch header.orientation {
    case .unknown: .invalidOrientation(0)
    case .reserved(let value): .invalidOrientation(value)
    case .absent, .value, .unclear: nil
    }
  }

  /// Returns the action for the edges that the transform moves.
  private func edges(
    _ photo: JPEGPhoto,
    _ raster: RasterTransform
  ) throws(UprightError) -> Action {
    if raster.isLossless {
      // The thumbnails of a crop are regenerated.
      let thumbnails = raster.isCropped ? [] : photo.thumbnails
      if thumbnails.contains(where: { $0.isReencoded(with: raster.transform, of: photo.header) }),
        let reason = try options.refusalToReencode(.thumbnail)
      {
        return .skip(reason)
      }
      return .transform(raster.transform, .lossless)
    }
    let trimmed = raster.frame.snapped(raster.requested, for: raster.transform, .shrink)
    let loss = TrimmedEdges(of: raster.requested.size, besides: trimmed.size)
    let canTrim = trimmed.width > 0 && trimmed.height > 0
    // An exact crop permits re-encoding.
    if request.part?.snap == .exact { return .transform(raster.transform, raster.edges) }
    switch options.unaligned {
    case .redraw: return .transform(raster.transform, raster.edges)
    case .trim where canTrim: return .transform(raster.transform, raster.edges)
    case .trim, .skip: return .skip(.unalignedEdge(loss.text, canTrim: canTrim))
    case .fail: throw UprightError(.unalignedEdge, .unalignedEdge(loss.text, canTrim: canTrim))
    }
  }

  /// Returns why decoders cannot read the image, or only with warnings; nil if they can.
  private static func unreadable(_ header: Header) -> Reason? {
    let frame = header.frame
    if frame.process.isLossless || frame.process.isHierarchical {
      return .codingProcess(frame.process.description)
    }
    if frame.precision != 8 { return .samplePrecision(frame.precision) }
    if frame.height == 0 { return .heightByDNL }
    return nil
  }

  /// Returns why the coefficients of an image cannot be decoded or coded again, or nil if they can.
  private func undecodable(_ header: Header, _ raster: RasterTransform) -> Reason? {
    let frame = header.frame
    if header.container.hasDNL { return .heightByDNL }
    if frame.process.isArithmetic { return .arithmeticCoding }
    // A header does not give the number of scans, but whether one can suffice.
    let scans = header.isInterleaved ? 1 : 2
    if let reason = limits.refusal(frame, scans: scans, isReencoded: raster.isReencoded) {
      return reason
    }
    guard header.isDecodable else { return .sampling(frame.factors) }
    return nil
  }

  /// Returns which other data depends on the raster and cannot be transformed with it, or nil.
  private func dependent(_ header: Header, _ bytes: Span<UInt8>) -> Reason? {
    // A box without content refines nothing.
    if header.container.segments(.jpegXT, in: bytes).contains(where: {
      $0.payload.count > Segment.boxHeaderLength
    }) {
      return .jpegXT
    }
    if let field = header.exif.lazy.compactMap({ $0.division }).first {
      return .unreadableExif("\(field) is divided between two segments")
    }
    guard let size, let (role, damage) = SecondaryImage.outside(size, header, bytes) else {
      return nil
    }
    return .embeddedImage(role, damage)
  }

  private func describe(
    _ plan: inout Plan,
    _ header: Header,
    _ raster: RasterTransform,
    _ photo: JPEGPhoto
  ) {
    let bytes = photo.bytes.span
    plan.crop = crop(raster)
    plan.notes += header.exif.compactMap { block in
      Thumbnail.misplacement(block, bytes).map { Note(.thumbnailKept, $0) }
    }
    let metadata = MetadataUpdater(header, raster, options, keepsTag: request.keepsTag, bytes)
    let edits = metadata.edits
    plan.notes += metadata.notes
    plan.regions = metadata.regions.decisions
    let frame = FrameEdits(header.container, from: header.frame, to: raster.transformed)
    var coding = frame.headerEdits(bytes)
    if raster.transform.transposes, case .lossless = raster.partialMCUs {
      coding += (try? frame.transpositionEdits(bytes)) ?? []
    }
    let thumbnails = header.extents(of: photo.thumbnails, with: raster.transform, bytes)
    let index = MultiPictureIndex(header.container, bytes)
    guard (edits + coding).areDisjoint,
      !header.sharesBytes(edits + thumbnails, photo.thumbnails, bytes),
      index?.isShared(bytes) != true
    else {
      plan.action = .skip(.sharedBytes)
      return
    }
    plan.edits = edits + coding
    plan.metadata = Shared(metadata)
  }

  /// Returns notes on contradictions between the file's tags.
  @ListBuilder<Note>
  private func disagreements(_ header: Header, _ bytes: Span<UInt8>) -> [Note] {
    if header.orientation == .unknown, !options.strictOrientation, !options.resetsInvalid {
      Note(.unknownOrientation, "Orientation is 0 (\"unknown\"); it is treated as 1")
    }
    if let problem = header.xmpProblem {
      Note(.xmpUnreadable, "an XMP packet cannot be read: \(problem)")
    }
    if let used = header.orientation.usable?.rawValue, !header.xmp.isEmpty {
      let isExif = header.hasExifOrientation(bytes)
      for xmp in header.xmp.compactMap({ $0.orientation }) where xmp != 0 {
        if isExif, xmp != used {
          Note(
            .xmpDisagrees,
            "Orientation is \(xmp) in XMP and \(header.orientation.stated?.rawValue ?? 0) in Exif;"
              + " Exif is used"
          )
        } else if !isExif, used != 1 {
          Note(.orientationFromXMP, "Orientation is taken from XMP; Exif has none")
        }
      }
    }
  }
}

extension Reason {
  /// Returns why what the XMP of an image states is not known although others may read it; nil if it is.
  static func unread(_ header: Header) -> Reason? {
    header.xmpExcess.map { .unreadable("XMP", $0) }
  }
}

internal import ImageOrientation
internal import JPEGCore

/// Makes the plan for a file from its header.
struct Planner {
  var options: Options
  /// The transform of the displayed image, in addition to the normalization.
  var then = OrientationTransform.none
  /// The requested crop of the transformed image, or nil.
  var crop: CropRequest?
  /// The file's size in bytes, or nil if it is unknown.
  var size: Int?

  private var limits: DecodingLimits { DecodingLimits(options, size: size) }

  /// Returns the plan for a file.
  ///
  /// - Parameters:
  ///   - header: The header.
  ///   - bytes: The file, or its beginning with everything before the first scan.
  ///   - read: Returns up to `count` bytes of the file from an offset.
  /// - Returns: The plan.
  /// - Throws: ``UprightError``.
  func plan(
    _ header: Header,
    _ bytes: Span<UInt8>,
    reading read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> Plan {
    let thumbnails = header.thumbnails(bytes)
    let evidence = ConflictEvidence(header, thumbnails, bytes)
    var action = try action(header, evidence, bytes)
    let registered = try registeredData(header, action, bytes, read)
    let misregistered = registered.filter { $0.effect == .misregistered }
    if options.registeredData == .skip, !misregistered.isEmpty {
      action = .skip(.registeredData(misregistered))
    }
    let header = action.rewrites ? header.withAllXMP(bytes) : header
    var plan = Plan(
      image: ImageInfo(header.frame, header.orientation.stated),
      action: action,
      changes: [],
      embeddedImages: Inventory.thumbnails(thumbnails),
      notes: disagreements(header, bytes)
    )
    plan.conflicts = evidence.conflicts
    plan.registeredData = registered
    if action.rewrites { plan.notes += registered.compactMap { note($0) } }
    switch plan.action {
    case .transform(let transform, let edges):
      if crop == nil {
        for (index, thumbnail) in thumbnails.enumerated()
        where thumbnail.isReencoded(with: transform, of: header) {
          plan.embeddedImages[index].disposition = .reencoded
        }
      }
      // A caller who transforms the displayed image has seen it.
      if then == .none {
        plan.contradictions = evidence.against
        plan.notes += [evidence.note].compactMap { $0 }
      }
      describe(&plan, header, try self.raster(header, transform), bytes)
      var isReencoded = false
      if case .reencoded = edges { isReencoded = true }
      plan.estimatedMemory = Int(clamping: limits.memory(header.frame, isReencoded: isReencoded))
    case .resetTag:
      plan.estimatedMemory = Int(clamping: limits.memoryOfFile)
      plan.changes = MetadataRewriter.tagEdits(header, bytes).map(Change.init)
    case .unchanged where options.checksUnchanged:
      plan.estimatedMemory = Int(clamping: limits.memory(header.frame, isReencoded: false))
    case .unchanged, .skip, .changeTag: break
    }
    return plan
  }

  /// Returns the registered data of a file whose image is to be transformed.
  private func registeredData(
    _ header: Header,
    _ action: Action,
    _ bytes: Span<UInt8>,
    _ read: (_ offset: Int, _ count: Int) throws(UprightError) -> [UInt8]
  ) throws(UprightError) -> [RegisteredData] {
    guard case .transform(let transform, _) = action else { return [] }
    var search = RegisteredDataSearch(
      header,
      transform: transform,
      isCropped: try raster(header, transform).isCropped,
      bytes
    )
    try search.searchTrailer(size ?? bytes.count, bytes, read)
    return search.found
  }

  /// Returns the note on registered data that is kept, or nil if nothing needs to be said.
  private func note(_ data: RegisteredData) -> String? {
    let isCropped = crop != nil
    switch data.effect {
    case .independent: return nil
    case .misregistered:
      return "kept, but no longer fits the image: \(data.name)"
        + (isCropped ? "; it may show what was cut away" : "")
    case .stale:
      return isCropped
        ? "kept, and may show what was cut away: \(data.name)"
        : "kept, and shows the image as it was stored: \(data.name)"
    }
  }

  /// Returns the action; a file for which the memory does not suffice is skipped.
  private func action(
    _ header: Header,
    _ evidence: ConflictEvidence,
    _ bytes: Span<UInt8>
  ) throws(UprightError) -> Action {
    let action = try desiredAction(header, evidence, bytes)
    guard case .resetTag = action, let reason = limits.refusal(memory: limits.memoryOfFile) else {
      return action
    }
    return .skip(reason)
  }

  private func desiredAction(
    _ header: Header,
    _ evidence: ConflictEvidence,
    _ bytes: Span<UInt8>
  ) throws(UprightError) -> Action {
    if let reason = unreadable(header) { return .skip(reason) }
    switch header.orientation {
    case .absent:
      if let problem = header.exifProblem { return .skip(.unreadableExif(problem)) }
    case .value: break
    case .unknown where options.strictOrientation: return .skip(.reservedOrientation(0))
    case .unknown: break
    case .reserved(let value): return .skip(.reservedOrientation(value))
    case .unclear(let values): return .skip(.unclearOrientation(values))
    }
    let raster = try raster(header, header.transform.then(then))
    let isAsRequested = !raster.isCropped && raster.transform == .none
    if !isAsRequested || then != .none || options.checksUnchanged {
      try options.checkSize(size ?? 0)
    }
    if isAsRequested {
      if then != .none {
        return credentialRefusal(header, bytes).map { .skip($0) } ?? .resetTag(.asStored)
      }
      switch header.orientation {
      case .absent: return .unchanged(.noOrientation)
      case .unknown: return .unchanged(.unknownOrientation)
      case .value, .reserved, .unclear: return .unchanged(.upright)
      }
    }
    if let reason = refusal(header, raster, bytes) { return .skip(reason) }
    // A caller who transforms or crops the displayed image has seen it.
    let isBlind = then == .none && !raster.isCropped
    let conflicts = isBlind ? evidence.conflicts : []
    if !conflicts.isEmpty {
      switch options.onConflict {
      case .skip: return .skip(.conflict(conflicts))
      case .resetTag: return .resetTag(.conflict(conflicts))
      case .trustTag: break
      }
    }
    return try edges(header, raster, bytes)
  }

  /// Returns the action for the edges that the transform moves.
  private func edges(
    _ header: Header,
    _ raster: RasterTransform,
    _ bytes: Span<UInt8>
  ) throws(UprightError) -> Action {
    if raster.isLossless {
      // The thumbnails of a crop are regenerated.
      let thumbnails = raster.isCropped ? [] : header.thumbnails(bytes)
      if thumbnails.contains(where: { $0.isReencoded(with: raster.transform, of: header) }),
        let reason = try options.refusalToReencode(.thumbnail)
      {
        return .skip(reason)
      }
      return .transform(raster.transform, .lossless)
    }
    let trimmed = raster.frame.snapped(raster.requested, for: raster.transform, .shrink)
    let loss = Self.loss(
      columns: raster.requested.width - trimmed.width,
      rows: raster.requested.height - trimmed.height
    )
    // An exact crop permits re-encoding.
    if crop?.snap == .exact { return .transform(raster.transform, raster.edges) }
    switch options.unaligned {
    case .redraw: return .transform(raster.transform, raster.edges)
    case .trim where trimmed.width > 0 && trimmed.height > 0:
      return .transform(raster.transform, raster.edges)
    case .trim, .skip: return .skip(.unalignedEdge(loss))
    case .fail:
      throw UprightError(
        .unalignedEdge,
        "the image size is not a multiple of the MCU size; a lossless transform would cut off \(loss)"
      )
    }
  }

  /// Returns the transform of the primary image.
  ///
  /// - Throws: ``UprightError`` if the crop rectangle is not within the image.
  func raster(
    _ header: Header,
    _ transform: OrientationTransform
  ) throws(UprightError) -> RasterTransform {
    let trims = options.unaligned == .trim && crop?.snap != .exact
    return RasterTransform(
      header,
      transform,
      window: try window(header.frame, transform),
      partialMCUs: trims ? .trim : .redraw(options.redrawQuality.quality)
    )
  }

  /// Returns columns and rows as text.
  static func loss(columns: Int, rows: Int) -> String {
    let parts = [(columns, "column"), (rows, "row")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return parts.joined(separator: " and ") + " of pixels"
  }

  /// Returns why decoders cannot read the image, or only with warnings; nil if they can.
  private func unreadable(_ header: Header) -> Reason? {
    let frame = header.frame
    if let offset = header.container.strayByteOffset { return .strayBytes(at: offset) }
    if frame.process.isLossless || frame.process.isHierarchical {
      return .codingProcess(frame.process.description)
    }
    if frame.precision != 8 { return .samplePrecision(frame.precision) }
    if frame.height == 0 { return .heightByDNL }
    return nil
  }

  /// Returns why an image cannot be transformed, or nil if it can.
  private func refusal(
    _ header: Header,
    _ raster: RasterTransform,
    _ bytes: Span<UInt8>
  ) -> Reason? {
    let frame = header.frame
    if frame.process.isArithmetic { return .arithmeticCoding }
    var isReencoded = false
    if case .redraw = raster.partialMCUs { isReencoded = true }
    // A header does not give the number of scans, but whether one can suffice.
    let scans = max(header.container.scans.count, header.isInterleaved ? 1 : 2)
    if let reason = limits.refusal(frame, scans: scans, isReencoded: isReencoded) {
      return reason
    }
    guard header.isDecodable else { return .sampling(frame.factors) }
    // A box without content refines nothing.
    if header.container.segments(.jpegXT, in: bytes).contains(where: {
      $0.payload.count > Segment.boxHeaderLength
    }) {
      return .jpegXT
    }
    if let size, let (role, damage) = SecondaryImage.outside(size, header, bytes) {
      return .embeddedImage(role, damage)
    }
    return credentialRefusal(header, bytes)
  }

  /// Returns the reason if content credentials forbid a change of the file, or nil.
  func credentialRefusal(_ header: Header, _ bytes: Span<UInt8>) -> Reason? {
    guard options.contentCredentials == .skip, !header.credentialSegments(bytes).isEmpty else {
      return nil
    }
    return .contentCredentials
  }

  /// Adds the changes that follow from the header, and notes.
  private func describe(
    _ plan: inout Plan,
    _ header: Header,
    _ raster: RasterTransform,
    _ bytes: Span<UInt8>
  ) {
    plan.crop = crop(raster)
    plan.notes += header.exif.compactMap { Thumbnail.misplacement($0, bytes) }
    let metadata = MetadataRewriter(header: header, raster: raster, options: options)
    let (edits, notes) = metadata.edits(bytes)
    plan.notes += notes
    plan.regions = metadata.regions.decisions
    let frame = FrameRewriter(header.container, from: header.frame, to: raster.transformed)
    var coding = frame.headerEdits(bytes)
    if raster.transform.transposes, case .lossless = raster.partialMCUs {
      coding += (try? frame.transpositionEdits(bytes)) ?? []
    }
    let thumbnails = header.thumbnails(bytes).flatMap { thumbnail -> [Edit] in
      guard let size = thumbnail.size else { return [] }
      let own = header.transform(ofThumbnail: size, with: raster.transform)
      return own == .none ? [] : thumbnail.extent(bytes)
    }
    let index = MultiPictureIndex(header.container, bytes)
    guard (edits + coding).areDisjoint, !header.sharesBytes(edits + thumbnails, bytes),
      index?.isShared(bytes) != true
    else {
      plan.action = .skip(.sharedBytes)
      return
    }
    plan.changes = (edits + coding).map(Change.init).sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
  }

  /// Returns notes on contradictions between the file's tags.
  private func disagreements(
    _ header: Header,
    _ bytes: Span<UInt8>
  ) -> [String] {
    var notes: [String] = []
    if header.orientation == .unknown, !options.strictOrientation {
      notes.append("Orientation is 0 (\"unknown\"); it is treated as 1")
    }
    if let problem = header.xmpProblem { notes.append("an XMP packet cannot be read: \(problem)") }
    let isExif = header.hasExifOrientation(bytes)
    for block in header.xmp {
      guard let xmp = block.orientation, xmp != 0,
        let used = header.orientation.usable?.rawValue
      else { continue }
      if isExif, xmp != used {
        notes.append(
          "Orientation is \(xmp) in XMP and \(header.orientation.stated?.rawValue ?? 0) in Exif;"
            + " Exif is used"
        )
      } else if !isExif, used != 1 {
        notes.append("Orientation is taken from XMP; Exif has none")
      }
    }
    return notes
  }
}

extension Change {
  init(_ edit: Edit) {
    self.init(
      field: Change.Field(rawValue: edit.field.identifier),
      range: edit.range,
      replacement: edit.replacement,
      old: edit.field.old,
      new: edit.field.new
    )
  }
}

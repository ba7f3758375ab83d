internal import ImageOrientation
internal import JPEGCore

/// Decides what is done with a file, from its header alone.
struct Planner {
  var options: Options
  /// What is done, on top of making upright, to what a viewer sees.
  var then = Turn.none
  /// What part of the turned picture is kept; nil for all of it.
  var crop: CropRequest?
  /// The file's size in bytes; nil where it is not known.
  var size: Int?

  private var limits: DecodingLimits { DecodingLimits(options, size: size) }

  /// The plan for a file.
  func plan(_ header: Header, _ bytes: Span<UInt8>) throws(UprightError) -> Plan {
    let thumbnails = header.thumbnails(bytes)
    let evidence = ConflictEvidence(header, thumbnails, bytes)
    let action = try action(header, evidence, bytes)
    let header = action.rewrites ? header.withAllXMP(bytes) : header
    var plan = Plan(
      picture: Picture(header.frame, header.orientation.stated),
      action: action,
      changes: [],
      pictures: Inventory.thumbnails(thumbnails),
      notes: disagreements(header, evidence, bytes)
    )
    plan.conflicts = evidence.conflicts
    switch plan.action {
    case .turn(let turn, let edges):
      describe(&plan, header, try self.picture(header, turn), bytes)
      var isRedrawn = false
      if case .redrawn = edges { isRedrawn = true }
      plan.estimatedMemory = limits.memory(header.frame, isRedrawn: isRedrawn)
    case .resetTag:
      plan.estimatedMemory = limits.memoryOfFile
      plan.changes = MetadataRewriter.tagEdits(header, bytes).map(Change.init)
    case .nothing where options.checksUnchanged:
      plan.estimatedMemory = limits.memory(header.frame, isRedrawn: false)
    case .nothing, .leave, .changeTag: break
    }
    return plan
  }

  /// What is done, if there is memory for it.
  private func action(
    _ header: Header,
    _ evidence: ConflictEvidence,
    _ bytes: Span<UInt8>
  ) throws(UprightError) -> Action {
    let action = try desiredAction(header, evidence, bytes)
    guard case .resetTag = action, let reason = limits.refusal(memory: limits.memoryOfFile) else {
      return action
    }
    return .leave(reason)
  }

  private func desiredAction(
    _ header: Header,
    _ evidence: ConflictEvidence,
    _ bytes: Span<UInt8>
  ) throws(UprightError) -> Action {
    if let reason = unreadable(header) { return .leave(reason) }
    switch header.orientation {
    case .absent:
      if let problem = header.exifProblem { return .leave(.unreadableExif(problem)) }
    case .value: break
    case .unknown where options.strictOrientation: return .leave(.reservedOrientation(0))
    case .unknown: break
    case .reserved(let value): return .leave(.reservedOrientation(value))
    case .unclear(let values): return .leave(.unclearOrientation(values))
    }
    let picture = try picture(header, header.turn.then(then))
    let isAsWanted = !picture.isCropped && picture.turn == .none
    if !isAsWanted || then != .none || options.checksUnchanged {
      try options.checkSize(size ?? 0)
    }
    if isAsWanted {
      if then != .none {
        return credentialRefusal(header, bytes).map { .leave($0) } ?? .resetTag(.asStored)
      }
      switch header.orientation {
      case .absent: return .nothing(.noOrientation)
      case .unknown: return .nothing(.unknownOrientation)
      case .value, .reserved, .unclear: return .nothing(.upright)
      }
    }
    if let reason = refusal(header, picture, bytes) { return .leave(reason) }
    // Whoever says what to do with the picture as it is seen has looked at it.
    let isBlind = then == .none && !picture.isCropped
    let conflicts = isBlind ? evidence.conflicts : []
    if !conflicts.isEmpty {
      switch options.onConflict {
      case .skip: return .leave(.conflict(conflicts))
      case .resetTag: return .resetTag(.conflict(conflicts))
      case .trustTag: break
      }
    }
    return try edges(picture)
  }

  /// What becomes of the edges.
  private func edges(_ picture: PictureTurn) throws(UprightError) -> Action {
    if picture.isExact { return .turn(picture.turn, .exact) }
    let trimmed = picture.frame.snapped(picture.asked, for: picture.turn, .shrink)
    let loss = Self.loss(
      columns: picture.asked.width - trimmed.width,
      rows: picture.asked.height - trimmed.height
    )
    // An exact crop asks for its redraw.
    if crop?.snap == .exact { return .turn(picture.turn, picture.edges) }
    switch options.unaligned {
    case .redraw: return .turn(picture.turn, picture.edges)
    case .trim where trimmed.width > 0 && trimmed.height > 0:
      return .turn(picture.turn, picture.edges)
    case .trim, .skip: return .leave(.unalignedEdge(loss))
    case .fail:
      throw UprightError(
        .unalignedEdge,
        "the picture's edge is not a whole number of blocks, a lossless turn would lose \(loss)"
      )
    }
  }

  /// How the primary picture is turned.
  ///
  /// - Throws: ``UprightError`` when it does not hold the rectangle to crop to.
  func picture(_ header: Header, _ turn: Turn) throws(UprightError) -> PictureTurn {
    let trims = options.unaligned == .trim && crop?.snap != .exact
    return PictureTurn(
      header,
      turn,
      window: try window(header.frame, turn),
      edging: trims ? .trim : .redraw(options.redrawQuality.quality)
    )
  }

  /// Columns and rows in words.
  static func loss(columns: Int, rows: Int) -> String {
    let parts = [(columns, "column"), (rows, "row")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return parts.joined(separator: " and ") + " of pixels"
  }

  /// Why decoders do not read the picture, or not without complaint, whatever its orientation.
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

  /// Why a picture that has to be turned cannot be.
  private func refusal(
    _ header: Header,
    _ picture: PictureTurn,
    _ bytes: Span<UInt8>
  ) -> Reason? {
    let frame = header.frame
    if frame.process.isArithmetic { return .arithmeticCoding }
    var isRedrawn = false
    if case .redraw = picture.edging { isRedrawn = true }
    if let reason = limits.refusal(frame, scans: nil, isRedrawn: isRedrawn) {
      return reason
    }
    guard header.isDecodable else { return .sampling(frame.factors) }
    if !header.container.segments(.jpegXT, in: bytes).isEmpty { return .jpegXT }
    return credentialRefusal(header, bytes)
  }

  /// Why a file cannot be changed at all.
  func credentialRefusal(_ header: Header, _ bytes: Span<UInt8>) -> Reason? {
    guard options.contentCredentials == .skip, !header.credentialSegments(bytes).isEmpty else {
      return nil
    }
    return .contentCredentials
  }

  /// The changes that the header alone determines, and the notes on it.
  private func describe(
    _ plan: inout Plan,
    _ header: Header,
    _ picture: PictureTurn,
    _ bytes: Span<UInt8>
  ) {
    plan.crop = crop(picture)
    plan.notes += header.exif.compactMap { Thumbnail.misplacement($0, bytes) }
    let metadata = MetadataRewriter(header: header, picture: picture, options: options)
    let (edits, notes) = metadata.edits(bytes)
    plan.notes += notes
    let frame = FrameRewriter(header.container, from: header.frame, to: picture.turned)
    var coding = frame.headerEdits(bytes)
    if picture.turn.transposes, case .exact = picture.edging {
      coding += (try? frame.transpositionEdits(bytes)) ?? []
    }
    guard (edits + coding).areDisjoint else {
      plan.action = .leave(.sharedBytes)
      return
    }
    plan.changes = (edits + coding).map(Change.init).sorted {
      $0.range.lowerBound < $1.range.lowerBound
    }
  }

  /// What the file's own tags disagree on.
  private func disagreements(
    _ header: Header,
    _ evidence: ConflictEvidence,
    _ bytes: Span<UInt8>
  ) -> [String] {
    var notes: [String] = []
    if let note = evidence.note { notes.append(note) }
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
          "XMP says Orientation \(xmp), EXIF says \(header.orientation.stated?.rawValue ?? 0);"
            + " EXIF decides"
        )
      } else if !isExif, used != 1 {
        notes.append("the orientation comes from XMP, EXIF has none")
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

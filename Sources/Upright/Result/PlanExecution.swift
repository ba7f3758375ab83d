internal import FileBytes
internal import ImageOrientation
internal import JPEGCore

/// Executes the plan for a whole file, checks the result and puts its undo data into it.
struct PlanExecution {
  /// The file, with all XMP packets.
  let photo: Photo
  let file: [UInt8]
  let request: Request
  let options: Options
  /// How the result gets its undo data; nil if that in the file is copied.
  let requestedEmbedding: UndoEmbedding?

  /// Returns the outcome; a file of which only decoding shows a problem is skipped.
  func outcome(_ plan: Plan) throws(UprightError) -> Outcome {
    var plan = plan
    guard case .jpeg(let photo) = photo else {
      if let damage = self.photo.damage(in: file) {
        return skipped(plan, .imageStructure(damaged: damage))
      }
      guard plan.action.rewrites else { return .kept(plan) }
      var part = PhotoTransformer.Part(edits: plan.edits)
      return try checked(&part, plan)
    }
    if let metadata = plan.metadata.take() { return try transformed(photo, metadata.value, plan) }
    plan.embeddedImages = self.photo.images
    guard plan.action.rewrites else { return .kept(try unchanged(photo.header, plan)) }
    let container = photo.header.container
    guard container.isComplete else { throw .noEndOfImage(at: container.end) }
    return try tagged(photo.header, plan)
  }

  private func unchanged(_ header: Header, _ plan: Plan) throws(UprightError) -> Plan {
    var plan = plan
    guard case .unchanged = plan.action, !request.isOfTag else { return plan }
    if options.checksUnchanged { plan.notes += try check(header) }
    if !header.container.isComplete { plan.action = .skip(.noEndOfImage) }
    return plan
  }

  private func transformed(
    _ photo: JPEGPhoto,
    _ planned: MetadataUpdater,
    _ plan: Plan
  ) throws(UprightError) -> Outcome {
    var (metadata, plan) = (planned, plan)
    metadata.container = photo.header.container
    let (header, raster) = (photo.header, metadata.raster)
    // The header does not give the number of scans.
    let limits = DecodingLimits(options, size: file.count)
    if let reason = limits.refusal(raster) {
      return skipped(plan, reason)
    }
    var part: PhotoTransformer.Part
    do throws(ImageTransformer.Failure) {
      part = try PhotoTransformer(
        metadata: metadata,
        thumbnails: photo.thumbnails,
        options: options
      ).rewrite(file, removals: removals(header))
    } catch {
      switch error {
      case .failed(let error): throw request.isPossibleForTag ? error.suggestingTag : error
      case .refused(let reason): return skipped(plan, reason)
      }
    }
    plan.embeddedImages = part.images
    // The notes on the whole file have those on the metadata, which may differ.
    plan.notes.remove(planned.notes)
    plan.notes += part.notes
    if let evidence = part.evidence, request.reliesOnTag, !raster.isCropped {
      plan.weigh(evidence, options.onConflict)
    }
    switch plan.action {
    case .resetTag:
      plan.embeddedImages = self.photo.images
      plan.notes.remove(part.notes)
      let change = try? header.tagEdits(plan.action, options.regions, file.span)
      plan.edits = change?.edits ?? []
      plan.notes += change?.notes.filter { $0.code == .regionKept } ?? []
      return try tagged(header, plan)
    case .skip(let reason): return skipped(plan, reason)
    case .transform, .changeTag, .unchanged:
      return try checked(&part, plan)
    }
  }

  private func tagged(_ header: Header, _ plan: Plan) throws(UprightError) -> Outcome {
    let (file, options, removals) = (file, options, removals(header))
    let action = plan.action
    var (plan, part) = (plan, PhotoTransformer.Part())
    do throws(Reason) {
      part.edits = try header.edits(action, options, file, adding: removals)
    } catch { return skipped(plan, error) }
    part.adding = { try? header.edits(action, options, file, adding: removals + $0) }
    let shift = part.edits.totalShift
    if header.container.end < file.count, shift != 0 {
      plan.notes.append(.dataMoved("the data after the image moves", by: shift))
    }
    return try checked(&part, plan)
  }

  /// Returns the edits that remove undo data, unless it is copied.
  private func removals(_ header: Header) -> [Edit] {
    requestedEmbedding == nil ? [] : header.undoRemovals(file.span)
  }

  /// Decodes an image that is already upright, to find damage; returns what is to be noted.
  private func check(_ header: Header) throws(UprightError) -> [Note] {
    if let reason = reasonNotDecoded(header) {
      return [Note(.imageNotChecked, "the image was not checked: \(reason.explanation)")]
    }
    let info = try ImageDecoding(header.container, header.frame, file)
      .coefficients(transform: .none).1
    return Note.strayBytes(header.container, inScans: info.strayByteCount, isRewritten: false)
  }

  private func reasonNotDecoded(_ header: Header) -> Reason? {
    guard !header.frame.process.isArithmetic else { return .arithmeticCoding }
    guard header.isDecodable else { return .sampling(header.frame.factors) }
    let limits = DecodingLimits(options, size: file.count)
    return limits.refusal(header, isReencoded: false)
  }

  /// Returns the outcome of a file that is kept although it would need a change.
  func skipped(_ plan: Plan, _ reason: Reason) -> Outcome {
    var plan = plan
    plan.action = .skip(reason)
    plan.edits = []
    plan.embeddedImages = photo.images
    return .kept(plan)
  }
}

extension [Note] {
  fileprivate mutating func remove(_ others: [Note]) {
    let others = Set(others)
    removeAll { others.contains($0) }
  }
}

extension UprightError {
  /// The error; of a damaged scan, with the advice that its tag needs no decoding.
  fileprivate var suggestingTag: UprightError {
    guard code == .damagedScan else { return self }
    var error = self
    error.remedies.append(
      Remedy(.policy("tag-only", "true"), "change the tag and leave the image as it is")
    )
    return error
  }
}

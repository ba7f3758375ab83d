internal import ImageOrientation
internal import JPEGCore

/// Executes the plan for a whole file.
struct PlanExecution {
  let photo: Photo
  let file: [UInt8]
  let request: Request
  let options: Options
  /// How the result gets its undo data; nil if that in the file is copied.
  let embedding: UndoEmbedding?

  /// Returns the outcome; a file of which only decoding shows a problem is skipped.
  func outcome(_ plan: Plan) throws(UprightError) -> Outcome {
    var plan = plan
    switch photo {
    case .other:
      guard plan.action.rewrites, let change = plan.statements.take() else { return .kept(plan) }
      var part = FileRewriter.Part(edits: change.edits)
      return try check(.statements(change)).outcome(plan, &part)
    case .jpeg(let photo):
      if let metadata = plan.metadata.take() { return try transformed(photo, metadata, plan) }
      guard plan.action.rewrites else { return .kept(try unchanged(photo, plan)) }
      plan.embeddedImages = photo.images
      let container = photo.header.container
      guard container.isComplete else { throw .noEndOfImage(at: container.end) }
      return try tagged(photo, photo.header.withAllXMP(file.span), plan)
    }
  }

  private func check(_ subject: ResultCheck.Subject) -> ResultCheck {
    ResultCheck(
      file: file,
      subject: subject,
      request: request,
      options: options,
      requestedEmbedding: embedding
    )
  }

  private func unchanged(_ photo: JPEGPhoto, _ plan: Plan) throws(UprightError) -> Plan {
    var plan = plan
    plan.embeddedImages = photo.images
    guard case .unchanged = plan.action, !request.isOfTag else { return plan }
    if !photo.header.container.isComplete {
      plan.action = .skip(.noEndOfImage)
    } else if options.checksUnchanged, let reason = try reasonNotDecoded(photo.header) {
      plan.notes.append(
        Note(.imageNotChecked, "the image was not checked: \(reason.explanation)")
      )
    }
    return plan
  }

  private func transformed(
    _ photo: JPEGPhoto,
    _ planned: MetadataRewriter,
    _ plan: Plan
  ) throws(UprightError) -> Outcome {
    var (metadata, plan) = (planned, plan)
    metadata.container = photo.header.container
    let (header, raster) = (metadata.header, metadata.raster)
    // The header does not give the number of scans.
    let limits = DecodingLimits(options, size: file.count)
    if let reason = limits.refusal(raster) {
      return .kept(plan.skipped(reason, photo.images))
    }
    var rewrite: FileRewriter.Result
    do throws(ImageRewriter.Failure) {
      rewrite = try FileRewriter(
        metadata: metadata,
        thumbnails: photo.thumbnails,
        options: options
      ).rewrite(file, removals: removals(header))
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason): return .kept(plan.skipped(reason, photo.images))
      }
    }
    plan.embeddedImages = rewrite.file.images
    // The notes on the whole file have those on the metadata, which may differ.
    plan.notes.removeAll { planned.notes.contains($0) }
    plan.notes += rewrite.file.notes
    if let evidence = rewrite.evidence, request.reliesOnTag, !raster.isCropped {
      plan.weigh(evidence, options.onConflict)
    }
    switch plan.action {
    case .resetTag:
      plan.changes = header.tagReset(file.span).edits.changes
      return try tagged(photo, header, plan)
    case .skip(let reason): return .kept(plan.skipped(reason, photo.images))
    case .transform, .changeTag, .unchanged:
      return try check(.image(photo, header)).outcome(plan, &rewrite.file, rewrite.redraw)
    }
  }

  private func tagged(
    _ photo: JPEGPhoto,
    _ header: Header,
    _ plan: Plan
  ) throws(UprightError) -> Outcome {
    let (file, policy, removals) = (file, options.contentCredentials, removals(header))
    let action = plan.action
    var (plan, part) = (plan, FileRewriter.Part())
    do throws(Refusal) {
      part.edits = try header.edits(action, policy, file, adding: removals)
    } catch { return .kept(plan.skipped(error.reason, plan.embeddedImages)) }
    part.adding = { try? header.edits(action, policy, file, adding: removals + $0) }
    let shift = part.edits.totalShift
    if header.container.end < file.count, shift != 0 {
      plan.notes.append(.dataMoved("the data after the image moves", by: shift))
    }
    return try check(.image(photo, header)).outcome(plan, &part)
  }

  /// Returns the edits that remove undo data, unless it is copied.
  private func removals(_ header: Header) -> [Edit] {
    embedding == nil ? [] : header.undoRemovals(file.span)
  }

  /// Decodes an image that is already upright, to find damage; returns why it cannot be decoded, or nil.
  private func reasonNotDecoded(_ header: Header) throws(UprightError) -> Reason? {
    guard !header.frame.process.isArithmetic else { return .arithmeticCoding }
    guard header.isDecodable else { return .sampling(header.frame.factors) }
    let limits = DecodingLimits(options, size: file.count)
    if let reason = limits.refusal(header, isReencoded: false) { return reason }
    _ = try ImageDecoding(header.container, header.frame, file).coefficients(transform: .none)
    return nil
  }
}

extension JPEGPhoto {
  fileprivate var images: [EmbeddedImage] {
    EmbeddedImage.all(in: header.withAllXMP(bytes.span), bytes.span)
  }
}

extension Plan {
  func skipped(_ reason: Reason, _ images: [EmbeddedImage]) -> Plan {
    var plan = self
    plan.action = .skip(reason)
    plan.changes = []
    plan.embeddedImages = images
    return plan
  }
}

internal import ImageOrientation
internal import JPEGCore

/// Executes the plan for a whole file.
struct PlanExecution {
  let photo: Photo
  let options: Options
  var then = OrientationTransform.none

  /// Returns the outcome; a file of which only decoding shows a problem is skipped.
  func outcome(_ plan: Plan) throws(UprightError) -> Outcome {
    var plan = plan
    let work = plan.work.take()
    switch work {
    case .transform(let planned):
      return try transformed(planned.completed(photo.header.container), plan)
    case .changeTag(var change):
      plan.embeddedImages = images
      change.header.container = photo.header.container
      guard change.header.container.isComplete else {
        throw .noEndOfImage(at: change.header.container.end)
      }
      return try changingTag(change, plan)
    case nil: return .unchanged(try unchanged(plan))
    }
  }

  private func unchanged(_ plan: Plan) throws(UprightError) -> Plan {
    var plan = plan
    plan.embeddedImages = images
    guard case .unchanged = plan.action else { return plan }
    if !photo.header.container.isComplete {
      plan.action = .skip(.noEndOfImage)
    } else if options.checksUnchanged, let reason = try reasonNotDecoded() {
      plan.notes.append("the image was not checked: \(reason.explanation)")
    }
    return plan
  }

  private func transformed(
    _ planned: PlannedTransform,
    _ plan: Plan
  ) throws(UprightError) -> Outcome {
    var plan = plan
    let header = planned.metadata.header
    let check = ResultCheck(photo: photo, header: header, options: options)
    // The header does not give the number of scans.
    let limits = DecodingLimits(options, size: photo.bytes.count)
    if let reason = limits.refusal(planned.metadata.raster) {
      return .unchanged(plan.skipped(reason, images))
    }
    var rewrite: FileRewriter.Result
    do throws(ImageRewriter.Failure) {
      rewrite = try FileRewriter(planned: planned, thumbnails: photo.thumbnails, options: options)
        .rewrite(photo.bytes)
    } catch {
      switch error {
      case .failed(let error): throw error
      case .refused(let reason): return .unchanged(plan.skipped(reason, images))
      }
    }
    plan.embeddedImages = rewrite.file.images
    plan.notes = planned.notes + rewrite.file.notes
    if let evidence = rewrite.evidence, then == .none, !planned.metadata.raster.isCropped {
      plan.weigh(evidence, options.onConflict)
    }
    switch plan.action {
    case .resetTag:
      let change = TagChange.reset(header, photo.bytes.span)
      plan.changes = change.edits.changes
      return try changingTag(change, plan)
    case .skip(let reason): return .unchanged(plan.skipped(reason, images))
    case .transform, .changeTag, .unchanged:
      return try check.outcome(plan, &rewrite.file, rewrite.redraw)
    }
  }

  private func changingTag(_ change: TagChange, _ plan: Plan) throws(UprightError) -> Outcome {
    var file = FileRewriter.Part(edits: change.edits(options.contentCredentials, photo.bytes))
    return try ResultCheck(photo: photo, header: change.header, options: options)
      .outcome(plan, &file)
  }

  var images: [EmbeddedImage] {
    EmbeddedImage.all(in: photo.header.withAllXMP(photo.bytes.span), photo.bytes.span)
  }

  /// Decodes an image that is already upright, to find damage; returns why it cannot be decoded, or nil.
  private func reasonNotDecoded() throws(UprightError) -> Reason? {
    let (header, file) = (photo.header, photo.bytes)
    guard !header.frame.process.isArithmetic else { return .arithmeticCoding }
    guard header.isDecodable else { return .sampling(header.frame.factors) }
    let limits = DecodingLimits(options, size: file.count)
    if let reason = limits.refusal(header, isReencoded: false) { return reason }
    _ = try ImageDecoding(header.container, header.frame, file).coefficients(transform: .none)
    return nil
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

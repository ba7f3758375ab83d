internal import FileBytes
internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore

/// The check of the result: the last step of every operation.
extension PlanExecution {
  /// Returns the new file, or the reason why the file is unchanged; throws if the result must not be used.
  func checked(_ part: inout PhotoTransformer.Part, _ plan: Plan) throws(UprightError) -> Outcome {
    let adding = embedding == nil ? nil : part.adding
    part.adding = nil
    guard let bare = try rewrite(&part, plan) else {
      return skipped(plan, .sharedBytes)
    }
    if options.requiresUndo, bare.undo == nil { return skipped(plan, .noUndo) }
    guard let embedding else { return .rewritten(bare) }
    if let adding, let rewrite = try embedded(embedding, bare, part, adding) {
      return .rewritten(rewrite)
    }
    if embedding.isForAll, options.requiresUndo { return skipped(plan, .noUndo) }
    return .rewritten(withoutUndoData(bare))
  }

  /// Returns the checked result of edits, which it releases; nil if it does not become what it must.
  func rewrite(_ part: inout PhotoTransformer.Part, _ plan: Plan) throws(UprightError) -> Rewrite? {
    guard permits(part.edits, plan.action) else { return nil }
    let bytes = part.edits.applied(to: file)
    let isRead = photo.format == .jpeg && options.verification != .none
    let container = isRead ? try? Container(bytes.span) : nil
    // In damaged files, a value can overlap the directory that points to it.
    guard let image = image(of: bytes, container, plan) else { return nil }
    let changes = part.edits.changes(in: bytes)
    // Frees the new scans, which the result contains, before the check needs memory, unless undo data follows.
    part.edits = []
    let (verification, undo) = try verify(bytes, container, changes, part.transformed)
    return Rewrite(
      plan: plan,
      bytes: bytes,
      image: image,
      changes: changes,
      verification: verification,
      undo: undo,
      redraw: part.redraw
    )
  }

  private func permits(_ edits: [Edit], _ action: Action) -> Bool {
    photo.jpeg.map { action.permits(edits, $0.header, $0) } ?? edits.areDisjoint
  }

  /// Returns the properties of the result's image, or nil if the result does not state what it must.
  private func image(of result: [UInt8], _ container: Container?, _ plan: Plan) -> ImageInfo? {
    switch photo {
    case .jpeg(let old):
      // Its structure is that of the check, if it could be read.
      guard let container = container ?? (try? Container(result.span, extent: .header)),
        let new = try? Header(container, result.span, xmp: .orientation)
      else { return nil }
      let isDone =
        request.keepsTag
        ? new.orientation == old.header.orientation : plan.action.isDone(in: new, options)
      return isDone ? ImageInfo(new.frame, new.orientation.stated) : nil
    case .other(let old):
      guard let new = OrientationStatements(result), old.isDone(plan.action, request, in: new),
        new.image.hasContents(of: old.image, result, file)
      else { return nil }
      var image = plan.image
      image.orientation = new.shown
      return image
    }
  }

  private func verify(
    _ result: [UInt8],
    _ container: Container?,
    _ changes: [Change],
    _ transformed: [TransformedImage]
  ) throws(UprightError) -> (Rewrite.Verification, UndoRecord?) {
    guard options.verification != .none else { return (.none, nil) }
    do throws(UprightError) {
      var isChecked = false
      if options.verification == .reference {
        let check = ReferenceCheck(original: file, result: result, changes: changes)
        isChecked = true
        for image in transformed where isChecked { isChecked = try check.passes(image.raster) }
      }
      if isChecked, !options.makesUndo { return (.reference, nil) }
      let builder = UndoBuilder(
        original: file,
        result: result,
        resultContainer: container,
        changes: changes,
        images: transformed
      )
      // The coefficients can be complete even if the original's bytes cannot be restored.
      let record = try? builder.record()
      if isChecked { return (.reference, record) }
      if let record { return (.restored, record) }
      for raster in transformed { try raster.verify(file, result, changes) }
      return (.coefficients, nil)
    } catch {
      throw UprightError(
        .verification,
        "the check of the result failed, so it was discarded and the file was not changed; please report this: "
          + error.message
      )
    }
  }
}

extension Action {
  fileprivate func isDone(in result: Header, _ options: Options) -> Bool {
    guard case .changeTag(let orientation) = self else { return Planner.isUpright(result, options) }
    return result.orientation == .value(orientation ?? .up)
      || orientation == nil && result.orientation == .absent
  }
}

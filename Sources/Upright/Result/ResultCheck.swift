internal import ImageOrientation
internal import JPEGCore

/// Applies the edits of a file and checks the result: the last steps of every operation.
struct ResultCheck {
  let photo: Photo
  let header: Header
  let options: Options

  /// Returns the new file, or the reason why the file is unchanged; throws if the result must not be used.
  func outcome(
    _ plan: Plan,
    _ file: inout FileRewriter.Part,
    _ redraw: RedrawReport? = nil
  ) throws(UprightError) -> Outcome {
    guard plan.action.permits(file.edits, header, photo) else { return skipped(plan, .sharedBytes) }
    let bytes = file.edits.applied(to: photo.bytes)
    let container = options.verification == .none ? nil : try? Container(bytes.span)
    // In damaged files, a value can overlap the directory that points to it.
    guard let result = Self.header(of: bytes, container), plan.action.isDone(in: result, options)
    else { return skipped(plan, .sharedBytes) }
    let edits = file.edits.map { $0.outline }
    // Frees the new scans, which the result contains, before the check needs memory.
    file.edits = []
    let (verification, undo) = try verify(bytes, container, edits, file.transformed)
    if options.requiresUndo, undo == nil { return skipped(plan, .noUndo) }
    return .rewritten(
      Rewrite(
        plan: plan,
        bytes: bytes,
        image: ImageInfo(result.frame, result.orientation.stated),
        changes: changes(edits, bytes),
        verification: verification,
        undo: undo,
        redraw: redraw
      )
    )
  }

  /// Returns the header of the result; its structure is that of the check, if it could be read.
  private static func header(of result: [UInt8], _ container: Container?) -> Header? {
    guard let container = container ?? (try? Container(result.span, extent: .header)) else {
      return nil
    }
    return try? Header(container, result.span, xmp: .orientation)
  }

  private func changes(_ edits: [EditOutline], _ result: [UInt8]) -> [Change] {
    zip(edits, edits.replacementRanges).map { Change($0, result[$1]) }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  private func skipped(_ plan: Plan, _ reason: Reason) -> Outcome {
    .unchanged(plan.skipped(reason, EmbeddedImage.all(in: header, photo.bytes.span)))
  }

  private func verify(
    _ result: [UInt8],
    _ container: Container?,
    _ edits: [EditOutline],
    _ transformed: [TransformedImage]
  ) throws(UprightError) -> (Rewrite.Verification, UndoRecord?) {
    guard options.verification != .none else { return (.none, nil) }
    let original = photo.bytes
    do throws(UprightError) {
      var isChecked = false
      if options.verification == .reference {
        let check = ReferenceCheck(original: original, result: result, edits: edits)
        isChecked = true
        for image in transformed where isChecked { isChecked = try check.passes(image.raster) }
      }
      if isChecked, !options.makesUndo { return (.reference, nil) }
      let builder = UndoBuilder(
        original: original,
        result: result,
        resultContainer: container,
        edits: edits,
        images: transformed
      )
      // The coefficients can be complete even if the original's bytes cannot be restored.
      let record = try? builder.record()
      if isChecked { return (.reference, record) }
      if let record { return (.restored, record) }
      for raster in transformed { try raster.verify(original, result, edits) }
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

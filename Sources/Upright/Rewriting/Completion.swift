internal import JPEGCore

/// The last steps of every operation on a file: applies the edits and verifies the result.
struct Completion {
  let header: Header
  let options: Options

  /// Returns the new file, or the reason why the file is unchanged.
  ///
  /// - Parameters:
  ///   - plan: The plan that was executed.
  ///   - file: The whole file.
  ///   - rewrite: All edits of the file, with the images that they encode again; its edits are removed.
  ///   - isAsPlanned: Returns whether the result, read again, is as planned.
  /// - Returns: The outcome.
  /// - Throws: ``UprightError`` of code `verification`; the result must not be used.
  func outcome(
    _ plan: Plan,
    _ file: [UInt8],
    _ rewrite: inout FileRewriter.Result,
    isAsPlanned: ([UInt8]) -> Bool
  ) throws(UprightError) -> Outcome {
    // The removal of a tag moves the entries after it.
    let isRemoval = plan.action == .changeTag(nil)
    guard rewrite.edits.areDisjoint,
      isRemoval || !header.sharesBytes(rewrite.edits, file.span)
    else { return unchanged(plan, .sharedBytes, file) }
    let bytes = rewrite.edits.applied(to: file)
    // In damaged files, a value can overlap the directory that points to it.
    guard isAsPlanned(bytes) else { return unchanged(plan, .sharedBytes, file) }
    let edits = rewrite.edits.map { $0.outline }
    // Frees the new scans, which the result contains, before the check needs memory.
    rewrite.edits = []
    let (verification, undo) = try verify(bytes, file, edits, rewrite.transformed)
    if options.requiresUndo, undo == nil { return unchanged(plan, .noUndo, file) }
    return .rewritten(
      Rewrite(
        plan: plan,
        bytes: bytes,
        changes: changes(edits, bytes),
        verification: verification,
        undo: undo,
        redraw: rewrite.redraw
      )
    )
  }

  /// Returns the changes of the edits, in file order.
  private func changes(_ edits: [EditOutline], _ result: [UInt8]) -> [Change] {
    zip(edits, edits.replacementRanges)
      .map { edit, range in
        Change(
          field: Change.Field(rawValue: edit.field.identifier),
          range: edit.range,
          replacement: Array(result[range]),
          old: edit.field.old,
          new: edit.field.new
        )
      }
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Returns the outcome of a file that is skipped after all.
  func unchanged(_ plan: Plan, _ reason: Reason, _ file: [UInt8]) -> Outcome {
    var plan = plan
    plan.action = .skip(reason)
    plan.changes = []
    plan.embeddedImages = Inventory.images(header, file.span)
    return .unchanged(plan)
  }

  /// Checks a result as the options request.
  ///
  /// - Throws: ``UprightError`` of code `verification`; the result must not be used.
  private func verify(
    _ result: [UInt8],
    _ original: [UInt8],
    _ edits: [EditOutline],
    _ transformed: [TransformedImage]
  ) throws(UprightError) -> (Rewrite.Verification, UndoRecord?) {
    guard options.verification != .none else { return (.none, nil) }
    do throws(UprightError) {
      var isJudged = false
      if options.verification == .reference {
        isJudged = try judge(result, original, edits, transformed)
      }
      if isJudged, !options.makesUndo { return (.reference, nil) }
      let builder = UndoBuilder(
        original: original,
        result: result,
        edits: edits,
        images: transformed
      )
      // The coefficients can be complete even if the original's bytes cannot be restored.
      let record = try? builder.record()
      if isJudged { return (.reference, record) }
      if let record { return (.restored, record) }
      for raster in transformed { try raster.verify(original, result, edits) }
      return (.coefficients, nil)
    } catch {
      throw UprightError(
        .verification,
        "the result does not match the original and was discarded: \(error.message)"
      )
    }
  }

  /// Returns whether TurboJPEG could check all images whose scans were encoded again.
  ///
  /// - Throws: ``UprightError`` of code `verification` if a coefficient differs.
  private func judge(
    _ result: [UInt8],
    _ original: [UInt8],
    _ edits: [EditOutline],
    _ transformed: [TransformedImage]
  ) throws(UprightError) -> Bool {
    let check = ReferenceCheck(original: original, result: result, edits: edits)
    for image in transformed {
      guard try check.judge(image.raster) else { return false }
    }
    return true
  }
}

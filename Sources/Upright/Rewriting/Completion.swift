internal import JPEGCore

/// The last steps of every operation on a file: the edits are applied, and the result is proven.
struct Completion {
  let header: Header
  let options: Options

  /// The new file, or the reason why there is none after all.
  ///
  /// - Parameters:
  ///   - plan: The plan that was carried out.
  ///   - file: The whole file.
  ///   - rewrite: All edits of the file, with the images that they code anew; without edits afterwards.
  ///   - isAsPlanned: Whether the result, read anew, is what it was to become.
  /// - Returns: The outcome.
  /// - Throws: ``UprightError`` of code `verification`; the result must not be used.
  func outcome(
    _ plan: Plan,
    _ file: [UInt8],
    _ rewrite: inout FileRewriter.Result,
    isAsPlanned: ([UInt8]) -> Bool
  ) throws(UprightError) -> Outcome {
    guard rewrite.edits.areDisjoint else { return unchanged(plan, .sharedBytes, file) }
    let bytes = rewrite.edits.applied(to: file)
    // In damaged files a value can lie on top of what says where values are.
    guard isAsPlanned(bytes) else { return unchanged(plan, .sharedBytes, file) }
    let edits = rewrite.edits.map { $0.outline }
    // The check takes memory enough without the new scans being there twice.
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

  /// The changes that edits made, in file order.
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

  /// A file that is skipped after all.
  func unchanged(_ plan: Plan, _ reason: Reason, _ file: [UInt8]) -> Outcome {
    var plan = plan
    plan.action = .skip(reason)
    plan.changes = []
    plan.embeddedImages = Inventory.images(header, file.span)
    return .unchanged(plan)
  }

  /// Checks a result, as far as the options ask for it.
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
      // What the original's tables cannot code again may still be all there.
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

  /// Whether TurboJPEG judged all images whose scans were encoded again, and agrees.
  ///
  /// - Throws: ``UprightError`` of code `verification` if it does not agree.
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

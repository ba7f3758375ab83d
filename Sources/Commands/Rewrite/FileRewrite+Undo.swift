internal import Records
internal import Upright

/// The undo data in the result itself.
extension FileRewrite {
  /// Performs the operation on a whole file and puts the undo data into the result, if that is requested or if the file
  /// holds some.
  ///
  /// - Throws: ``UprightError``.
  func outcome(_ file: [UInt8], _ planned: PlannedPhoto? = nil) throws(UprightError) -> Outcome {
    let outcome =
      if let planned { try rewriter.rewrite(file, as: planned) } else { try rewriter.rewrite(file) }
    guard case .rewritten(var rewrite) = outcome else { return outcome }
    let hasUndo =
      if let planned { planned.photo.holdsUndoData } else { EmbeddedUndo.exists(in: file) }
    guard embedsUndo || hasUndo else { return outcome }
    if let embedded = try rewrite.embeddingUndo(of: file) { return .rewritten(embedded) }
    if embedsUndo, rewriter.options.requiresUndo {
      rewrite.plan.action = .skip(.noUndo)
      rewrite.plan.changes = []
      return .kept(rewrite.plan)
    }
    if embedsUndo, rewrite.undo != nil {
      rewrite.plan.notes.append(
        Note(
          .noUndoData,
          rewrite.image.isOfOtherFormat
            ? "the undo data is not in the file, because it is no JPEG file"
            : "the undo data is not in the file: it is too large, or the data after the image must not move"
        )
      )
    }
    // Undo data that no longer restores anything may show what was cut away.
    guard hasUndo, var bare = try rewrite.removingUndoData() else { return .rewritten(rewrite) }
    let text = "the undo data in the file is removed because it no longer fits"
    bare.plan.notes.append(Note(.undoDataRemoved, text))
    return .rewritten(bare)
  }
}

extension Reason {
  /// The file cannot hold the undo data that was requested, so replacing it would be final.
  static let noRoomForUndo = Reason(
    .noUndo,
    "only a JPEG file can hold its undo data",
    remedies: [Remedy(.action(.record), "keep it in a file of its own")]
  )
}

/// The outcome of an operation on a file.
public enum Outcome: Sendable {
  /// The file needs no change.
  case unchanged(Plan)
  /// The file would need a change, but is skipped.
  case skipped(Reason, Plan)
  /// The new file.
  case rewritten(Rewrite)

  /// The plan that was executed.
  public var plan: Plan {
    switch self {
    case .unchanged(let plan), .skipped(_, let plan): plan
    case .rewritten(let rewrite): rewrite.plan
    }
  }

  /// The new file, or nil if the file is kept.
  package var rewrite: Rewrite? {
    if case .rewritten(let rewrite) = self { rewrite } else { nil }
  }

  /// Returns the outcome of a plan by which the file is kept.
  package static func kept(_ plan: Plan) -> Outcome {
    guard case .skip(let reason) = plan.action else { return .unchanged(plan) }
    return .skipped(reason, plan)
  }

  /// Returns the outcome with another plan, whose action decides on a file that is kept.
  package func with(_ plan: Plan) -> Outcome {
    guard var rewrite else { return .kept(plan) }
    rewrite.plan = plan
    return .rewritten(rewrite)
  }
}

/// A rewritten file, with its changes and checks.
public struct Rewrite: Sendable {
  /// The plan that was executed.
  public var plan: Plan
  /// The new file.
  public var bytes: [UInt8]
  /// The image of the new file, as it was read again.
  package var image: ImageInfo
  /// Every change, in file order.
  public var changes: [Change]
  /// The check that the result passed.
  public var verification: Verification
  /// The data that restores the original from the result, or nil if that is impossible or was not requested.
  public var undo: UndoRecord?

  /// The distortion by re-encoding, or nil if the transform was lossless.
  public var redraw: RedrawReport?

  /// The check of a result before it was returned.
  public enum Verification: String, CaseIterable, Sendable {
    /// The original was restored from the result and is identical, byte for byte.
    case restored
    /// Its coefficients are equal to those of TurboJPEG's lossless transform of the original.
    case reference
    /// The result has the expected coefficients, but the identical original cannot be restored from it.
    case coefficients
    /// The result was not checked.
    case none
  }
}

/// The outcome of an operation on a file.
public enum Outcome: Sendable {
  /// The file needs no change, or is skipped.
  case unchanged(Plan)
  /// The new file.
  case rewritten(Rewrite)

  /// The plan that was executed.
  public var plan: Plan {
    switch self {
    case .unchanged(let plan): plan
    case .rewritten(let rewrite): rewrite.plan
    }
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

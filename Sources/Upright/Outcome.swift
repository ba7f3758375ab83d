/// What became of a file.
public enum Outcome: Sendable {
  /// The file stays as it is: nothing to do, or left alone.
  case unchanged(Plan)
  /// The new file.
  case rewritten(Rewrite)

  /// The plan that was carried out.
  public var plan: Plan {
    switch self {
    case .unchanged(let plan): plan
    case .rewritten(let rewrite): rewrite.plan
    }
  }
}

/// A rewritten file and all that is to say about it.
public struct Rewrite: Sendable {
  /// The plan that was carried out.
  public var plan: Plan
  /// The new file.
  public var bytes: [UInt8]
  /// Every change, in file order.
  public var changes: [Change]
}

package import Upright

/// The one word that says what became of a file, or will.
package enum Status: String, CaseIterable, Sendable {
  case nothing, planned, turned, reset, restored, restorable, left, failed

  /// The status of a file with a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - isDone: Whether it was carried out.
  package init(_ plan: Plan, isDone: Bool) {
    self =
      switch plan.action {
      case .nothing: .nothing
      case .leave: .left
      case .turn: isDone ? .turned : .planned
      case .resetTag: isDone ? .reset : .planned
      }
  }
}

package import Upright

/// The one word that says what became of a file, or will.
package enum Status: String, CaseIterable, Sendable {
  case nothing, planned, turned, cropped, reset, tagged, restored, restorable, converted
  case convertible, left, failed

  /// Whether nothing is left to do, so that a run that goes on need not look at the file again.
  package var isSettled: Bool {
    switch self {
    case .nothing, .turned, .cropped, .reset, .tagged, .restored, .converted: true
    case .planned, .restorable, .convertible, .left, .failed: false
    }
  }

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
      case .turn where isDone: plan.isCropped ? .cropped : .turned
      case .changeTag where isDone: .tagged
      case .resetTag where isDone: .reset
      case .turn, .changeTag, .resetTag: .planned
      }
  }
}

internal import PhotoFiles
internal import Reports
internal import Upright

/// What decides about a file of a page.
extension PageRow {
  /// The actions for which the page has commands.
  private static let commands: [Remedy.Action] = [.correctOrientation, .resetSidecar]

  /// Returns the policies and actions that decide about a file.
  static func remedies(_ report: FileReport, _ risks: [String]) -> [Remedy] {
    let all =
      switch report.plan?.action {
      case .skip(let reason) where reason.code == .reservedOrientation:
        [Remedy(.policy("reset-invalid", "true"), "keep it as stored and set Orientation to 1")]
          + reason.remedies
      case .skip(let reason), .resetTag(let reason): reason.remedies
      case .unchanged, .transform, .changeTag, nil:
        if let conflicts = report.facts?.conflicts, !conflicts.isEmpty {
          Reason.conflict(conflicts).remedies
        } else if risks.contains(Risk.credentials.rawValue) {
          Reason.contentCredentials.remedies
        } else {
          [Remedy]()
        }
      }
    return all.filter { remedy in
      switch remedy.step {
      case .policy: true
      case .action(let action): commands.contains(action)
      case .limit: false
      }
    }
  }
}

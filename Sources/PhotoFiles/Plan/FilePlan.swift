internal import Reports
internal import SystemPackage
package import Upright

/// What becomes of a file and of the files beside it.
package struct FilePlan: Sendable {
  /// What becomes of the photo.
  package var photo: Plan
  /// What becomes of each file beside it.
  package var steps: [Step] = []

  /// What becomes of one file beside a photo.
  package struct Step: Sendable {
    /// The file and the decision.
    package var companion: CompanionResult
    /// What is to be done; nil if the file stays as it is.
    var work: Work?
  }

  /// What is to be done with a file beside a photo.
  enum Work: Sendable {
    /// Its new content is written: in place, or beside the output.
    case write(PairReplacement.SidecarMember, Sidecar.Update?)
    /// An interrupted run is completed.
    case complete
  }

  /// The companions, as they are reported.
  package var companions: [CompanionResult] { steps.map(\.companion) }

  /// Returns the update of a sidecar that was read before and has not changed since, for the same change of the photo.
  func update(of file: SidecarFile, for plan: Plan) -> Sidecar.Update? {
    guard photo.action == plan.action, photo.crop == plan.crop else { return nil }
    for case .write(let member, let update?) in steps.compactMap(\.work)
    where member.path == file.path && update.original == file.bytes {
      return update
    }
    return nil
  }
}

internal import FileSystem
internal import Reports
internal import SystemPackage
internal import Upright

/// What an undo does with a file and its sidecars.
struct UndoPlan {
  /// What becomes of the photo.
  var photo: FileReport.Undo
  /// What becomes of each file beside it.
  var steps: [FilePlan.Step] = []
}

/// What records say of a photo's sidecars.
struct RestoredSidecars {
  /// Those of which the record has the original.
  var restored: [PairReplacement.SidecarMember] = []
  /// Recorded ones that were changed since or do not exist any more.
  var lost: [(path: FilePath, exists: Bool)] = []
}

extension FilePlanner {
  /// Decides what an undo does with a file.
  ///
  /// - Parameters:
  ///   - undo: What the records, or the undo data in the file, say of it.
  ///   - isNew: Whether its original was restored in memory.
  ///   - path: The file.
  ///   - identity: The version of it that was read.
  ///   - sidecars: What the records say of its sidecars.
  ///   - target: Where the original is written.
  /// - Returns: What is done with photo and sidecars.
  func plan(
    _ undo: FileReport.Undo,
    isNew: Bool,
    _ path: FilePath,
    _ identity: FileIdentity,
    _ sidecars: RestoredSidecars,
    to target: Destination
  ) -> UndoPlan {
    var decided = UndoPlan(photo: undo)
    // A photo that was upright has no record, and its sidecar may have one.
    if undo.reason == .noRecord, !sidecars.restored.isEmpty {
      decided.photo = .init(status: .unchanged, reason: .noRecord)
    }
    do throws(Reason) {
      if target.isInPlace {
        if isNew { try checkReplacement(of: path, identity) }
        if isNew, let changed = sidecars.lost.first(where: \.exists)?.path {
          throw .sidecarChanged(changed)
        }
        for sidecar in sidecars.restored {
          let subject = "the sidecar \(sidecar.path.escaped)"
          try checkReplacement(of: sidecar.path, sidecar.rights.identity, subject)
        }
      }
    } catch {
      return UndoPlan(photo: .init(status: .skipped, reason: error))
    }
    if isNew {
      decided.steps = sidecars.lost.map { sidecar in
        let cause: Companion.Cause = sidecar.exists ? .changedSince : .missing
        return FilePlan.Step(companion: CompanionResult(sidecar: sidecar.path, .leave, cause))
      }
    }
    decided.steps += sidecars.restored.map { member in
      FilePlan.Step(
        companion: CompanionResult(sidecar: member.path, .restore),
        work: .write(member, nil)
      )
    }
    return decided
  }
}

internal import FileSystem
internal import ImageFormats
internal import Records
internal import Reports
internal import SystemPackage
package import Upright

/// Decides what becomes of a file and of the files beside it.
///
/// Audits, dry runs, runs and undos ask it. They differ in the policy and in what they know of the file, not in the order of
/// these questions. What cannot be kept right together with the photo is a reason to leave the photo, too.
package struct FilePlanner: Sendable {
  /// What is requested.
  let policy: FilePolicy
  /// The options of the photo's plan.
  let options: Options

  /// Decides for a file with a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan of the photo.
  ///   - group: The photo and the files beside it.
  ///   - target: Where the result is written.
  ///   - former: What was decided from the header, whose updates of sidecars are used again.
  /// - Returns: The plans of photo and companions.
  /// - Throws: ``FileError``, if it cannot be found out what a companion is, or whose.
  package func plan(
    _ plan: Plan,
    _ group: PhotoGroup,
    to target: Destination,
    former: FilePlan? = nil
  ) throws -> FilePlan {
    var decided = FilePlan(photo: plan)
    decided.steps = try steps(&decided.photo, group, to: target, former: former)
    return decided
  }

  /// Decides for a file with a plan, which is changed if the photo is skipped.
  ///
  /// - Returns: The plans of the companions.
  func steps(
    _ plan: inout Plan,
    _ group: PhotoGroup,
    to target: Destination,
    former: FilePlan? = nil
  ) throws -> [FilePlan.Step] {
    do {
      if target.isInPlace, plan.action.rewrites {
        try checkReplacement(of: group.photo.path, group.identity)
        if policy.embedsUndo, !policy.keepsRecord, group.format != .jpeg {
          throw Reason.noRoomForUndo
        }
      }
      guard policy.sidecars != .ignore else { return [] }
      let others = target.isInPlace ? try neighbours(of: group, plan) : []
      return try sidecars(of: group, plan, target, former) + others
    } catch let reason as Reason {
      if plan.action.rewrites { plan.skip(for: reason) }
      plan.action = .skip(reason)
      return policy.sidecars == .ignore ? [] : try kept(group.sidecars, plan, target)
    }
  }

  // MARK: The photo

  /// Throws why a file is not replaced.
  func checkReplacement(
    of path: FilePath,
    _ identity: FileIdentity,
    _ subject: String = "the file"
  ) throws(Reason) {
    if let protection = policy.protection.protection(of: path, identity) {
      throw .writeProtected(protection, identity, subject)
    }
    if policy.replacement.refusesLinks(path, identity) { throw .hardLinked(subject) }
  }

  /// Throws why a sidecar is not replaced.
  private func checkReplacement(of sidecar: SidecarFile) throws(Reason) {
    try checkReplacement(
      of: sidecar.path,
      sidecar.rights.identity,
      "the sidecar \(sidecar.name)"
    )
  }

  /// Throws why a sidecar is not changed: no file would hold its undo data.
  private func checkUndo(of sidecar: SidecarFile) throws(Reason) {
    if policy.embedsUndo, !policy.keepsRecord { throw .noRoomForUndo(of: sidecar.path) }
  }

  // MARK: Neighbours

  /// Decides about the files of other programs, all of which stay as they are.
  private func neighbours(of group: PhotoGroup, _ plan: Plan) throws -> [FilePlan.Step] {
    // Those that are updated are sidecars.
    let found = try group.neighbours(of: plan).filter {
      !$0.isUpdatable || policy.sidecars != .update
    }
    if plan.action.rewrites { try checkPending(group.sidecars.compactMap(\.file)) }
    if let reason = found.lazy.compactMap({ Reason($0) }).first { throw reason }
    return found.map { neighbour in
      let isOfShot = neighbour.kind.effect == .counterpart
      return FilePlan.Step(
        companion: CompanionResult(neighbour, isOfShot ? .sameShot : .mayBeOutdated)
      )
    }
  }

  // MARK: Sidecars

  /// Whether the sidecars of interrupted runs are completed; a run has done it before it decides.
  private var completes: Bool { policy.isDry && policy.sidecars == .update }

  /// Throws why sidecars of interrupted runs are not completed.
  private func checkPending(_ sidecars: [SidecarFile]) throws(Reason) {
    if policy.sidecars == .update {
      for sidecar in sidecars where sidecar.isPending { try checkReplacement(of: sidecar) }
    }
    if !completes, let reason = Reason(pending: sidecars) { throw reason }
  }

  private func sidecars(
    of group: PhotoGroup,
    _ plan: Plan,
    _ target: Destination,
    _ former: FilePlan?
  ) throws -> [FilePlan.Step] {
    guard plan.action.rewrites else { return try kept(group.sidecars, plan, target) }
    let others = try group.otherSidecars().map { path in
      FilePlan.Step(companion: CompanionResult(sidecar: path, .leave, .format))
    }
    return try group.sidecars.map { try changed($0, plan, target, former) } + others
  }

  /// Whether sidecars are written, too.
  private func writes(_ target: Destination) -> Bool {
    if case .standardOutput = target { return false }
    return policy.sidecars == .update
  }

  /// Decides about a sidecar of a photo that is rewritten.
  private func changed(
    _ sidecar: SidecarFile.Found,
    _ plan: Plan,
    _ target: Destination,
    _ former: FilePlan?
  ) throws -> FilePlan.Step {
    let file: SidecarFile
    switch sidecar {
    case .foreign(let path, let owner):
      var companion = CompanionResult(sidecar: path, .leave, .ofAnother)
      companion.owner = owner
      return FilePlan.Step(companion: companion)
    case .unreadable(let path, let error): return try unreadable(path, error, target)
    case .file(let found): file = found
    }
    let update: Sidecar.Update?
    do throws(UprightError) {
      update =
        if let known = former?.update(of: file, for: plan) {
          known
        } else {
          try file.normalized(for: plan, options: options)
        }
    } catch {
      return try unreadable(file.path, error, target)
    }
    if writes(target), let reason = Reason(misfitOf: file, plan, options) { throw reason }
    var companion = CompanionResult(file, .leave, .fits)
    companion.notes = file.notes(for: plan, options)
    guard let update else {
      if case .file = target, writes(target) { return copy(file, companion.notes) }
      if !companion.notes.isEmpty { companion.cause = .kept }
      return FilePlan.Step(companion: companion)
    }
    companion.orientation = file.orientation(otherThanOf: plan)
    guard writes(target) else {
      (companion.cause, companion.notes) = (.outdated, [])
      companion.owner = try? file.sharing()
      if companion.owner == nil { companion.remedies = [.updateSidecar(file.isWorldFile)] }
      return FilePlan.Step(companion: companion)
    }
    if let owner = try file.sharing() { throw Reason(sidecar: file, sharedBy: owner) }
    if target.isInPlace {
      try checkReplacement(of: file)
      try checkUndo(of: file)
    }
    (companion.action, companion.cause) = (.update, nil)
    return FilePlan.Step(companion: companion, work: .write(file.member(update.bytes), update))
  }

  private func unreadable(
    _ path: FilePath,
    _ error: any Error,
    _ target: Destination
  ) throws -> FilePlan.Step {
    let failure = UprightError(any: error)
    if writes(target) {
      // It may be readable the next time.
      guard error.isLasting else { throw error }
      throw Reason(sidecar: path, failure)
    }
    var companion = CompanionResult(sidecar: path, .leave, .unreadable)
    companion.error = failure
    return FilePlan.Step(companion: companion)
  }

  private func copy(_ file: SidecarFile, _ notes: [Note] = []) -> FilePlan.Step {
    var companion = CompanionResult(file, .copy)
    companion.notes = notes
    return FilePlan.Step(companion: companion, work: .write(file.member(file.bytes), nil))
  }

  /// Decides about the sidecars of a photo that stays as it is, or is copied as it is.
  private func kept(
    _ sidecars: [SidecarFile.Found],
    _ plan: Plan,
    _ target: Destination
  ) throws -> [FilePlan.Step] {
    guard !sidecars.isEmpty else { return [] }
    var isUpright = false
    if case .unchanged = plan.action { isUpright = true }
    let steps = try sidecars.map { sidecar in
      var companion: CompanionResult
      switch sidecar {
      case .foreign(let path, let owner):
        companion = CompanionResult(sidecar: path, .leave, .ofAnother)
        companion.owner = owner
      case .unreadable(let path, let error):
        if case .file = target, isUpright { return try unreadable(path, error, target) }
        companion = CompanionResult(sidecar: path, .leave, .photoUnchanged)
        companion.error = UprightError(any: error)
      case .file(let file):
        if case .file = target, writes(target), isUpright || policy.copiesSkipped {
          return copy(file)
        }
        if isUpright, target.isInPlace, let step = try reset(file, plan) { return step }
        companion = CompanionResult(file, .leave, .photoUnchanged)
        if case .skip = plan.action { companion.orientation = file.orientation(otherThanOf: plan) }
      }
      return FilePlan.Step(companion: companion)
    }
    if isUpright {
      let left = zip(sidecars, steps).filter { $1.work == nil || $1.companion.action == .copy }
        .compactMap(\.0.file)
      if target.isInPlace { try checkPending(left) }
      if let reason = Reason(pending: left) ?? Reason(conflictOf: left, plan) { throw reason }
    }
    return steps
  }

  /// Decides about the sidecar of an upright photo that states something else, or that an interrupted run has left.
  private func reset(_ file: SidecarFile, _ plan: Plan) throws -> FilePlan.Step? {
    if file.isPending, completes {
      try checkReplacement(of: file)
      return FilePlan.Step(companion: CompanionResult(file, .complete), work: .complete)
    }
    guard policy.sidecars == .update, !file.isPending,
      let update = try? file.normalized(for: plan, options: options), try file.sharing() == nil
    else { return nil }
    try checkReplacement(of: file)
    try checkUndo(of: file)
    return FilePlan.Step(
      companion: CompanionResult(file, .reset),
      work: .write(file.member(update.bytes), update)
    )
  }
}

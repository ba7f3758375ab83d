internal import FileSystem
internal import ImageFormats
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The update of the sidecars together with their photo.
extension FileRewrite {
  /// A sidecar update that accompanies a rewrite.
  struct SidecarUpdate {
    var file: SidecarFile
    var update: Sidecar.Update
    /// A remark for people.
    var remark: String
  }

  /// Finds the sidecars of a photo of a format, and completes their replacement if a run was interrupted before it.
  ///
  /// - Returns: The files, and the sidecars that were replaced.
  /// - Throws: ``SidecarError``, if one cannot be replaced, and ``FileError``, if it cannot be found out whose one is.
  func sidecars(
    beside places: [Walk.Found],
    _ format: ImageFormat,
    _ target: Destination
  ) throws -> (found: [SidecarFile.Found], completed: [SidecarFile]) {
    guard sidecars != .ignore else { return ([], []) }
    let found = try SidecarFile.find(beside: places, format.sidecars)
    guard target.isInPlace, sidecars == .update, !dryRun else { return (found, []) }
    let completed = try found.compactMap(\.file).filter { file in
      try PairFile(of: file.path, file.photo).complete(with: replacement, protection)
    }
    guard !completed.isEmpty else { return (found, []) }
    return (try SidecarFile.find(beside: places, format.sidecars), completed)
  }

  /// Whether this is the dry run of a run that completes what an interrupted one has left of a sidecar.
  func wouldComplete(_ target: Destination) -> Bool {
    target.isInPlace && dryRun && sidecars == .update
  }

  /// What is beside a photo, as far as it matters for a plan.
  struct Companions {
    var sidecars: [SidecarFile.Found]
    /// The sidecars of which the replacement was completed, after a run was interrupted before it.
    var completed: [SidecarFile]
    var neighbours: [Neighbour]
  }

  /// Returns the paths beside which the companions of a photo are.
  func places(of photo: Walk.Found, _ target: Destination) throws(FileError) -> [Walk.Found] {
    // A link that is replaced leaves what belongs to its target.
    let places = target.isInPlace && replacement.replacesLinks ? [photo] : try photo.places()
    return places.map { $0.withSurroundings() }
  }

  /// Finds what is beside a photo of a format, and changes the plan if the photo is skipped because of it.
  func companions(
    beside places: [Walk.Found],
    _ format: ImageFormat,
    _ target: Destination,
    _ plan: inout Plan
  ) throws -> Companions {
    let (sidecars, completed) = try sidecars(beside: places, format, target)
    let found = Companions(
      sidecars: sidecars,
      completed: completed,
      neighbours: target.isInPlace ? try neighbours(beside: places, plan, sidecars) : []
    )
    guard target.isInPlace else { return found }
    if let reason = Reason(pending: wouldComplete(target) ? [] : sidecars.compactMap(\.file))
      ?? found.neighbours.lazy.compactMap(\.reason).first
    {
      plan.skip(for: reason)
    }
    for sidecar in sidecars.compactMap(\.file)
    where try update(of: .file(sidecar), plan, target) != nil {
      plan = plan.respecting(
        protection,
        of: sidecar.path,
        sidecar.rights.identity,
        "the sidecar \(sidecar.name)"
      )
    }
    return found
  }

  /// Returns the files beside a photo that will not fit it.
  func neighbours(
    beside places: [Walk.Found],
    _ plan: Plan,
    _ found: [SidecarFile.Found]
  ) throws -> [Neighbour] {
    guard sidecars != .ignore else { return [] }
    return try Neighbour.find(beside: places, plan, found.compactMap(\.file)).filter {
      !$0.isUpdatable || sidecars != .update
    }
  }

  /// Returns the update of a sidecar, or nil if it is unchanged.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, if it is to be updated and cannot be read or may be that of
  ///   another photo.
  func update(
    of sidecar: SidecarFile.Found,
    _ plan: Plan,
    _ target: Destination
  ) throws -> SidecarUpdate? {
    if case .standardOutput = target { return nil }
    guard plan.action.rewrites, let file = try updated(sidecar),
      let update = try file.normalized(for: plan, options: rewriter.options)
    else { return nil }
    if let sharing = try file.sharing() {
      throw UprightError(
        .unsupported,
        "the sidecar \(file.name) \(sharing): give each photo a file of its own"
      )
    }
    let remark = file.disagreement(with: plan) + file.kept(by: plan, rewriter.options)
    return SidecarUpdate(file: file, update: update, remark: remark)
  }

  /// Replaces a photo and its sidecars; returns the attributes that the new photo could not be given.
  func replace(
    _ photo: PairReplacement.Member,
    with updates: [SidecarUpdate],
    _ report: inout FileReport
  ) throws -> [LostAttribute] {
    for (file, update) in updates.map({ ($0.file, $0.update) }) {
      let modified = file.rights.identity.modificationTime
      try record?.append {
        Record(of: update, path: file.path, output: nil, modified: modified, in: $0)
      }
    }
    let outcome = try PairReplacement(replacement: replacement).replace(
      photo,
      updates.map { $0.file.member($0.update.bytes) }
    )
    for update in updates {
      report.add(
        update.file.path,
        outcome,
        "updated" + update.remark,
        completedBy: "the next run with --sidecars update"
      )
    }
    // This error says that the photo is in place; the next run replaces the sidecars.
    if let failure = outcome.failure { throw failure }
    return outcome.lost
  }

  /// A sidecar next to an output: the updated one, or a copy of one that needs no update.
  struct OutputSidecar {
    var member: PairReplacement.SidecarMember
    var update: Sidecar.Update?
  }

  /// Returns what is created next to an output for a sidecar; nil for none.
  ///
  /// - Throws: Why the sidecar cannot be read.
  func copy(of sidecar: SidecarFile.Found, _ update: Sidecar.Update?) throws -> OutputSidecar? {
    try updated(sidecar).map {
      OutputSidecar(member: $0.member(update?.bytes ?? $0.bytes), update: update)
    }
  }

  /// Creates a sidecar next to an output.
  ///
  /// - Throws: ``FileError``, ``SidecarError`` or ``UprightError``.
  func create(
    _ sidecar: OutputSidecar,
    beside output: FilePath,
    _ report: inout FileReport
  ) throws {
    let member = sidecar.member
    let copy = try path(of: member, beside: output)
    // Beside a link, another may have the same name.
    guard !report.outputSidecars.contains(where: { $0.path == copy }) else { return }
    report.outputSidecars.append((copy, Digest(of: member.bytes)))
    if let update = sidecar.update {
      let modified = member.rights.identity.modificationTime
      try record?.append {
        Record(of: update, path: member.path, output: copy, modified: modified, in: $0)
      }
      report.addSidecar("updated sidecar: \(TextFormat.path(copy))")
    } else if holdsFile(copy, member.bytes) {
      return
    }
    _ = try create(member, beside: output)
  }

  /// Returns a sidecar that is updated or copied with its photo, or nil; throws why it cannot be read.
  private func updated(_ sidecar: SidecarFile.Found) throws -> SidecarFile? {
    guard sidecars == .update else { return nil }
    if case .unreadable(let error) = sidecar { throw error }
    return sidecar.file
  }

  /// Reports what would be done with the sidecars.
  ///
  /// - Throws: ``FileError``, ``UprightError`` or ``SidecarError``, if the file would fail because of a sidecar.
  func predict(
    _ sidecars: [SidecarFile.Found],
    _ plan: Plan,
    _ target: Destination,
    _ report: inout FileReport
  ) throws {
    var others: [SidecarFile.Found] = []
    for sidecar in sidecars {
      if let update = try update(of: sidecar, plan, target) {
        try check(update.file.member(update.update.bytes), target)
        report.addSidecar("the sidecar \(update.file.name) will be updated" + update.remark)
        continue
      }
      if case .file = target, !rewriter.request.isCrop || plan.action.rewrites,
        let file = try updated(sidecar)
      {
        try check(file.member(file.bytes), target)
      }
      others.append(sidecar)
    }
    try attend(to: others, plan, target, &report)
  }

  /// Reports sidecars that do not match their photo any more, or resets those of one that is already upright.
  ///
  /// - Throws: ``FileError`` or ``SidecarError``, if one of an upright photo cannot be reset, or it cannot be found out whose it is.
  func attend(
    to sidecars: [SidecarFile.Found],
    _ plan: Plan,
    _ target: Destination,
    _ report: inout FileReport
  ) throws {
    let rewrites = plan.action.rewrites
    var files: [SidecarFile] = []
    for sidecar in sidecars {
      switch sidecar {
      case .unreadable(let error) where rewrites:
        report.addSidecar(FileReport.Failure(any: error).message)
      case .foreign(let path, let remark) where rewrites && self.sidecars == .update:
        report.add(Note(.paired, "\(TextFormat.path(path)) \(remark), and is not changed"))
      default: break
      }
      guard let file = sidecar.file else { continue }
      let update: Sidecar.Update?
      do throws(UprightError) {
        update = try file.normalized(for: plan, options: rewriter.options)
      } catch {
        report.addSidecar(error.message)
        continue
      }
      if rewrites {
        guard update != nil else {
          let kept = file.kept(by: plan, rewriter.options)
          if !kept.isEmpty { report.addSidecar("the sidecar \(file.name) is not changed" + kept) }
          continue
        }
        let (text, remedies) = file.note(for: plan, isDone: report.isDone)
        report.addSidecar(Advice.completed(text, remedies))
      } else if let update, target.isInPlace, self.sidecars == .update,
        !(dryRun && file.isPending), try file.sharing() == nil
      {
        let identity = file.rights.identity
        if let protection = protection.protection(of: file.path, identity) {
          let subject = "the sidecar \(file.name)"
          report.skip(for: Advice.completed(.writeProtected(protection, identity, subject)))
          continue
        }
        if dryRun {
          try check(file.member(update.bytes), target)
        } else {
          try reset(file, update)
        }
        let verb = dryRun ? "will be" : "was"
        report.addSidecar("the Orientation of the sidecar \(file.name) \(verb) set to 1")
      } else {
        files.append(file)
      }
    }
    if wouldComplete(target) {
      for file in files where file.isPending {
        report.addSidecar(
          "the sidecar \(file.name) will be updated, to complete an interrupted run"
        )
      }
      files.removeAll(where: \.isPending)
    }
    if let reason = Reason(pending: files) ?? Reason(conflictOf: files, plan) {
      report.skip(for: reason)
    }
  }

  /// Replaces only a sidecar.
  private func reset(_ file: SidecarFile, _ update: Sidecar.Update) throws {
    let modified = file.rights.identity.modificationTime
    try record?.append {
      Record(of: update, path: file.path, output: nil, modified: modified, in: $0)
    }
    _ = try SidecarError.of { () throws(FileError) in
      try replacement.replace(
        file.path,
        readAs: file.rights.identity,
        file.bytes,
        with: update.bytes
      )
    }
  }
}

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

/// The update of the sidecar together with its photo.
extension FileRewrite {
  /// The sidecar of a photo, or why it cannot be read.
  enum FoundSidecar {
    case none
    case file(SidecarFile)
    /// It was replaced just now, to complete an interrupted run.
    case finished(SidecarFile)
    case unreadable(any Error)

    /// The sidecar, or nil if there is none that can be read.
    var file: SidecarFile? {
      switch self {
      case .file(let file), .finished(let file): file
      case .none, .unreadable: nil
      }
    }
  }

  /// A sidecar update that accompanies a rewrite.
  struct SidecarUpdate {
    var file: SidecarFile
    var update: Sidecar.Update
    /// A remark for people.
    var remark: String
  }

  /// Finds the sidecar of a photo of a format, and completes its replacement if a run was interrupted before it.
  ///
  /// - Throws: ``SidecarError``, if it cannot be replaced.
  func sidecar(
    of photo: Walk.Found,
    _ format: ImageFormat,
    _ target: Destination
  ) throws -> FoundSidecar {
    let kinds = format.sidecars
    guard sidecars != .ignore, photo.mayHaveSidecar, !kinds.isEmpty else { return .none }
    let pair = PairFile(beside: photo.path)
    do {
      guard let file = try SidecarFile.find(beside: photo.path, kinds) else { return .none }
      guard case .inPlace = target, updatesSidecars,
        case .pending(let content) = pair.state(of: file)
      else { return .file(file) }
      try finish(content, file)
    } catch let error as SidecarError {
      throw error
    } catch {
      return .unreadable(error)
    }
    try? pair.remove()
    return try SidecarFile.find(beside: photo.path, kinds).map { .finished($0) } ?? .none
  }

  /// Returns the world file of a photo whose other sidecar was found before it.
  ///
  /// In place, only one of them could be replaced as a pair with the photo, so the photo is skipped (``Neighbour``).
  ///
  /// - Throws: ``FileError`` or ``UprightError``.
  func worldFile(
    of photo: Walk.Found,
    _ format: ImageFormat,
    besides sidecar: FoundSidecar
  ) throws -> FoundSidecar {
    if case .none = sidecar { return .none }
    guard format.sidecars.contains(.worldFile), sidecar.file?.isWorldFile != true else {
      return .none
    }
    return try SidecarFile.find(beside: photo.path, [.worldFile]).map { .file($0) } ?? .none
  }

  /// Replaces a sidecar with the content that an interrupted run prepared.
  private func finish(_ content: PairFile.Content, _ file: SidecarFile) throws(SidecarError) {
    var replacement = replacement
    if let backup = content.backup { replacement.backupSuffix = Array(backup) }
    do throws(FileError) {
      _ = try replacement.replace(
        file.path,
        readAs: file.rights.identity,
        with: Array(content.after)
      )
    } catch {
      throw SidecarError(path: file.path, error: error)
    }
  }

  /// Returns the files beside a photo that will not fit it.
  func neighbours(
    beside photo: Walk.Found,
    _ plan: Plan,
    _ sidecar: FoundSidecar
  ) throws -> [Neighbour] {
    guard sidecars != .ignore else { return [] }
    return try Neighbour.find(beside: photo, plan) { sidecar.file }.filter {
      !$0.isSidecar || sidecars != .update
    }
  }

  private var updatesSidecars: Bool { sidecars == .update && !dryRun }

  /// Returns the update of a sidecar, or nil if it is unchanged.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, if it is to be updated and cannot be read.
  func update(
    of sidecar: FoundSidecar,
    _ plan: Plan,
    _ target: Destination
  ) throws -> SidecarUpdate? {
    guard sidecars == .update, plan.action.rewrites else { return nil }
    if case .standardOutput = target { return nil }
    if case .unreadable(let error) = sidecar { throw SidecarError.unreadable(error) }
    guard let file = sidecar.file,
      let update = file.normalized(for: plan, options: rewriter.options)
    else { return nil }
    if let other = file.sharer {
      throw UprightError(
        .unsupported,
        "the sidecar \(file.name) may be that of \(TextFormat.path(other)), too: give one of them another name"
      )
    }
    return SidecarUpdate(file: file, update: update, remark: file.disagreement(with: plan))
  }

  /// Replaces a photo and its sidecar.
  ///
  /// - Returns: The attributes that the new photo could not be given.
  /// - Throws: ``FileError`` or ``SidecarError``.
  func replace(
    _ photo: PairReplacement.Member,
    with sidecar: SidecarUpdate,
    _ report: inout FileReport
  ) throws -> [LostAttribute] {
    let (file, update) = (sidecar.file, sidecar.update)
    let modified = file.rights.identity.modificationTime
    try record?.append {
      Record(of: update, path: file.path, output: nil, modified: modified, in: $0)
    }
    let pair = PairFile(beside: photo.path)
    let content = PairFile.Content(
      photo.bytes,
      file,
      update.bytes,
      backup: replacement.backupSuffix
    )
    do throws(FileError) {
      try pair.write(content, like: file)
    } catch {
      // Another run has the photo in work, and needs its own file.
      if error.problem == .exists { throw FileError.changed(photo.path) }
      throw SidecarError(path: error.path, error: error)
    }
    let outcome: PairReplacement.Outcome
    do throws(FileError) {
      outcome = try PairReplacement(replacement: replacement).replace(
        photo,
        .init(path: file.path, identity: file.rights.identity, bytes: update.bytes)
      )
    } catch {
      try? pair.remove()
      if error.path == photo.path { throw error }
      throw SidecarError(path: file.path, error: error)
    }
    if let failure = outcome.sidecarFailure {
      let what = failure.problem == .outcomeUnknown ? "may not be updated" : "was not updated"
      report.sidecar = "the sidecar \(file.name) \(what): \(failure.message)"
      report.sidecarFailed = true
    } else {
      try? pair.remove()
      report.sidecar = "the sidecar \(file.name) was updated" + sidecar.remark
    }
    // This error says that the photo is in place; the next run replaces the sidecar.
    if let failure = outcome.failure { throw failure }
    return outcome.lost
  }

  /// Creates the sidecar of an output, next to it.
  ///
  /// - Throws: ``FileError`` or ``SidecarError``.
  func create(
    _ sidecar: SidecarUpdate,
    beside output: FilePath,
    _ report: inout FileReport
  ) throws {
    guard let copy = sidecar.file.path(beside: output) else { return }
    let (file, update) = (sidecar.file, sidecar.update)
    let modified = file.rights.identity.modificationTime
    try record?.append {
      Record(of: update, path: file.path, output: copy, modified: modified, in: $0)
    }
    do throws(FileError) {
      try creation.create(copy, like: sidecar.file.rights, with: sidecar.update.bytes)
    } catch {
      throw SidecarError(path: copy, error: error)
    }
    report.addSidecar("updated sidecar: \(TextFormat.path(copy))")
  }

  /// Copies a sidecar that needs no update next to an output.
  ///
  /// - Throws: ``SidecarError``, or why the sidecar cannot be read.
  func copy(_ sidecar: FoundSidecar, beside output: FilePath) throws {
    guard let (file, copy) = try copied(sidecar, beside: output) else { return }
    do throws(FileError) {
      _ = try creation.create(copy, like: file.rights, with: file.bytes)
    } catch {
      throw SidecarError(path: copy, error: error)
    }
  }

  /// Returns a sidecar that is copied next to an output, and the path of the copy; nil if it is there already.
  private func copied(
    _ sidecar: FoundSidecar,
    beside output: FilePath
  ) throws -> (SidecarFile, FilePath)? {
    guard sidecars == .update else { return nil }
    if case .unreadable(let error) = sidecar { throw SidecarError.unreadable(error) }
    guard let file = sidecar.file, let copy = file.path(beside: output),
      (try? FileReader(copy).readAll(limit: SidecarFile.maxSize)) != file.bytes
    else { return nil }
    return (file, copy)
  }

  /// Reports what would be done with a sidecar.
  ///
  /// - Throws: ``FileError``, ``UprightError`` or ``SidecarError``, if the file would fail because of its sidecar.
  func predict(
    _ sidecar: FoundSidecar,
    _ plan: Plan,
    _ target: Destination,
    _ report: FileReport
  ) throws -> FileReport {
    guard let update = try update(of: sidecar, plan, target) else {
      if case .file(let output) = target, !rewriter.request.isCrop || plan.action.rewrites,
        let (file, copy) = try copied(sidecar, beside: output)
      {
        do throws(FileError) {
          try creation.check(copy, file.rights.identity)
        } catch {
          throw SidecarError(path: copy, error: error)
        }
      }
      return try attend(to: sidecar, plan, target, report)
    }
    let (file, identity) = (update.file, update.file.rights.identity)
    do throws(FileError) {
      switch target {
      case .inPlace: try replacement.check(file.path, identity)
      case .file(let output):
        if let copy = file.path(beside: output) { try creation.check(copy, identity) }
      case .standardOutput: break
      }
    } catch {
      throw SidecarError(path: file.path, error: error)
    }
    var report = report
    report.addSidecar("the sidecar \(file.name) will be updated" + update.remark)
    return report
  }

  /// Reports a sidecar that does not match its photo any more, or resets that of one that is already upright.
  ///
  /// - Throws: ``FileError`` or ``SidecarError``, if it cannot be reset.
  func attend(
    to sidecar: FoundSidecar,
    _ plan: Plan,
    _ target: Destination,
    _ report: FileReport
  ) throws -> FileReport {
    var report = report
    if case .unreadable(let error) = sidecar, plan.action.rewrites {
      report.sidecar = FileReport.Failure(any: error).message
    }
    guard let file = sidecar.file else { return report }
    let update = file.normalized(for: plan, options: rewriter.options)
    if plan.action.rewrites {
      guard update != nil else { return report }
      report.addSidecar(file.note(for: plan, isDone: report.isDone))
      return report
    }
    let pair = PairFile(beside: report.path)
    let state = pair.state(of: file)
    if case .inPlace = target, !dryRun {
      if case .obsolete = state { try? pair.remove() }
      if let update, updatesSidecars, file.sharer == nil {
        try reset(file, update)
        report.sidecar = "the Orientation of the sidecar \(file.name) was set to 1"
        return report
      }
    }
    if let reason = file.finding(state, plan) {
      report.skip(for: reason)
    } else if case .finished = sidecar {
      report.sidecar =
        "the sidecar \(file.name) was updated, to complete an interrupted run"
    }
    return report
  }

  /// Replaces only a sidecar.
  private func reset(_ file: SidecarFile, _ update: Sidecar.Update) throws {
    try record?.append { Record(of: update, path: file.path, output: nil, in: $0) }
    do throws(FileError) {
      _ = try replacement.replace(file.path, readAs: file.rights.identity, with: update.bytes)
    } catch {
      throw SidecarError(path: file.path, error: error)
    }
  }
}

/// Why the sidecar of a photo, and therefore the photo, could not be written.
struct SidecarError: Error {
  var path: FilePath
  var error: FileError

  /// Returns the error of a sidecar that cannot be read.
  static func unreadable(_ error: any Error) -> any Error {
    (error as? FileError).map { SidecarError(path: $0.path, error: $0) } ?? error
  }
}

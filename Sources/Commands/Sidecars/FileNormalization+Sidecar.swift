internal import FileSystem
internal import Records
internal import SystemPackage
internal import Upright

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What becomes of the sidecar of a photograph.
extension FileNormalization {
  /// The sidecar of a photograph, or why it cannot be read.
  enum FoundSidecar {
    case none
    case file(SidecarFile)
    /// It was replaced just now, which an interrupted run had left to do.
    case finished(SidecarFile)
    case unreadable(any Error)

    /// The sidecar, where there is one that can be read.
    var file: SidecarFile? {
      switch self {
      case .file(let file), .finished(let file): file
      case .none, .unreadable: nil
      }
    }
  }

  /// A sidecar that follows its photograph.
  struct SidecarUpdate {
    var file: SidecarFile
    var update: Sidecar.Update
    /// What people should know besides.
    var remark: String
  }

  /// Looks for the sidecar of a photograph, and replaces one that an interrupted run has left to replace.
  ///
  /// - Throws: ``SidecarError``, where it cannot be replaced.
  func sidecar(of photo: Walk.Found, _ target: Destination) throws -> FoundSidecar {
    guard sidecars != .ignore, photo.mayHaveSidecar else { return .none }
    let pair = PairFile(beside: photo.path)
    do {
      guard let file = try SidecarFile.find(beside: photo.path) else { return .none }
      guard case .inPlace = target, updatesSidecars,
        case .pending(let content) = pair.state(of: file)
      else { return .file(file) }
      try finish(content, file)
    } catch let error as SidecarError {
      throw error
    } catch {
      return .unreadable(error)
    }
    pair.remove()
    return try SidecarFile.find(beside: photo.path).map { .finished($0) } ?? .none
  }

  /// Replaces a sidecar with what an interrupted run has left for it.
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

  private var updatesSidecars: Bool { sidecars == .update && !dryRun }

  /// What a sidecar is to become together with its photograph; nil where it stays as it is.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, where it is to be updated and cannot be read.
  func update(
    of sidecar: FoundSidecar,
    _ plan: Plan,
    _ target: Destination
  ) throws -> SidecarUpdate? {
    guard sidecars == .update, plan.action.rewrites else { return nil }
    if case .standardOutput = target { return nil }
    if case .unreadable(let error) = sidecar {
      throw (error as? FileError).map { SidecarError(path: $0.path, error: $0) } ?? error
    }
    guard let file = sidecar.file,
      let update = file.sidecar.normalized(for: plan, options: operation.options)
    else { return nil }
    return SidecarUpdate(file: file, update: update, remark: file.disagreement(with: plan))
  }

  /// Replaces a photograph and its sidecar.
  ///
  /// - Returns: What the new photograph could not be given.
  /// - Throws: ``FileError`` or ``SidecarError``.
  func replace(
    _ photograph: PairReplacement.Member,
    with sidecar: SidecarUpdate,
    _ report: inout FileReport
  ) throws -> [LostAttribute] {
    let (file, update) = (sidecar.file, sidecar.update)
    try record?.append { Record(of: update, path: file.path, output: nil, in: $0) }
    let pair = PairFile(beside: photograph.path)
    let outcome: PairReplacement.Outcome
    do throws(FileError) {
      try pair.write(
        .init(photograph.bytes, file, update.bytes, backup: replacement.backupSuffix),
        like: file
      )
      outcome = try PairReplacement(replacement: replacement).replace(
        photograph,
        .init(path: file.path, identity: file.rights.identity, bytes: update.bytes)
      )
    } catch {
      pair.remove()
      if error.path == photograph.path { throw error }
      throw SidecarError(path: file.path, error: error)
    }
    if let failure = outcome.sidecarFailure {
      let what = failure.problem == .outcomeUnknown ? "may not be updated" : "was not updated"
      report.sidecar = "the sidecar \(file.name) \(what): \(failure.message)"
      report.sidecarFailed = true
    } else {
      pair.remove()
      report.sidecar = "the sidecar \(file.name) was updated" + sidecar.remark
    }
    // The photograph is in place, which is what this error says; the next run replaces the sidecar.
    if let failure = outcome.failure { throw failure }
    return outcome.lost
  }

  /// Makes the sidecar of an output, beside it.
  ///
  /// - Throws: ``FileError`` or ``SidecarError``.
  func create(
    _ sidecar: SidecarUpdate,
    beside output: FilePath,
    _ report: inout FileReport
  ) throws {
    guard let copy = sidecar.file.path(beside: output) else { return }
    try record?.append { Record(of: sidecar.update, path: sidecar.file.path, output: copy, in: $0) }
    do throws(FileError) {
      try creation.create(copy, like: sidecar.file.rights, with: sidecar.update.bytes)
    } catch {
      throw SidecarError(path: copy, error: error)
    }
    report.sidecar = "the updated sidecar is \(TextFormat.path(copy))"
  }

  /// Tells what would become of a sidecar.
  ///
  /// - Throws: ``FileError``, ``UprightError`` or ``SidecarError``, where the file would fail for its sidecar.
  func predict(
    _ sidecar: FoundSidecar,
    _ plan: Plan,
    _ target: Destination,
    _ report: FileReport
  ) throws -> FileReport {
    guard let update = try update(of: sidecar, plan, target) else {
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
    report.sidecar = "the sidecar \(file.name) will be updated" + update.remark
    return report
  }

  /// Reports a sidecar that does not follow its photograph, or resets that of one that is already upright.
  ///
  /// - Throws: ``FileError`` or ``SidecarError``, where it cannot be reset.
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
    let update = file.sidecar.normalized(for: plan, options: operation.options)
    if plan.action.rewrites {
      guard update != nil else { return report }
      report.sidecar = file.note(for: plan, isDone: report.isDone)
      return report
    }
    let pair = PairFile(beside: report.path)
    let state = pair.state(of: file)
    if case .inPlace = target, !dryRun {
      if case .obsolete = state { pair.remove() }
      if let update, updatesSidecars {
        try reset(file, update)
        report.sidecar = "the Orientation of the sidecar \(file.name) was reset"
        return report
      }
    }
    if let reason = file.finding(state, plan) {
      report.skip(for: reason)
    } else if case .finished = sidecar {
      report.sidecar =
        "the sidecar \(file.name) was updated, which an interrupted run had left to do"
    }
    return report
  }

  /// Replaces a sidecar alone.
  private func reset(_ file: SidecarFile, _ update: Sidecar.Update) throws {
    try record?.append { Record(of: update, path: file.path, output: nil, in: $0) }
    do throws(FileError) {
      _ = try replacement.replace(file.path, readAs: file.rights.identity, with: update.bytes)
    } catch {
      throw SidecarError(path: file.path, error: error)
    }
  }
}

/// Why the sidecar of a photograph could not be written, and so the photograph was not, either.
struct SidecarError: Error {
  var path: FilePath
  var error: FileError
}

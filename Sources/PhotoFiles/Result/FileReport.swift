package import FileSystem
package import ImageFormats
package import Records
package import Reports
package import SystemPackage
package import Upright

/// The result of one file, for every command and format.
package struct FileReport: Sendable {
  /// What happened, or would happen, to the file.
  ///
  /// Not within the report, because reports are copied often, and plans are large.
  package enum Result: Sendable {
    /// Planned, as in an audit or a dry run.
    case planned(Shared<Plan>)
    /// The plan was carried out.
    indirect case done(Outcome)
    /// The result of an undo.
    indirect case undo(Undo)
    /// The result of a conversion.
    indirect case conversion(Conversion)
    /// The file could not be processed.
    indirect case failed(UprightError)
    /// A signal ended the run before the file was replaced.
    case interrupted
  }

  package var path: FilePath
  /// The directory that the file was found in; nil if the user named the file.
  package var folder: FilePath?
  /// Where the result was written, if not to `path`.
  package var output: FilePath?
  /// Whether the user named the file, rather than a directory that contains it.
  package var isNamed = true
  package var result: Result
  /// What an audit found besides the plan.
  package var sharedFacts: Shared<Facts>?
  /// The attributes that the new file could not be given.
  package var lost: [LostAttribute] = []
  /// Why the journal, or the file of reports, could not be written.
  package var logFailures: [FileError] = []
  /// The name that the file should have, if its ending is that of another format.
  package var expectedName: String?
  /// The names of the files whose names differ in their endings only.
  package var pairedWith: [String] = []
  /// What becomes of the files beside it.
  package var companions: [CompanionResult] = []
  /// The sizes of the file in bytes before and after the rewrite.
  package var sizes: (before: Int, after: Int)?
  /// The hashes of the file before and after the rewrite, if that is recorded.
  package var hashes: (before: Digest, after: Digest)?
  /// Whether the file was rewritten and its undo data is not where it was requested.
  package var lacksUndo = false

  /// Creates the report of a file with a result, and with what an audit found besides.
  package init(path: FilePath, result: Result, facts: Shared<Facts>? = nil) {
    (self.path, self.result, sharedFacts) = (path, result, facts)
  }

  /// Whether the photo was processed, and one of its companions does not have what belongs to it.
  package var companionFailed: Bool { companions.contains(where: \.isFailure) }

  /// Whether a companion was or would be changed, written, or should have been.
  package var touchesCompanions: Bool { companions.contains(where: \.isTouched) }

  /// What an audit found besides the plan.
  package var facts: Facts? { sharedFacts?.value }

  /// The plan, which is read here without a copy of it, or nil if there is none.
  package var sharedPlan: Shared<Plan>? {
    switch result {
    case .planned(let plan): plan
    case .done(let outcome): Shared(outcome.plan)
    case .undo, .conversion, .failed, .interrupted: nil
    }
  }

  /// The plan, or nil if there is none.
  package var plan: Plan? {
    get { sharedPlan?.value }
    set {
      guard let newValue else { return }
      switch result {
      case .planned: result = .planned(Shared(newValue))
      case .done(let outcome): result = .done(outcome.with(newValue))
      case .undo, .conversion, .failed, .interrupted: break
      }
    }
  }

  /// The format of the file; nil without a plan.
  package var format: ImageFormat? { sharedPlan?.value.image.format }

  /// The new file and its checks, or nil if nothing was rewritten.
  package var rewrite: Rewrite? {
    guard case .done(let outcome) = result else { return nil }
    return outcome.rewrite
  }

  /// Why the file was skipped, or nil if it was not.
  package var reasonToSkip: Reason? {
    if case .undo(let undo) = result { return undo.status == .skipped ? undo.reason : nil }
    if case .conversion(let conversion) = result { return conversion.reason }
    guard case .skip(let reason)? = sharedPlan?.value.action else { return nil }
    return reason
  }

  /// The measured effect of re-encoding, or nil.
  package var redraw: RedrawReport? { rewrite?.redraw }

  /// Whether the original can be restored from the result, or nil if nothing was rewritten.
  package var isRestorable: Bool? { rewrite.map { $0.undo != nil } }

  /// Whether the file was rewritten and the result holds its undo data.
  package var holdsUndoData: Bool { rewrite?.holdsUndoData == true }

  /// Whether the plan was carried out.
  package var isDone: Bool {
    switch result {
    case .done: true
    case .conversion(let conversion): !conversion.isDry
    case .planned, .undo, .failed, .interrupted: false
    }
  }

  /// Whether the file counts as failed although the new content is in place.
  package var isUnconfirmed: Bool {
    guard case .failed(let error) = result else { return false }
    return error.code == UprightError.Code(.unconfirmed)
  }

  package var status: Status {
    switch result {
    case .planned(let plan): plan.status
    case .done(let outcome): Status(outcome.plan, isDone: true)
    case .undo(let undo): undo.status
    case .conversion(let conversion): conversion.status
    case .failed: .failed
    case .interrupted: .interrupted
    }
  }
}

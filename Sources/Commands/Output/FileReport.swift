internal import FileSystem
internal import ImageOrientation
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// The result of one file, for every command and format.
struct FileReport: Sendable {
  /// What happened, or would happen, to the file.
  enum Result: Sendable {
    /// Planned, as in an audit or a dry run.
    case planned(Plan)
    /// The plan was carried out.
    case done(Outcome)
    /// The result of an undo.
    case undo(Undo)
    /// The result of a conversion.
    case conversion(Conversion)
    /// The file could not be processed.
    case failed(Failure)
    /// A signal ended the run before the file was replaced.
    case interrupted
  }

  /// A failure of the file or of the file system.
  typealias Failure = FileFailure

  var path: FilePath
  /// The directory that the file was found in; nil if the user named the file.
  var folder: FilePath?
  /// Where the result was written, if not to `path`.
  var output: FilePath?
  /// Whether the user named the file, rather than a directory that contains it.
  var isNamed = true
  var result: Result
  /// What an audit found besides the plan.
  var facts: Facts?
  /// File attributes that could not be copied, as text.
  var warnings: [String] = []
  /// The name that the file should have, if its ending is that of another format.
  var expectedName: String?
  /// The names of the files whose names differ in their endings only.
  var pairedWith: [String] = []
  /// The sidecars that were written beside the output.
  var outputSidecars: [(path: FilePath, digest: Digest)] = []
  /// A note about the sidecars.
  var sidecar: String?
  /// Whether sidecars describe the image as it is stored, and it would be transformed.
  var hasSidecars = false
  /// The kinds of the files beside the photo that no longer fit it, with a note on each.
  var neighbours: [(kind: String, note: String)] = []
  /// The sizes of the file in bytes before and after the rewrite.
  var sizes: (before: Int, after: Int)?
  /// Whether the file was rewritten and its undo data is not where it was requested.
  var lacksUndo = false
  /// Whether the photo was rewritten and one of its sidecars could not be updated.
  var sidecarFailed = false

  /// The plan, or nil if there is none.
  var plan: Plan? {
    get {
      switch result {
      case .planned(let plan): plan
      case .done(let outcome): outcome.plan
      case .undo, .conversion, .failed, .interrupted: nil
      }
    }
    set {
      guard let newValue else { return }
      switch result {
      case .planned: result = .planned(newValue)
      case .done(let outcome): result = .done(outcome.with(newValue))
      case .undo, .conversion, .failed, .interrupted: break
      }
    }
  }

  /// The new file and its checks, or nil if nothing was rewritten.
  var rewrite: Rewrite? {
    guard case .done(let outcome) = result else { return nil }
    return outcome.rewrite
  }

  /// Marks a file that is already upright as skipped.
  mutating func skip(for reason: Reason) {
    if rewrite == nil, case .unchanged? = plan?.action { plan?.action = .skip(reason) }
  }

  /// Adds a note about a sidecar.
  mutating func addSidecar(_ note: String) {
    sidecar = sidecar.map { "\($0.hasSuffix(".") ? String($0.dropLast()) : $0); \(note)" } ?? note
  }

  /// Why the file was skipped, or nil if it was not.
  var reasonToSkip: Reason? {
    if case .undo(let undo) = result { return undo.status == .skipped ? undo.reason : nil }
    if case .conversion(let conversion) = result { return conversion.reason }
    guard case .skip(let reason)? = plan?.action else { return nil }
    return reason
  }

  /// The measured effect of re-encoding, or nil.
  var redraw: RedrawReport? { rewrite?.redraw }

  /// Whether the original can be restored from the result, or nil if nothing was rewritten.
  var isRestorable: Bool? { rewrite.map { $0.undo != nil } }

  /// Whether the file was rewritten and the result holds its undo data.
  var holdsUndoData: Bool { rewrite?.holdsUndoData == true }

  /// Whether the plan was carried out.
  var isDone: Bool {
    switch result {
    case .done: true
    case .conversion(let conversion): !conversion.isDry
    case .planned, .undo, .failed, .interrupted: false
    }
  }

  /// Whether the file counts as failed although the new content is in place.
  var isUnconfirmed: Bool {
    guard case .failed(let failure) = result else { return false }
    return failure.identifier == FileError.Problem.unconfirmed.rawValue
  }

  var status: Status {
    switch result {
    case .planned(let plan): Status(plan, isDone: false)
    case .done(let outcome): Status(outcome.plan, isDone: true)
    case .undo(let undo): undo.status
    case .conversion(let conversion): conversion.status
    case .failed: .failed
    case .interrupted: .interrupted
    }
  }
}

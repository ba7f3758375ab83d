internal import FileSystem
internal import ImageOrientation
internal import Reports
internal import SystemPackage
internal import Upright

/// What there is to say of one file, whatever the command and the format.
struct FileReport: Sendable {
  /// What became of the file, or will.
  enum Result: Sendable {
    /// Planned, as in an audit or a dry run.
    case planned(Plan)
    /// Carried out.
    case done(Outcome)
    /// Taken back, or not.
    case undo(Undo)
    /// Made into a JPEG file, or not.
    case conversion(Conversion)
    /// Could not be worked on.
    case failed(Failure)
  }

  /// A failure of the file or of the file system.
  struct Failure: Sendable {
    var identifier: String
    var offset: Int?
    var message: String

    init(identifier: String, message: String) {
      self.identifier = identifier
      self.message = message
    }

    init(_ error: UprightError) {
      identifier = error.code.rawValue
      offset = error.offset
      message = error.description
    }

    init(_ error: FileError) {
      identifier = error.identifier
      message = error.message
    }
  }

  var path: FilePath
  /// The directory that the file was found in, where one was listed.
  var folder: FilePath?
  /// Where the result was written, when that is not `path`.
  var output: FilePath?
  /// Whether the file was named by the user, not found in a directory.
  var isNamed = true
  var result: Result
  /// What an audit found besides the plan.
  var facts: Facts?
  /// Attributes of the file that the system would not copy, in words.
  var warnings: [String] = []
  /// What there is to say of the XMP file beside the photograph.
  var sidecar: String?
  /// The bytes of the file before and after it was rewritten.
  var sizes: (before: Int, after: Int)?
  /// Whether the file was rewritten, and its record has no undo data.
  var lacksUndo = false
  /// Whether the photograph was rewritten and its sidecar could not follow.
  var sidecarFailed = false

  /// The plan, where there is one.
  var plan: Plan? {
    switch result {
    case .planned(let plan): plan
    case .done(let outcome): outcome.plan
    case .undo, .conversion, .failed: nil
    }
  }

  /// Says that a file that is already upright is skipped for somebody to look at.
  mutating func skip(for reason: Reason) {
    switch result {
    case .planned(var plan):
      plan.action = .skip(reason)
      result = .planned(plan)
    case .done(.unchanged(var plan)):
      plan.action = .skip(reason)
      result = .done(.unchanged(plan))
    case .done, .undo, .conversion, .failed: break
    }
  }

  /// Why the file was skipped, where it was.
  var reasonToSkip: Reason? {
    if case .undo(let undo) = result, case .skipped(let reason) = undo.disposition { return reason }
    if case .conversion(let conversion) = result { return conversion.reason }
    guard case .skip(let reason)? = plan?.action else { return nil }
    return reason
  }

  /// What re-encoding did, where that was measured.
  var redraw: RedrawReport? {
    guard case .done(.rewritten(let rewrite)) = result else { return nil }
    return rewrite.redraw
  }

  /// Whether the identical file can be restored from the result; nil where nothing was rewritten.
  var isRestorable: Bool? {
    guard case .done(.rewritten(let rewrite)) = result else { return nil }
    return rewrite.undo != nil
  }

  /// Whether the plan was carried out, so that what became of everything is known.
  var isDone: Bool {
    switch result {
    case .done: true
    case .conversion(let conversion): !conversion.isDry
    case .planned, .undo, .failed: false
    }
  }

  /// Whether it counts as failed, but the new content is in place.
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
    }
  }
}

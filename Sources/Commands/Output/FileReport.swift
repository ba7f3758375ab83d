internal import Archive
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

  /// Why the file was left alone, where it was.
  var reasonToLeave: Reason? {
    if case .undo(let undo) = result, case .left(let reason) = undo.fate { return reason }
    if case .conversion(let conversion) = result { return conversion.reason }
    guard case .leave(let reason)? = plan?.action else { return nil }
    return reason
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

/// How many files there were of each status, and what that means for the exit status.
struct Tally: Sendable {
  private var counts: [Status: Int] = [:]
  private var reasons: [String: Int] = [:]
  /// How many of the rewritten files can be restored.
  private var restorable = 0

  private var failedSidecars = 0
  private var plannedResets = 0
  private var plannedTags = 0
  private var plannedCrops = 0
  /// How many files an earlier run has dealt with.
  private var earlier = 0

  mutating func count(_ report: FileReport) {
    counts[report.status, default: 0] += 1
    if report.sidecarFailed { failedSidecars += 1 }
    if report.status == .planned {
      if case .resetTag? = report.plan?.action { plannedResets += 1 }
      if case .changeTag? = report.plan?.action { plannedTags += 1 }
      if report.plan?.isCropped == true { plannedCrops += 1 }
    }
    if report.isRestorable == true { restorable += 1 }
    if let reason = report.reasonToLeave { reasons[reason.identifier, default: 0] += 1 }
  }

  /// Adds the counts of other files.
  static func += (total: inout Tally, more: Tally) {
    total.counts.merge(more.counts, uniquingKeysWith: +)
    total.reasons.merge(more.reasons, uniquingKeysWith: +)
    total.restorable += more.restorable
    total.failedSidecars += more.failedSidecars
    total.plannedResets += more.plannedResets
    total.plannedTags += more.plannedTags
    total.plannedCrops += more.plannedCrops
    total.earlier += more.earlier
  }

  /// Counts a file that an earlier run has dealt with.
  mutating func countEarlier() { earlier += 1 }

  subscript(_ status: Status) -> Int { counts[status] ?? 0 }

  var total: Int { counts.values.reduce(0, +) + earlier }

  /// The summary line.
  var summary: String {
    let left = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let parts = [
      (self[.turned], "turned"),
      (self[.planned] - plannedResets - plannedTags - plannedCrops, "to turn"),
      (self[.cropped], "cropped"), (plannedCrops, "to crop"),
      (plannedResets, "with a tag to reset"), (self[.reset], "with the tag reset"),
      (plannedTags, "with a tag to change"), (self[.tagged], "with the tag changed"),
      (self[.restored], "restored"), (self[.restorable], "can be restored"),
      (self[.converted], "converted"), (self[.convertible], "can be converted"),
      (self[.nothing], "need nothing"),
      (self[.left], "left alone" + (left.isEmpty ? "" : " (\(left))")), (self[.failed], "failed"),
      (failedSidecars, "turned without their sidecar"), (earlier, "done before"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(total) file\(total == 1 ? "" : "s")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// How many of the rewritten files the record can give back.
  var restorableSummary: String {
    let rewritten = self[.turned] + self[.cropped] + self[.reset] + self[.tagged]
    return "\(restorable) of \(rewritten) rewritten file\(rewritten == 1 ? "" : "s")"
      + " can be restored identically from the record"
  }

  /// 0, 1 or 2; see `docs/output.md`.
  var exitStatus: Int32 { self[.failed] + failedSidecars > 0 ? 2 : self[.left] > 0 ? 1 : 0 }
}

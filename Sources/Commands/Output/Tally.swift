internal import Archive
internal import Reports
internal import Upright

/// How many files there were of each status, and what that means for the exit status.
struct Tally: Sendable {
  // By the place of the status among all: a dictionary would hash names for every file.
  private var counts = [Int](repeating: 0, count: Status.allCases.count)
  private var reasons: [String: Int] = [:]
  /// How many of the rewritten files can be restored.
  private var restorable = 0

  private var failedSidecars = 0
  private var plannedResets = 0
  private var plannedTags = 0
  private var plannedCrops = 0
  /// How many files an earlier run has dealt with.
  private var earlier = 0
  /// How many files and directories were not worked on, by reason.
  private(set) var skipped: [Walk.Reason: Int] = [:]

  mutating func count(_ report: FileReport) {
    let status = report.status
    counts[Self.place(of: status)] += 1
    if report.sidecarFailed { failedSidecars += 1 }
    if status == .planned {
      if case .resetTag? = report.plan?.action { plannedResets += 1 }
      if case .changeTag? = report.plan?.action { plannedTags += 1 }
      if report.plan?.isCropped == true { plannedCrops += 1 }
    }
    if report.isRestorable == true { restorable += 1 }
    if let reason = report.reasonToLeave { reasons[reason.identifier, default: 0] += 1 }
  }

  /// Adds the counts of other files.
  static func += (total: inout Tally, more: Tally) {
    for place in more.counts.indices { total.counts[place] += more.counts[place] }
    total.reasons.merge(more.reasons, uniquingKeysWith: +)
    total.restorable += more.restorable
    total.failedSidecars += more.failedSidecars
    total.plannedResets += more.plannedResets
    total.plannedTags += more.plannedTags
    total.plannedCrops += more.plannedCrops
    total.earlier += more.earlier
    total.skipped.merge(more.skipped, uniquingKeysWith: +)
  }

  /// Counts a file that an earlier run has dealt with.
  mutating func countEarlier() { earlier += 1 }

  /// Counts a file or directory that is not worked on.
  mutating func countSkipped(_ reason: Walk.Reason) { skipped[reason, default: 0] += 1 }

  subscript(_ status: Status) -> Int { counts[Self.place(of: status)] }

  var total: Int { counts.reduce(0, +) + earlier }

  private static func place(of status: Status) -> Int { all.firstIndex(of: status) ?? 0 }
  private static let all = Status.allCases

  /// The summary line.
  var summary: String {
    let left = Self.list(reasons)
    let passed = Self.list(
      Dictionary(uniqueKeysWithValues: skipped.map { ($0.rawValue, $1) })
    )
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
      (skipped.values.reduce(0, +), "skipped (\(passed))"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(total) file\(total == 1 ? "" : "s")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// Counts by their names, the largest first.
  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
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

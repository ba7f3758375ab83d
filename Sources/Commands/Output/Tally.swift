internal import FileSystem
internal import ImageOrientation
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
  /// How many are or would be flipped, of those that are transformed.
  private var flipped = 0
  /// How many are or would be transformed with an edge cut off.
  private var trimmed = 0
  /// How many are or would be re-encoded, and their bytes before and after.
  private var reencoded = (files: 0, before: 0, after: 0)
  /// The bytes of the rewritten files, before and after; nil where there are none.
  private(set) var bytes: (before: Int, after: Int)?
  /// How many rewritten files are in the record without undo data.
  private var withoutUndo = 0
  /// How many files an earlier run has dealt with.
  private var earlier = 0
  /// How many files and directories were not worked on, by reason.
  private(set) var ignored: [Walk.Reason: Int] = [:]

  mutating func count(_ report: FileReport) {
    let status = report.status
    counts[Self.place(of: status)] += 1
    if report.sidecarFailed { failedSidecars += 1 }
    if status == .planned {
      if case .resetTag? = report.plan?.action { plannedResets += 1 }
      if case .changeTag? = report.plan?.action { plannedTags += 1 }
      if report.plan?.isCropped == true { plannedCrops += 1 }
    }
    if case .transform(let transform, let edges)? = report.plan?.action {
      count(transform, edges, report)
    }
    if report.isRestorable == true { restorable += 1 }
    if report.lacksUndo { withoutUndo += 1 }
    if let sizes = report.sizes { add(sizes) }
    if let reason = report.reasonToSkip { reasons[reason.code.rawValue, default: 0] += 1 }
  }

  private mutating func add(_ sizes: (before: Int, after: Int)) {
    bytes = ((bytes?.before ?? 0) + sizes.before, (bytes?.after ?? 0) + sizes.after)
  }

  private mutating func count(
    _ transform: OrientationTransform,
    _ edges: Edges,
    _ report: FileReport
  ) {
    if transform.mirrors { flipped += 1 }
    switch edges {
    case .lossless: break
    case .trimmed: trimmed += 1
    case .reencoded:
      reencoded.files += 1
      reencoded.before += report.sizes?.before ?? 0
      reencoded.after += report.sizes?.after ?? 0
    }
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
    total.flipped += more.flipped
    total.trimmed += more.trimmed
    total.reencoded.files += more.reencoded.files
    total.reencoded.before += more.reencoded.before
    total.reencoded.after += more.reencoded.after
    total.withoutUndo += more.withoutUndo
    if let bytes = more.bytes { total.add(bytes) }
    total.ignored.merge(more.ignored, uniquingKeysWith: +)
  }

  /// Counts a file that an earlier run has dealt with.
  mutating func countEarlier() { earlier += 1 }

  /// Counts a file or directory that is not worked on.
  mutating func countIgnored(_ reason: Walk.Reason) { ignored[reason, default: 0] += 1 }

  subscript(_ status: Status) -> Int { counts[Self.place(of: status)] }

  /// How many files were normalized, rotated or flipped.
  private var transformed: Int { self[.normalized] + self[.rotated] + self[.flipped] }

  var total: Int { counts.reduce(0, +) + earlier }

  private static func place(of status: Status) -> Int { all.firstIndex(of: status) ?? 0 }
  private static let all = Status.allCases

  /// The summary line.
  var summary: String {
    let skipped = Self.list(reasons)
    let others = ignored.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { $0.key.words($0.value) }.joined(separator: ", ")
    let planned = self[.planned] - plannedResets - plannedTags - plannedCrops
    let transformed = self.transformed + planned
    let verb =
      flipped == 0 ? "rotate" : flipped == transformed ? "flip" : "rotate or flip"
    let done = flipped == 0 ? "rotated" : flipped == transformed ? "flipped" : "rotated or flipped"
    let parts = [
      (self.transformed, done + how(of: self.transformed)),
      (planned, "to \(verb)" + how(of: planned)),
      (self[.cropped], "cropped" + (self.transformed == 0 ? how(of: self[.cropped]) : "")),
      (plannedCrops, "to crop" + (planned == 0 ? how(of: plannedCrops) : "")),
      (plannedResets, "with a tag to reset"), (self[.reset], "with the tag reset"),
      (plannedTags, "with a tag to change"), (self[.tagged], "with the tag changed"),
      (self[.restored], "restored"), (self[.restorable], "can be restored"),
      (self[.converted], "converted"), (self[.convertible], "can be converted"),
      (self[.alreadyUpright], "already upright"), (self[.unchanged], "unchanged"),
      (self[.skipped], "skipped" + (skipped.isEmpty ? "" : " (\(skipped))")),
      (self[.failed], "failed"),
      (failedSidecars, "rotated without their sidecar"), (withoutUndo, "without undo data"),
      (earlier, "done before"),
      (ignored.values.reduce(0, +), "ignored (\(others))"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(total) file\(total == 1 ? "" : "s")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// How many of some files are lossless, where not all are, and what the others cost.
  private func how(of count: Int) -> String {
    let lossless = count - reencoded.files - trimmed
    guard count > 0, lossless < count else { return "" }
    var parts: [String] = []
    if lossless > 0 { parts.append("\(lossless) lossless") }
    if reencoded.files > 0 {
      let isPlanned = self[.planned] > 0
      let sizes =
        reencoded.after > 0
        ? ": \(TextFormat.sizes(reencoded.before, reencoded.after))" : ""
      parts.append("\(reencoded.files) \(isPlanned ? "would be " : "")re-encoded\(sizes)")
    }
    if trimmed > 0 { parts.append("\(trimmed) trimmed") }
    return " (\(parts.joined(separator: ", ")))"
  }

  /// Counts by their names, the largest first.
  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  /// How many of the rewritten files the record can restore.
  var restorableSummary: String {
    let rewritten = transformed + self[.cropped] + self[.reset] + self[.tagged]
    return "\(restorable) of \(rewritten) rewritten file\(rewritten == 1 ? "" : "s")"
      + " can be restored identically from the record"
  }

  /// 0, 1 or 2; see `docs/output.md`.
  var exitStatus: Int32 {
    self[.failed] + failedSidecars > 0 ? 2 : self[.skipped] + withoutUndo > 0 ? 1 : 0
  }
}

extension Walk.Reason {
  /// How many there are and how they are taken, as in `2 hidden folders: --hidden`.
  fileprivate func words(_ count: Int) -> String {
    let (one, many, option): (String, String, String?) =
      switch self {
      case .duplicate: ("duplicate", "duplicates", nil)
      case .backup: ("backup", "backups", "taken where named")
      case .otherName: ("file with another name", "files with other names", "--all-names")
      case .hidden: ("hidden folder", "hidden folders", "--hidden")
      case .linkedDirectory: ("linked folder", "linked folders", "--follow all")
      case .linkedFile: ("linked file", "linked files", "--follow files")
      case .output: ("output folder", "output folders", nil)
      case .temporary: ("temporary file", "temporary files", nil)
      case .appleDouble: ("AppleDouble file", "AppleDouble files", nil)
      case .special: ("special file", "special files", nil)
      }
    return "\(count) \(count == 1 ? one : many)" + (option.map { ": \($0)" } ?? "")
  }
}

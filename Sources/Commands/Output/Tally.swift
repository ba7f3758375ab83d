internal import FileSystem
internal import ImageOrientation
internal import Reports
internal import Upright

/// The number of files with each status, and the resulting exit status.
struct Tally: Sendable {
  // Indexed by the position of the status in `allCases`, because a dictionary would hash a name for every file.
  private var counts = [Int](repeating: 0, count: Status.allCases.count)
  private var reasons: [String: Int] = [:]
  /// The number of rewritten files that can be restored.
  private var restorable = 0
  /// Whether the record could be read at the end.
  private var isRestorableKnown = true
  /// The number of rewritten files that hold their undo data.
  private var embedded = 0

  private var failedSidecars = 0
  private var plannedResets = 0
  private var plannedTags = 0
  private var plannedCrops = 0
  private var plannedStrips = 0
  /// The number of transformed files that are or would be flipped.
  private var flipped = 0
  /// The number of files that are or would be trimmed.
  private var trimmed = 0
  /// The number of files that are or would be re-encoded, and their bytes before and after.
  private var reencoded = (files: 0, before: 0, after: 0)
  /// The bytes of the rewritten files before and after; nil if there are none.
  private(set) var bytes: (before: Int, after: Int)?
  /// The number of files in which regions, registered data or previews are kept and may no longer fit the image.
  private var misfits = (regions: 0, subjects: 0, data: 0, previews: 0)
  /// The number of files beside rewritten photos that no longer fit them, by kind.
  private var neighbours: [String: Int] = [:]
  /// Whether a file was found in a directory, so that notes on it are printed only on request.
  private(set) var hasFoundFile = false
  /// The number of rewritten files whose record has no undo data.
  private var withoutUndo = 0
  /// The number of transformed files whose tag something contradicts.
  private var contradicted = 0
  /// The number of files next to others whose names differ in their endings only.
  private var paired = 0
  /// The number of files that an earlier run has finished.
  private var earlier = 0
  /// The number of files and directories that were ignored, by reason.
  private(set) var ignored: [Walk.Reason: Int] = [:]

  mutating func count(_ report: FileReport) {
    let status = report.status
    counts[Self.place(of: status)] += 1
    if !report.isNamed { hasFoundFile = true }
    if report.sidecarFailed { failedSidecars += 1 }
    if !report.pairedWith.isEmpty { paired += 1 }
    if status == .planned {
      if case .resetTag? = report.plan?.action { plannedResets += 1 }
      if case .changeTag? = report.plan?.action { plannedTags += 1 }
      if report.plan?.isCropped == true { plannedCrops += 1 }
      if case .undo = report.result { plannedStrips += 1 }
    }
    if case .transform(let transform, let edges)? = report.plan?.action {
      count(transform, edges, report)
      countMisfits(report)
    }
    if report.isRestorable == true { restorable += 1 }
    if report.holdsUndoData { embedded += 1 }
    if report.lacksUndo { withoutUndo += 1 }
    if let sizes = report.sizes { add(sizes) }
    if let reason = report.reasonToSkip { reasons[reason.code.rawValue, default: 0] += 1 }
  }

  private mutating func countMisfits(_ report: FileReport) {
    guard let plan = report.plan else { return }
    let kept = plan.regions.filter { $0.disposition == .kept }
    if kept.contains(where: { $0.kind != .subject }) { misfits.regions += 1 }
    if kept.contains(where: { $0.kind == .subject }) { misfits.subjects += 1 }
    for neighbour in report.neighbours { neighbours[neighbour.kind, default: 0] += 1 }
    if plan.registeredData.contains(where: { $0.effect == .misregistered }) { misfits.data += 1 }
    if plan.registeredData.contains(where: { $0.effect == .stale })
      || plan.embeddedImages.contains(where: { $0.disposition == .stale })
    {
      misfits.previews += 1
    }
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
    if report.plan?.contradictions.isEmpty == false { contradicted += 1 }
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
    total.embedded += more.embedded
    total.failedSidecars += more.failedSidecars
    total.plannedResets += more.plannedResets
    total.plannedTags += more.plannedTags
    total.plannedCrops += more.plannedCrops
    total.plannedStrips += more.plannedStrips
    total.earlier += more.earlier
    total.flipped += more.flipped
    total.contradicted += more.contradicted
    total.paired += more.paired
    total.trimmed += more.trimmed
    total.reencoded.files += more.reencoded.files
    total.reencoded.before += more.reencoded.before
    total.reencoded.after += more.reencoded.after
    total.withoutUndo += more.withoutUndo
    if more.hasFoundFile { total.hasFoundFile = true }
    total.misfits.regions += more.misfits.regions
    total.misfits.subjects += more.misfits.subjects
    total.neighbours.merge(more.neighbours, uniquingKeysWith: +)
    total.misfits.data += more.misfits.data
    total.misfits.previews += more.misfits.previews
    if let bytes = more.bytes { total.add(bytes) }
    total.ignored.merge(more.ignored, uniquingKeysWith: +)
  }

  /// Counts a file that an earlier run has finished.
  mutating func countEarlier() { earlier += 1 }

  /// Counts a file or directory that is ignored.
  mutating func countIgnored(_ reason: Walk.Reason) { ignored[reason, default: 0] += 1 }

  subscript(_ status: Status) -> Int { counts[Self.place(of: status)] }

  /// The number of files that were normalized, rotated or flipped.
  private var transformed: Int { self[.normalized] + self[.rotated] + self[.flipped] }

  var total: Int { counts.reduce(0, +) + earlier }

  private static func place(of status: Status) -> Int { all.firstIndex(of: status) ?? 0 }
  private static let all = Status.allCases

  /// Returns the summary line.
  func summary(_ palette: Palette = .plain) -> String {
    let skipped = Self.list(reasons)
    let planned = self[.planned] - plannedResets - plannedTags - plannedCrops - plannedStrips
    let transformed = self.transformed + planned
    let verb =
      flipped == 0 ? "rotate" : flipped == transformed ? "flip" : "rotate or flip"
    let past = flipped == 0 ? "rotated" : flipped == transformed ? "flipped" : "rotated or flipped"
    let done =
      [
        (self.transformed, past + how(of: self.transformed)),
        (planned, "to \(verb)" + how(of: planned)),
        (self[.cropped], "cropped" + (self.transformed == 0 ? how(of: self[.cropped]) : "")),
        (plannedCrops, "to crop" + (planned == 0 ? how(of: plannedCrops) : "")),
        (plannedResets, "with a tag to reset"), (self[.reset], "with the tag reset"),
        (plannedTags, "with a tag to change"), (self[.tagged], "with the tag changed"),
        (self[.restored], "restored"), (self[.restorable], "can be restored"),
        (plannedStrips, "with undo data to remove"), (self[.stripped], "with undo data removed"),
        (self[.converted], "converted"), (self[.convertible], "can be converted"),
        (self[.alreadyUpright], "already upright"), (self[.unchanged], "unchanged"),
      ]
    let findings: [(Int, String, Palette.Tone?)] = [
      (self[.skipped], "skipped" + (skipped.isEmpty ? "" : " (\(skipped))"), .finding),
      (self[.failed], "failed", .failure),
      (self[.interrupted], "interrupted and not replaced", .finding),
      (contradicted, "with a contradicted tag (-v says why)", nil),
      (paired, "in pairs of one name (--format text -v names them)", nil),
      (failedSidecars, "with a sidecar not updated", .failure),
      (withoutUndo, "without undo data", .finding),
      (earlier, "done in an earlier run", nil),
    ]
    let parts =
      done.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
      + findings.filter { $0.0 > 0 }.map { palette.marked("\($0.0) \($0.1)", $0.2) }
      + (ignored.isEmpty ? [] : [Walk.Reason.summary(ignored)])
    return "\(total) file\(total == 1 ? "" : "s")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// The lines on what is kept although it may no longer fit the image; nil if there is nothing of that kind.
  var misfitSummary: String? {
    // An option that comes too late needs an undo.
    let remedy = self[.planned] > 0 ? ": " : ": undo, then "
    let parts = [
      (misfits.regions, "regions", remedy + "--regions follow"),
      (misfits.subjects, "subject areas in Exif", remedy + "--regions follow"),
      (misfits.data, "registered data", remedy + "--registered-data skip"),
      (misfits.previews, "thumbnails or previews", ""),
    ].filter { $0.0 > 0 }.map { count, name, remedy in
      "\(name) in \(count) file\(count == 1 ? "" : "s")\(remedy)"
    }
    let lines = [
      parts.isEmpty
        ? nil : "kept, but may not fit the transformed image: " + parts.joined(separator: "; "),
      neighbours.isEmpty
        ? nil
        : "files beside the photos that are not changed with them (-v lists them): "
          + neighbours.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
          .map { "\($0.key) (\($0.value))" }.joined(separator: ", "),
    ].compactMap { $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// Whether a photo keeps its subject area, which is not said of each.
  var keepsSubjects: Bool { misfits.subjects > 0 }

  /// Returns how many of some files are lossless, and the cost of the others; empty if all are lossless.
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

  /// Returns counts with their names, the largest first.
  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  /// Counts rewritten files whose lines are not in the record any more; nil if that is not known.
  mutating func loseRecords(_ count: Int?) {
    restorable = count.map { max(0, restorable - $0) } ?? 0
    isRestorableKnown = count != nil
  }

  /// The sentence on how many rewritten files the record can restore; nil if none was rewritten, or if the number is not
  /// known.
  var restorableSummary: String? {
    guard isRestorableKnown else { return nil }
    return share(restorable).map { $0 + " can be restored identically from the record" }
  }

  /// The sentence on how many rewritten files hold their undo data; nil if none was rewritten.
  var embeddedSummary: String? {
    share(embedded).map { $0 + " can be restored identically with upright undo alone" }
  }

  /// Returns how many of the rewritten files these are; nil if none was rewritten.
  private func share(_ count: Int) -> String? {
    let rewritten = transformed + self[.cropped] + self[.reset] + self[.tagged]
    guard rewritten > 0 else { return nil }
    return "\(count) of \(rewritten) rewritten file\(rewritten == 1 ? "" : "s")"
  }

  /// The exit status, 0, 1 or 2; see `docs/output.md`.
  var exitStatus: Int32 {
    self[.failed] + failedSidecars > 0 ? 2 : self[.skipped] + withoutUndo > 0 ? 1 : 0
  }
}

extension Walk.Reason {
  /// Returns the sum of counts with each count, the largest first, and the options that include the files.
  static func summary(_ counts: [Walk.Reason: Int], withOptions: Bool = true) -> String {
    let words = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
      .map { $0.key.words($0.value, withOption: withOptions) }.joined(separator: ", ")
    return "\(counts.values.reduce(0, +)) ignored (\(words))"
  }

  /// Returns the count with its noun and the option that includes them, as in `2 hidden folders: --hidden`.
  private func words(_ count: Int, withOption: Bool) -> String {
    let (one, many, option): (String, String, String?) =
      switch self {
      case .duplicate: ("duplicate", "duplicates", nil)
      case .backup: ("backup", "backups", "processed if named")
      case .otherFormat: ("image of another format", "images of other formats", "--formats")
      case .otherName: ("file with another name", "files with other names", "--all-names")
      case .video: ("video", "videos", nil)
      case .raw: ("camera raw file", "camera raw files", nil)
      case .hidden: ("hidden folder", "hidden folders", "--hidden")
      case .linkedDirectory: ("linked folder", "linked folders", "--follow all")
      case .linkedFile: ("linked file", "linked files", "--follow files")
      case .output: ("output folder", "output folders", nil)
      case .temporary: ("temporary file", "temporary files", nil)
      case .appleDouble: ("AppleDouble file", "AppleDouble files", nil)
      case .special: ("special file", "special files", nil)
      }
    return "\(count) \(count == 1 ? one : many)"
      + (option.map { withOption ? ": \($0)" : "" } ?? "")
  }
}

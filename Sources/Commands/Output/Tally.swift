internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

/// The number of files with each status, and the resulting exit status.
struct Tally: Sendable {
  private var statuses = Counts<Status>()
  private var reasons: [String: Int] = [:]
  private var counts = Counts<Trait>()
  /// The number of files that keep what may no longer fit the image.
  private var misfits = Counts<Misfit>()
  /// The roles of images that are re-encoded in lossless photos.
  private var exceptions: Set<String> = []
  /// The number of files beside rewritten photos that no longer fit them, by kind.
  private var neighbours: [String: Int] = [:]
  /// The number of files and directories that were ignored, by reason.
  private(set) var ignored: [Walk.Reason: Int] = [:]
  /// The names of the directories of systems that were ignored.
  private var systemNames: Set<String> = []
  /// Whether the record could be read at the end.
  private var isRestorableKnown = true

  /// What is counted of files besides their status, and sums of their bytes.
  private enum Trait: Int, CaseIterable {
    /// The original can be restored; the result holds its undo data; the record has none.
    case restorable, embedded, withoutUndo
    /// What is planned without being a rotation or flip.
    case plannedReset, plannedTag, plannedCrop, plannedStrip
    /// What is or would be done with the image.
    case flipped, trimmed, reencoded, reencodedBefore, reencodedAfter
    /// Lossless, except for images in the file.
    case excepted
    /// The tag is contradicted and was trusted.
    case contradicted
    /// Next to others whose names differ in their endings only.
    case paired
    case failedSidecar
    /// Of a photo that needs no change, something beside it does.
    case plannedCompanion
    /// Finished by an earlier run.
    case earlier
    /// Found in a directory, so that notes on it are printed only on request.
    case found
    /// Rewritten, and the bytes before and after.
    case sized, bytesBefore, bytesAfter
  }

  mutating func count(_ report: FileReport) {
    let status = report.status
    statuses[status] += 1
    count(.found, if: !report.isNamed)
    count(.failedSidecar, if: report.companionFailed)
    if case .planned = report.result {
      count(.plannedCompanion, if: status.isUnchanged && report.touchesCompanions)
    }
    count(.paired, if: !report.pairedWith.isEmpty)
    count(.restorable, if: report.isRestorable == true)
    count(.embedded, if: report.holdsUndoData)
    count(.withoutUndo, if: report.lacksUndo)
    if let sizes = report.sizes {
      counts[.sized] += 1
      counts[.bytesBefore] += sizes.before
      counts[.bytesAfter] += sizes.after
    }
    if status == .skipped, let reason = report.reasonToSkip {
      reasons[reason.code.rawValue, default: 0] += 1
    }
    if status == .planned, case .undo = report.result { counts[.plannedStrip] += 1 }
    if let plan = report.sharedPlan { count(plan, of: report, isPlanned: status == .planned) }
  }

  private mutating func count(_ plan: Shared<Plan>, of report: FileReport, isPlanned: Bool) {
    count(.plannedCrop, if: isPlanned && plan.value.isCropped)
    switch plan.value.action {
    case .resetTag: count(.plannedReset, if: isPlanned)
    case .changeTag: count(.plannedTag, if: isPlanned)
    case .transform(let transform, let edges):
      count(.flipped, if: transform.mirrors)
      count(.contradicted, if: !plan.value.contradictions.isEmpty)
      switch edges {
      case .lossless: break
      case .trimmed: counts[.trimmed] += 1
      case .reencoded:
        counts[.reencoded] += 1
        counts[.reencodedBefore] += report.sizes?.before ?? 0
        counts[.reencodedAfter] += report.sizes?.after ?? 0
      }
      let exceptions = plan.value.exceptions
      count(.excepted, if: !exceptions.isEmpty)
      self.exceptions.formUnion(exceptions)
      for misfit in plan.value.misfits { misfits[misfit] += 1 }
      for companion in report.companions where companion.isNeighbour {
        neighbours[companion.name, default: 0] += 1
      }
    case .unchanged, .skip: break
    }
  }

  private mutating func count(_ trait: Trait, if applies: Bool) {
    if applies { counts[trait] += 1 }
  }

  /// Adds the counts of other files.
  static func += (total: inout Tally, more: Tally) {
    total.statuses += more.statuses
    total.counts += more.counts
    total.misfits += more.misfits
    total.exceptions.formUnion(more.exceptions)
    total.reasons.merge(more.reasons, uniquingKeysWith: +)
    total.neighbours.merge(more.neighbours, uniquingKeysWith: +)
    total.ignored.merge(more.ignored, uniquingKeysWith: +)
    total.systemNames.formUnion(more.systemNames)
  }

  /// Counts a file that an earlier run has finished.
  mutating func countEarlier() { counts[.earlier] += 1 }

  /// The number of files that an earlier run has finished.
  var earlier: Int { counts[.earlier] }

  /// Counts a file or directory that is ignored.
  mutating func countIgnored(_ path: FilePath, _ reason: Walk.Reason) {
    ignored[reason, default: 0] += 1
    // Their names are few.
    if reason == .system, let name = path.lastComponent { systemNames.insert(name.string) }
  }

  subscript(_ status: Status) -> Int { statuses[status] }

  /// The number of files that need a change, or of which something beside them does.
  var planned: Int { self[.planned] + counts[.plannedCompanion] }

  /// Whether photos to transform have label files, which stay as they are.
  var hasLabels: Bool { neighbours[Neighbour.labelFile] != nil }

  /// Whether a file was found in a directory, so that notes on it are printed only on request.
  var hasFoundFile: Bool { counts[.found] > 0 }

  /// The bytes of the rewritten files before and after; nil if there are none.
  var bytes: (before: Int, after: Int)? {
    counts[.sized] > 0 ? (counts[.bytesBefore], counts[.bytesAfter]) : nil
  }

  /// The number of files that were normalized, rotated or flipped.
  private var transformed: Int { self[.normalized] + self[.rotated] + self[.flipped] }

  var total: Int { statuses.sum + counts[.earlier] }

  /// Returns the summary line.
  func summary(_ palette: Palette = .plain) -> String {
    let skipped = Self.list(reasons)
    let planned =
      self[.planned] - counts[.plannedReset] - counts[.plannedTag] - counts[.plannedCrop]
      - counts[.plannedStrip]
    let flipped = counts[.flipped]
    let transformed = self.transformed + planned
    let verb =
      flipped == 0 ? "rotate" : flipped == transformed ? "flip" : "rotate or flip"
    let past = flipped == 0 ? "rotated" : flipped == transformed ? "flipped" : "rotated or flipped"
    let done =
      [
        (self.transformed, past + how(of: self.transformed)),
        (planned, "to \(verb)" + how(of: planned)),
        (self[.cropped], "cropped" + (self.transformed == 0 ? how(of: self[.cropped]) : "")),
        (
          counts[.plannedCrop],
          "to crop" + (planned == 0 ? how(of: counts[.plannedCrop]) : "")
        ),
        (counts[.plannedReset], "with a tag to reset"), (self[.reset], "with the tag reset"),
        (counts[.plannedTag], "with a tag to change"), (self[.tagged], "with the tag changed"),
        (self[.restored], "restored"), (self[.restorable], "can be restored"),
        (counts[.plannedStrip], "with undo data to remove"),
        (self[.stripped], "with undo data removed"),
        (self[.converted], "converted"), (self[.convertible], "can be converted"),
        (self[.alreadyUpright], "already upright"), (self[.unchanged], "unchanged"),
      ]
    let findings: [(Int, String, Palette.Tone?)] = [
      (self[.skipped], "skipped" + (skipped.isEmpty ? "" : " (\(skipped))"), .finding),
      (self[.failed], "failed", .failure),
      (self[.interrupted], "interrupted and not replaced", .finding),
      (counts[.contradicted], "with a contradicted tag (-v says why)", nil),
      (counts[.paired], "in pairs of one name (--format text -v names them)", nil),
      (counts[.plannedCompanion], "with a sidecar to update", .finding),
      (counts[.failedSidecar], "with a sidecar not updated", .failure),
      (counts[.withoutUndo], "without undo data", .finding),
      (counts[.earlier], "done in an earlier run", nil),
    ]
    let parts =
      done.filter { $0.0 > 0 }.map { palette.noted("\($0.0) \($0.1)") }
      + findings.filter { $0.0 > 0 }.map { palette.marked("\($0.0) \($0.1)", $0.2) }
      + (ignored.isEmpty ? [] : [Walk.Reason.summary(ignored, systemNames: systemNames)])
    return "\(total) file\(total == 1 ? "" : "s")"
      + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
  }

  /// What became of the files, in a few words: those that need attention first.
  var briefly: String {
    let counts = [
      (self[.failed], "failed"), (self[.skipped], "skipped"), (transformed, "rotated"),
      (self[.planned], "to change"), (self[.cropped], "cropped"), (self[.restored], "restored"),
      (self[.converted], "converted"), (self[.reset] + self[.tagged], "tagged"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  /// The line on files that are skipped because of their content credentials; nil for less than two.
  ///
  /// All photos of some phones have them.
  var credentialSummary: String? {
    guard let count = reasons[Reason.contentCredentials.code.rawValue], count > 1 else {
      return nil
    }
    return
      "\(count) files were skipped, because a change makes their C2PA content credentials invalid"
      + " (to rewrite them anyway: --content-credentials keep; and to remove the credentials: --content-credentials strip)"
  }

  /// The lines on what is kept although it may no longer fit the image; nil if there is nothing of that kind.
  var misfitSummary: String? {
    let remedy = self[.planned] > 0 ? ": " : ": " + Self.first(isCropped: self[.cropped] > 0)
    let parts = Misfit.allCases.filter { misfits[$0] > 0 }.map { misfit in
      let count = misfits[misfit]
      return "\(misfit.rawValue) in \(count) file\(count == 1 ? "" : "s")"
        + (misfit.option.map { remedy + $0 } ?? "")
    }
    let lines = [
      parts.isEmpty
        ? nil
        : "kept, but may not fit the transformed image (--format text -v names the files): "
          + parts.joined(separator: "; "),
      neighbours.isEmpty
        ? nil
        : "files beside the photos that are not changed with them (-v lists them): "
          + neighbours.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
          .map { "\($0.key) (\($0.value))" }.joined(separator: ", "),
    ].compactMap { $0 }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// What must be done before an option that comes too late: a crop cannot be undone.
  static func first(isCropped: Bool) -> String {
    isCropped ? "crop the original with " : "undo, then "
  }

  /// Whether a photo keeps its subject area, which is not said of each.
  var keepsSubjects: Bool { misfits[.subjects] > 0 }

  /// Returns how many of some files are lossless, and the cost of the others; empty if all are lossless.
  private func how(of count: Int) -> String {
    let (reencoded, trimmed) = (counts[.reencoded], counts[.trimmed])
    let lossless = count - reencoded - trimmed
    let excepted = counts[.excepted]
    guard count > 0, lossless < count || excepted > 0 else { return "" }
    var parts: [String] = []
    if lossless > 0 { parts.append("\(lossless) lossless") }
    if excepted > 0 {
      let names = exceptions.sorted().joined(separator: " or the ")
      parts.append("\(excepted) of these except for the \(names)")
    }
    if reencoded > 0 {
      let isPlanned = self[.planned] > 0
      let sizes =
        counts[.reencodedAfter] > 0
        ? ": \(ByteCount.text(counts[.reencodedBefore], counts[.reencodedAfter]))" : ""
      parts.append("\(reencoded) \(isPlanned ? "would be " : "")re-encoded\(sizes)")
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
    counts[.restorable] = count.map { max(0, counts[.restorable] - $0) } ?? 0
    isRestorableKnown = count != nil
  }

  /// The sentence on how many rewritten files the record can restore; nil if none was rewritten, or if the number is not
  /// known.
  var restorableSummary: String? {
    guard isRestorableKnown else { return nil }
    return share(counts[.restorable]).map { $0 + " can be restored identically from the record" }
  }

  /// The sentence on how many rewritten files hold their undo data; nil if none was rewritten.
  var embeddedSummary: String? {
    share(counts[.embedded]).map { $0 + " can be restored identically with upright undo alone" }
  }

  private var rewritten: Int { transformed + self[.cropped] + self[.reset] + self[.tagged] }

  /// Whether a file was rewritten that does not hold its undo data.
  var replacesForGood: Bool { rewritten > counts[.embedded] }

  /// Returns how many of the rewritten files these are; nil if none was rewritten.
  private func share(_ count: Int) -> String? {
    guard rewritten > 0 else { return nil }
    return "\(count) of \(rewritten) rewritten file\(rewritten == 1 ? "" : "s")"
  }

  /// The exit status, 0, 1 or 2; see `docs/output.md`.
  var exitStatus: Int32 {
    self[.failed] + counts[.failedSidecar] > 0
      ? 2 : self[.skipped] + counts[.withoutUndo] > 0 ? 1 : 0
  }
}

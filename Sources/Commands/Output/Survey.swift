internal import SystemPackage

/// Totals of many files by action, folder and camera, with the files that need attention.
///
/// Memory grows with the number of folders, cameras and reasons, not with the number of files.
struct Survey: Sendable {
  /// The files with the same reason.
  struct Cause: Sendable {
    var kind: SurveyEntry.Kind
    /// The reason's identifier.
    var identifier: String
    /// The text of the reason, from the first file.
    var text: String
    var count = 0
    /// The first files with this reason.
    var examples: [FilePath] = []
  }

  private(set) var all = SurveyCounts()
  private(set) var bytes = 0
  private(set) var folders = SurveyGroups<FilePath, SurveyCounts>()
  private(set) var cameras = SurveyGroups<String, SurveyCounts>()
  private(set) var formats = FormatCounts()
  private(set) var traits = Counts<SurveyEntry.Trait>()
  /// Whether files were rewritten and not only audited.
  private(set) var isDone = false
  /// Whether files were audited beyond the plan.
  private(set) var hasFacts = false
  /// The reasons why files need attention.
  private(set) var causes: [Cause] = []

  /// Counts a file.
  mutating func add(_ entry: SurveyEntry) {
    all.count(entry.kind)
    bytes += entry.size
    folders.count(in: entry.folder) { $0.count(entry.kind) }
    if entry.size > 0 {
      hasFacts = true
      cameras.count(in: entry.camera ?? "") { $0.count(entry.kind) }
    }
    formats.count(entry.statement, of: entry.format)
    if entry.isDone { isDone = true }
    for trait in entry.traits { traits[trait] += 1 }
    guard let reason = entry.reason else { return }
    let cause = Cause(
      kind: entry.kind,
      identifier: reason.id,
      text: reason.text,
      count: 1,
      examples: [entry.path]
    )
    add(cause)
  }

  /// Adds the totals of files that follow these.
  static func += (total: inout Survey, more: Survey) {
    total.all += more.all
    total.bytes += more.bytes
    total.folders += more.folders
    total.cameras += more.cameras
    total.formats += more.formats
    total.traits += more.traits
    total.isDone = total.isDone || more.isDone
    total.hasFacts = total.hasFacts || more.hasFacts
    for cause in more.causes { total.add(cause) }
  }

  private mutating func add(_ cause: Cause) {
    let index = causes.firstIndex { ($0.kind, $0.identifier) == (cause.kind, cause.identifier) }
    guard let index else { return causes.append(cause) }
    causes[index].count += cause.count
    causes[index].examples += cause.examples.prefix(max(0, 3 - causes[index].examples.count))
  }
}

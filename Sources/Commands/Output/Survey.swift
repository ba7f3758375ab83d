internal import SystemPackage

/// Totals of many files, by what is done, by folder and by camera, with what needs attention.
///
/// Memory grows with the number of folders, cameras and reasons, not with that of the files.
struct Survey: Sendable {
  /// How many files there are of each kind.
  struct Counts: Sendable {
    private(set) var files = 0
    private var kinds = [Int](repeating: 0, count: SurveyEntry.Kind.allCases.count)

    subscript(_ kind: SurveyEntry.Kind) -> Int { kinds[kind.rawValue] }

    /// How many are turned, converted or get a new tag.
    var rewritten: Int {
      self[.exact] + self[.redrawn] + self[.trimmed] + self[.reset] + self[.converted]
    }

    /// How many somebody should look at.
    var troubled: Int { self[.left] + self[.failed] }

    mutating func count(_ kind: SurveyEntry.Kind) {
      files += 1
      kinds[kind.rawValue] += 1
    }
  }

  /// The files of one reason.
  struct Cause: Sendable {
    var kind: SurveyEntry.Kind
    var text: String
    var count = 0
    /// The first of them.
    var examples: [FilePath] = []
  }

  private(set) var all = Counts()
  private(set) var bytes = 0
  private(set) var folders: [FilePath: Counts] = [:]
  private(set) var cameras: [String: Counts] = [:]
  private(set) var causes: [String: Cause] = [:]
  private(set) var traits: [SurveyEntry.Trait: Int] = [:]
  /// Whether files were rewritten, not only looked at.
  private(set) var isDone = false
  /// Whether more was looked at than the plan.
  private(set) var hasFacts = false

  mutating func add(_ entry: SurveyEntry) {
    all.count(entry.kind)
    bytes += entry.size
    folders[entry.path.removingLastComponent(), default: Counts()].count(entry.kind)
    if entry.size > 0 {
      hasFacts = true
      cameras[entry.camera ?? "", default: Counts()].count(entry.kind)
    }
    if entry.isDone { isDone = true }
    for trait in entry.traits { traits[trait, default: 0] += 1 }
    guard let reason = entry.reason else { return }
    let key = "\(entry.kind.rawValue) \(reason.id)"
    causes[key, default: Cause(kind: entry.kind, text: reason.id)].add(entry.path)
  }
}

extension Survey.Cause {
  fileprivate mutating func add(_ path: FilePath) {
    count += 1
    if examples.count < 3 { examples.append(path) }
  }
}

/// The number of files of each kind.
struct SurveyCounts: GroupCounts {
  private(set) var files = 0
  // One count per kind; an array would be a separate allocation for each group.
  private var kinds = SIMD16<Int>()

  subscript(_ kind: SurveyEntry.Kind) -> Int { kinds[kind.rawValue] }

  /// The number of files that are transformed, converted or get a new tag.
  var rewritten: Int {
    self[.lossless] + self[.reencoded] + self[.trimmed] + self[.reset] + self[.converted]
  }

  /// The number of files that need attention.
  var troubled: Int { self[.skipped] + self[.failed] + self[.interrupted] }

  mutating func count(_ kind: SurveyEntry.Kind) {
    files += 1
    kinds[kind.rawValue] += 1
  }

  static func += (total: inout SurveyCounts, more: SurveyCounts) {
    total.files += more.files
    total.kinds &+= more.kinds
  }
}

/// What is counted of the files of a group.
protocol GroupCounts: Sendable {
  init()

  static func += (total: inout Self, more: Self)
}

/// Counts of files by a common key; most files have the key of the file before.
struct SurveyGroups<Key: Hashable & Sendable, Counts: GroupCounts>: Sendable {
  private var all: [(key: Key, counts: Counts)] = []
  private var places: [Key: Int] = [:]

  var count: Int { all.count }

  /// The groups, in the order of their first files.
  var groups: [(key: Key, counts: Counts)] { all }

  /// Counts a file; groups of one key that do not follow each other are joined when they are added to others.
  mutating func count(in key: Key, _ count: (inout Counts) -> Void) {
    if all.isEmpty || all[all.count - 1].key != key { all.append((key, Counts())) }
    count(&all[all.count - 1].counts)
  }

  static func += (total: inout SurveyGroups, more: SurveyGroups) {
    for (key, counts) in more.all {
      if let place = total.places[key] {
        total.all[place].counts += counts
      } else {
        total.places[key] = total.all.count
        total.all.append((key, counts))
      }
    }
  }
}

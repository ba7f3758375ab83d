/// The number of files of each kind.
struct SurveyCounts: Sendable {
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

/// Counts of files by a common key; most files have the key of the file before.
struct SurveyGroups<Key: Hashable & Sendable>: Sendable {
  private var all: [(key: Key, counts: SurveyCounts)] = []
  private var places: [Key: Int] = [:]
  private var last = 0

  var count: Int { all.count }

  /// The groups, in the order of their first files.
  var groups: [(key: Key, counts: SurveyCounts)] { all }

  /// Counts a file.
  mutating func count(_ kind: SurveyEntry.Kind, in key: Key) {
    find(key)
    all[last].counts.count(kind)
  }

  static func += (total: inout SurveyGroups, more: SurveyGroups) {
    for (key, counts) in more.all {
      total.find(key)
      total.all[total.last].counts += counts
    }
  }

  /// Makes the group of a key the current one, and creates it if there is none.
  private mutating func find(_ key: Key) {
    if last < all.count, all[last].key == key { return }
    if let place = places[key] {
      last = place
    } else {
      last = all.count
      places[key] = last
      all.append((key, SurveyCounts()))
    }
  }
}

/// How many files there are of each kind.
struct SurveyCounts: Sendable {
  private(set) var files = 0
  // One for each kind; an array would be memory of its own for each group.
  private var kinds = SIMD8<Int>()

  subscript(_ kind: SurveyEntry.Kind) -> Int { kinds[kind.rawValue] }

  /// How many are transformed, converted or get a new tag.
  var rewritten: Int {
    self[.lossless] + self[.reencoded] + self[.trimmed] + self[.reset] + self[.converted]
  }

  /// How many somebody should look at.
  var troubled: Int { self[.skipped] + self[.failed] }

  mutating func count(_ kind: SurveyEntry.Kind) {
    files += 1
    kinds[kind.rawValue] += 1
  }

  static func += (total: inout SurveyCounts, more: SurveyCounts) {
    total.files += more.files
    total.kinds &+= more.kinds
  }
}

/// Counts of files by something that they share with others, mostly with the one before.
struct SurveyGroups<Key: Hashable & Sendable>: Sendable {
  private var all: [(key: Key, counts: SurveyCounts)] = []
  private var places: [Key: Int] = [:]
  private var last = 0

  var count: Int { all.count }

  /// The groups, in the order in which they were met.
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

  /// Makes the group of a key the last one, and makes it if need be.
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

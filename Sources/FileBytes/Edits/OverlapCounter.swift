/// Counts how many ranges of a list overlap another one, in time that grows with the logarithm of the list's length.
package struct OverlapCounter: Sendable {
  private let ranges: [Range<Int>]
  /// The lower and upper bounds in ascending order; empty for a short list.
  private let starts: [Int]
  private let ends: [Int]

  /// The length up to which a list is not sorted, because that takes longer.
  private static let shortLength = 100

  /// Creates a counter of the ranges that are not empty.
  package init(_ ranges: [Range<Int>]) {
    self.ranges = ranges
    guard ranges.count > Self.shortLength else {
      (starts, ends) = ([], [])
      return
    }
    let sorted = ranges.filter { !$0.isEmpty }
    starts = sorted.map { $0.lowerBound }.ordered { $0 }
    ends = sorted.map { $0.upperBound }.ordered { $0 }
  }

  /// Returns the number of ranges that have bytes in common with a range.
  package func count(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    if ranges.count <= Self.shortLength {
      return ranges.reduce(0) { $0 + ($1.overlaps(range) ? 1 : 0) }
    }
    // Those that begin before its end, without those that end before its beginning.
    return starts.partitionPoint { $0 >= range.upperBound }
      - ends.partitionPoint { $0 > range.lowerBound }
  }

  /// Returns whether all bytes of a range belong to one and the same range of the list, and to no other.
  package func hasOneOwner(_ range: Range<Int>) -> Bool {
    count(range) == 1 && count(range.prefix(1)) == 1 && count(range.suffix(1)) == 1
  }
}

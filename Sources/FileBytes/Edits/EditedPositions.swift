/// Where the bytes of a file are after edits, in time that grows with the logarithm of the number of edits.
package struct EditedPositions: Sendable {
  private let beginnings: Shifts
  private let ends: Shifts

  package init(_ edits: [Edit]) {
    beginnings = Shifts(edits.ordered { $0.range.lowerBound }) { $0.range.lowerBound }
    ends = Shifts(edits.ordered { $0.range.upperBound }) { $0.range.upperBound }
  }

  /// Returns the position in the edited copy of the byte at `offset` of the original.
  ///
  /// Insertions at the offset come before it.
  package func position(of offset: Int) -> Int { offset + ends.sum(before: offset + 1) }

  /// Returns the change in length by the edits that begin between two offsets, without the second.
  package func growth(from start: Int, to end: Int) -> Int {
    start < end ? beginnings.sum(before: end) - beginnings.sum(before: start) : 0
  }

  /// The changes in length, in ascending order of places.
  private struct Shifts: Sendable {
    private let places: [Int]
    /// The sum of the changes before each place, and that of all.
    private let sums: [Int]

    init(_ edits: [Edit], _ place: (Edit) -> Int) {
      places = edits.map(place)
      var sums = [0]
      for edit in edits { sums.append(sums[sums.count - 1] + edit.shift) }
      self.sums = sums
    }

    func sum(before offset: Int) -> Int { sums[places.partitionPoint { $0 >= offset }] }
  }
}

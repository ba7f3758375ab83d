/// A number for each key.
///
/// The numbers are in an array, because a dictionary would hash a key for every file.
struct Counts<Key: CaseIterable & Equatable & Sendable>: GroupCounts {
  private var numbers = [Int](repeating: 0, count: Key.allCases.count)

  subscript(_ key: Key) -> Int {
    get { numbers[Self.place(of: key)] }
    set { numbers[Self.place(of: key)] = newValue }
  }

  /// The sum of all numbers.
  var sum: Int { numbers.reduce(0, +) }

  static func += (total: inout Counts, more: Counts) {
    for place in total.numbers.indices { total.numbers[place] += more.numbers[place] }
  }

  private static func place(of key: Key) -> Int {
    var place = 0
    for other in Key.allCases {
      if other == key { return place }
      place += 1
    }
    return place
  }
}

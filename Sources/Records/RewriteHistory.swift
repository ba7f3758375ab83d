internal import FileBytes
package import SystemPackage

/// What the records of rewrites say of the original of a file (`docs/record-format.md`, section 1).
///
/// It reads no files: what is at a place now is asked for.
package struct RewriteHistory: Sendable {
  /// A record.
  package typealias Entry = RecordIndex.Entry

  /// A content at a place.
  private struct Node: Hashable {
    var content: Digest
    var place: FilePath
  }

  /// What the records up to a moment say of a content at a place.
  private struct State {
    /// The last record of it.
    var last: Int?
    /// The record whose rewrite was the first of the file; nil if there are several such files.
    var first: Int?
  }

  /// The records.
  package let entries: [Entry]
  /// The records by the hash after the rewrite, and for each hash in the order of time.
  private let byAfter: [Int]
  /// The records by the hash before the rewrite.
  private let byBefore: [Int]
  /// For each record, that of the rewrite before it at the same place.
  private(set) var previous: [Int?]
  /// For each record, that of the first rewrite of its file; nil if there are several such files.
  private var first: [Int?]
  /// The records by the place of the result.
  private let byResultPlace: PlaceList
  /// The records by the place of the file before the rewrite.
  private let byOriginPlace: PlaceList

  /// The records of each place, found without looking at those of others: thousands of photos may have the same content.
  private struct PlaceList {
    private var last: [FilePath: Int] = [:]
    /// For each record, the one before it in the file of the same place.
    private var earlier: [Int?] = []

    init(_ places: some Sequence<FilePath?>) {
      for (index, place) in places.enumerated() {
        earlier.append(place.flatMap { last.updateValue(index, forKey: $0) })
      }
    }

    /// The records of a place, the last one in the file first.
    func records(at place: FilePath) -> some Sequence<Int> {
      sequence(state: last[place]) { next -> Int? in
        defer { next = next.flatMap { earlier[$0] } }
        return next
      }
    }

    func contains(_ place: FilePath) -> Bool { last[place] != nil }
  }

  /// Connects records, which are in the order of their file.
  package init(_ entries: [Entry]) {
    self.entries = entries
    func sorted(_ hash: KeyPath<Entry, Digest>) -> [Int] {
      entries.indices.sorted { one, other in
        let (left, right) = (entries[one], entries[other])
        if left[keyPath: hash] != right[keyPath: hash] {
          return left[keyPath: hash].precedes(right[keyPath: hash])
        }
        return (left.date, one) < (right.date, other)
      }
    }
    byAfter = sorted(\.after)
    byBefore = sorted(\.before)
    previous = Array(repeating: nil, count: entries.count)
    first = Array(repeating: nil, count: entries.count)
    byResultPlace = PlaceList(entries.lazy.map(\.resultKey))
    byOriginPlace = PlaceList(entries.lazy.map(\.originKey))
    connect()
  }

  private mutating func connect() {
    var states: [Node: State] = [:]
    func merge(_ state: State, _ content: Digest, _ place: FilePath?) {
      guard let place else { return }
      let node = Node(content: content, place: place)
      guard let old = states[node] else {
        states[node] = state
        return
      }
      let agrees = original(old.first) != nil && original(old.first) == original(state.first)
      states[node] = State(last: state.last ?? old.last, first: agrees ? old.first : nil)
    }
    let order = entries.indices.sorted { (entries[$0].date, $0) < (entries[$1].date, $1) }
    for index in order {
      let entry = entries[index]
      let isResult = !results(entry.before).isEmpty
      if isResult, let place = entry.originKey,
        let state = states[Node(content: entry.before, place: place)], let last = state.last
      {
        (previous[index], first[index]) = (last, state.first)
      } else {
        first[index] = index
        if isResult { merge(State(last: nil, first: index), entry.before, entry.originKey) }
      }
      if isOriginal(entry.after) {
        merge(State(last: index, first: first[index]), entry.after, entry.resultKey)
      }
    }
  }

  private func original(_ record: Int?) -> Digest? { record.map { entries[$0].before } }

  /// The first original that a record leads to at its places; nil if it is not one.
  func original(of record: Int) -> Digest? { original(first[record]) }

  /// The records with this hash after the rewrite, in the order of time.
  func results(_ digest: Digest) -> ArraySlice<Int> { records(digest, in: byAfter, \.after) }

  /// The records of the first rewrites of files with this hash.
  func starts(_ digest: Digest) -> [Int] {
    records(digest, in: byBefore, \.before).filter { previous[$0] == nil }
  }

  /// The records with this hash after the rewrite whose result is at a place, in the order of time.
  func results(_ digest: Digest, at place: FilePath) -> [Int] {
    inOrder(byResultPlace.records(at: place).filter { entries[$0].after == digest })
  }

  /// The records of the first rewrites of files with this hash that were at a place.
  func starts(_ digest: Digest, at place: FilePath) -> [Int] {
    inOrder(
      byOriginPlace.records(at: place).filter {
        entries[$0].before == digest && previous[$0] == nil
      }
    )
  }

  private func inOrder(_ records: [Int]) -> [Int] {
    records.sorted { (entries[$0].date, $0) < (entries[$1].date, $1) }
  }

  /// Whether a record has this hash before its rewrite.
  func isOriginal(_ digest: Digest) -> Bool { !records(digest, in: byBefore, \.before).isEmpty }

  private func records(
    _ digest: Digest,
    in sorted: [Int],
    _ hash: KeyPath<Entry, Digest>
  ) -> ArraySlice<Int> {
    let start = sorted.partitionPoint { !entries[$0][keyPath: hash].precedes(digest) }
    let rest = sorted[start...]
    return rest[..<rest.partitionPoint { digest.precedes(entries[$0][keyPath: hash]) }]
  }

  /// Whether there is a record whose result is at a place.
  package func hasRecord(at place: FilePath) -> Bool { byResultPlace.contains(place) }

  /// Whether a file at a record's place with this hash can be the recorded one, before or after other rewrites there.
  func isConnected(_ digest: Digest, to record: Int) -> Bool {
    let entry = entries[record]
    if digest == entry.after || digest == entry.before { return true }
    var neighbours: [Digest: [Digest]] = [:]
    if let place = entry.resultKey {
      for index in byResultPlace.records(at: place) {
        neighbours[entries[index].before, default: []].append(entries[index].after)
        neighbours[entries[index].after, default: []].append(entries[index].before)
      }
    }
    var (visited, open): (Set, Array) = ([entry.after], [entry.after])
    while let content = open.popLast() {
      for neighbour in neighbours[content, default: []]
      where visited.insert(neighbour).inserted {
        open.append(neighbour)
      }
    }
    return visited.contains(digest)
  }
}

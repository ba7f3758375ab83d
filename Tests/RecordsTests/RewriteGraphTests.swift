import Foundation
import Records
import SystemPackage
import Testing

/// Random rewrites, moves, copies and undos, compared with a model that knows the original of each file.
///
/// Where contents are few, originals are often equal to the results of other files.
struct RewriteGraphTests {
  fileprivate typealias Content = Int

  fileprivate static let digests = (0..<128).map { Digest(of: [UInt8($0)]) }
  fileprivate static let places = (0..<6).map { FilePath("/archive/\($0)") }

  /// A file, as the model knows it.
  fileprivate struct File {
    /// Its contents since the original, by the rewrites that are not undone.
    var line: [Content]
    /// The number of the file that it is, or is a copy of.
    var id: Int
  }

  fileprivate struct Graph {
    var random: SplitMix
    var files: [Int: File] = [:]
    var entries: [RecordIndex.Entry] = []
    /// The files that had a content at a place, as records say.
    var recorded: [Int: [Content: Set<Int>]] = [:]
    /// The contents that a file, or a copy of it, has had, and those that it had when it came to a place.
    var had: [Int: Set<Content>] = [:]
    var arrived: [Int: Set<Content>] = [:]
    /// The files whose original a record names.
    var known: Set<Int> = []
    var counts: [Outcome: Int] = [:]
    var ids = 0
    /// Whether all records have the same time.
    let isFast: Bool
    let contents: Int

    init(seed: UInt64, contents: Int) {
      self.contents = contents
      random = SplitMix(state: seed)
      isFast = random.below(3) == 0
    }
  }

  fileprivate enum Outcome: String {
    /// The first original, the content with which a copy came to its place, or none though there is one.
    case restored, toItsBeginning, refused
    /// Nothing is to be restored, or nothing is known.
    case original, copy, unknown
    /// The original of an equal file, because the file itself was never rewritten.
    case stranger
  }

  @Test(arguments: [8, 128])
  func `Undo never gives a file the original of another one`(contents: Int) throws {
    let count = ProcessInfo.processInfo.environment["UPRIGHT_GRAPHS"].flatMap { Int($0) } ?? 2_000
    var counts: [Outcome: Int] = [:]
    for seed in 0..<count {
      var graph = Graph(seed: UInt64(seed), contents: contents)
      for _ in 0..<16 { try graph.step(seed) }
      graph.join()
      let history = RewriteHistory(graph.entries)
      for place in graph.files.keys.sorted() { try graph.undo(place, history, seed, isReal: false) }
      counts.merge(graph.counts, uniquingKeysWith: +)
    }
    print(
      "\(contents) contents:",
      counts.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")
    )
    #expect(counts[.restored, default: 0] > count / 2)
    // Files are refused if they may have come from another place: after rewrites at both, or because contents are equal.
    #expect(
      counts[.refused, default: 0] < counts[.restored, default: 0] / (contents > 100 ? 10 : 2)
    )
  }
}

extension RewriteGraphTests.Graph {
  fileprivate mutating func step(_ seed: Int) throws {
    let (place, other) = (random.below(6), random.below(6))
    guard let file = files[place] else {
      let content = random.below(contents)
      ids += 1
      arrive(.init(line: [content], id: ids), at: place)
      return
    }
    switch random.below(12) {
    case 0...4: rewrite(file, from: place, to: place)
    case 5: rewrite(file, from: place, to: other)
    case 6...7:
      // A move.
      if place != other, arrive(file, at: other) { files[place] = nil }
    case 8: if place != other { arrive(file, at: other) }
    case 9: files[place] = nil
    case 10: try undo(place, RewriteHistory(entries), seed, isReal: true)
    default:
      // A run that was killed before it replaced the file.
      let after = random.below(contents)
      if after != file.line.last { record(file, after, from: place, to: place) }
    }
  }

  /// Puts a file at a place, unless it is byte for byte a file that the records know there.
  @discardableResult
  private mutating func arrive(_ file: RewriteGraphTests.File, at place: Int) -> Bool {
    let content = file.line[file.line.count - 1]
    guard mayBe(file, content, at: place) else { return false }
    files[place] = file
    had[file.id, default: []].insert(content)
    arrived[file.id, default: []].insert(content)
    return true
  }

  private func mayBe(_ file: RewriteGraphTests.File, _ content: Int, at place: Int) -> Bool {
    let known = recorded[place, default: [:]][content, default: []]
    return known.isEmpty || known.contains(file.id)
  }

  private mutating func rewrite(_ file: RewriteGraphTests.File, from place: Int, to other: Int) {
    // Two of them are one another's inverse, and one gives many files the same content.
    let content = file.line[file.line.count - 1]
    let (photo, state) = (content & ~3, content & 3)
    let after = [photo | (state + 1) & 3, photo | (state + 3) & 3, photo, 0][random.below(4)]
    guard after != content else { return }
    record(file, after, from: place, to: other)
    files[other] = file
    files[other]?.line.append(after)
    had[file.id, default: []].insert(after)
  }

  private mutating func record(
    _ file: RewriteGraphTests.File,
    _ after: Int,
    from place: Int,
    to other: Int
  ) {
    let before = file.line[file.line.count - 1]
    if file.line.count == 1 { known.insert(file.id) }
    recorded[place, default: [:]][before, default: []].insert(file.id)
    recorded[other, default: [:]][after, default: []].insert(file.id)
    entries.append(
      RecordIndex.Entry(
        line: entries.count + 1,
        date: isFast ? 1 : entries.count,
        from: (RewriteGraphTests.places[place], RewriteGraphTests.digests[before]),
        to: (RewriteGraphTests.places[other], RewriteGraphTests.digests[after])
      )
    )
  }

  /// Joins the records as if they were in two files.
  fileprivate mutating func join() {
    guard !isFast else { return }
    let part = entries.map { _ in random.below(2) }
    entries = [1, 0].flatMap { number in zip(entries, part).filter { $0.1 == number }.map(\.0) }
  }

  fileprivate mutating func undo(
    _ place: Int,
    _ history: RewriteHistory,
    _ seed: Int,
    isReal: Bool
  ) throws {
    guard let file = files[place] else { return }
    let content = file.line[file.line.count - 1]
    let digest = RewriteGraphTests.digests[content]
    let path = RewriteGraphTests.places[place]
    let files = files
    let look = { (path: FilePath) -> PlaceContent in
      guard let index = RewriteGraphTests.places.firstIndex(of: path), let other = files[index]
      else { return .nothing }
      if index == place { return .sameFile }
      return .file(RewriteGraphTests.digests[other.line[other.line.count - 1]])
    }
    let isLast = isReal && random.below(3) == 0
    var outcome = RewriteGraphTests.Outcome.refused
    do throws(RewriteHistory.Ambiguity) {
      switch try history.way(from: digest, at: path, maxSteps: isLast ? 1 : .max, look) {
      case .unknown: outcome = .unknown
      case .original: outcome = .original
      case .rewritten(let way):
        if history.isCopy(digest, at: path, look), random.below(2) == 0 {
          outcome = .copy
          break
        }
        guard let last = way.last,
          let found = RewriteGraphTests.digests.firstIndex(of: history.entries[last].before)
        else { break }
        if isLast ? had[file.id, default: []].contains(found) : found == file.line[0] {
          outcome = .restored
        } else if arrived[file.id, default: []].contains(found) {
          outcome = .toItsBeginning
        } else {
          // Nothing tells a file that was never rewritten from a copy of a result.
          outcome = .stranger
          #expect(!known.contains(file.id), "seed \(seed): \(file) became \(found) at \(place)")
        }
        if isReal, outcome != .stranger, mayBe(file, found, at: place) {
          arrived[file.id, default: []].insert(found)
          let rest = file.line.prefix { $0 != found }
          self.files[place]?.line =
            rest.count < file.line.count ? rest + [found] : [file.line[0], found]
        }
      }
    } catch  where file.line.count == 1 {
      outcome = .original
    } catch {}
    if !isReal { counts[outcome, default: 0] += 1 }
  }
}

/// A small generator, so that each graph can be made again from its number.
private struct SplitMix {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }
}

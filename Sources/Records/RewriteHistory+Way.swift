package import SystemPackage

/// What is at the place of a record now.
package enum PlaceContent: Hashable, Sendable {
  /// No file.
  case nothing
  /// The file whose original is looked for, by another name.
  case sameFile
  /// A file that cannot be read.
  case unreadable
  /// Another file, with this hash.
  case file(Digest)
}

extension RewriteHistory {
  /// What the records say of a file.
  package enum Answer: Sendable {
    /// Nothing.
    case unknown
    /// It is an original.
    case original
    /// These rewrites lead back to its original, the last one first.
    case rewritten([Int])
  }

  /// The error that there is not exactly one original, or too many rewrites.
  package struct Ambiguity: Error {}

  /// Gives what is at the place of a record now.
  package typealias Lookup = (FilePath) -> PlaceContent

  /// The maximum number of rewrites of one file that are followed.
  static let maxRewrites = 1_000
  /// The maximum number of places that may be links to a file.
  private static let maxLinks = 32

  /// Returns the rewrites that lead from a file back to its first original.
  ///
  /// At most `maxSteps` rewrites are undone. What is at other places now is looked up, if it matters.
  ///
  /// - Returns: What the records say.
  /// - Throws: ``Ambiguity``.
  package func way(
    from digest: Digest,
    at place: FilePath,
    maxSteps: Int,
    _ content: Lookup
  ) throws(Ambiguity) -> Answer {
    let here = ownPlace(of: place, digest, content)
    let former = here ?? formerPlace(of: place, digest, content)
    let own = former.map { results(digest, at: $0) } ?? Array(results(digest))
    let ownStarts = former.map { starts(digest, at: $0) } ?? starts(digest)
    guard !own.isEmpty || !ownStarts.isEmpty else { return .unknown }
    guard let original = agreed(own, on: ownStarts.isEmpty ? nil : digest) else {
      // The last rewrite may be certain though earlier ones are not.
      guard former != nil, maxSteps == 1, ownStarts.isEmpty,
        Set(own.map { entries[$0].before }).count == 1
      else { throw Ambiguity() }
      return .rewritten([own[own.count - 1]])
    }
    if original == digest { return .original }
    var chains: [[Int]] = []
    for last in lastOfEachPlace(own) {
      var chain = try chain(from: last)
      if chain.count < maxSteps { chain = try extended(chain, here: here, content) }
      chains.append(Array(chain.prefix(maxSteps)))
    }
    return .rewritten(
      chains.first { $0.allSatisfy { entries[$0].hasUndo } } ?? chains[0]
    )
  }

  /// Whether a file that was not recorded at its place is a copy: every recorded file with its content is still at its place.
  package func isCopy(_ digest: Digest, at place: FilePath, _ content: Lookup) -> Bool {
    let results = results(digest)
    guard !results.isEmpty, ownPlace(of: place, digest, content) == nil else {
      return false
    }
    return results.allSatisfy { isStillThere($0, content) { $0 != .nothing && $0 != .sameFile } }
  }

  /// Returns the place of records that is this path, or is another path of the same file.
  private func ownPlace(
    of place: FilePath,
    _ digest: Digest,
    _ content: Lookup
  ) -> FilePath? {
    if !results(digest, at: place).isEmpty || !starts(digest, at: place).isEmpty { return place }
    var places = results(digest).map { entries[$0].resultKey }
    places += starts(digest).map { entries[$0].originKey }
    var visited: Set<FilePath> = []
    for other in places {
      guard let other, other.isAbsolute, visited.insert(other).inserted else { continue }
      if visited.count > Self.maxLinks { break }
      if content(other) == .sameFile { return other }
    }
    return nil
  }

  /// Returns the place at which a file with this hash was recorded: this one, one from which it was moved, or another path of
  /// it; nil if there is none, or if it may be one of several.
  package func recordedPlace(
    of digest: Digest,
    at place: FilePath,
    _ content: Lookup
  ) -> FilePath? {
    if let place = ownPlace(of: place, digest, content) { return place }
    let places = places(of: digest)
    return places.count == 1 ? places.first : formerPlace(of: place, digest, content)
  }

  private func places(of digest: Digest) -> Set<FilePath> {
    Set(
      results(digest).compactMap { entries[$0].resultKey }
        + starts(digest).compactMap { entries[$0].originKey }
    )
  }

  /// Returns the place from which a file was moved together with its folder: that of which the longest end of the path is the
  /// same; nil if none is, if several are, or if the file is still there.
  private func formerPlace(
    of place: FilePath,
    _ digest: Digest,
    _ content: Lookup
  ) -> FilePath? {
    var (best, length) = (FilePath?.none, 0)
    for other in places(of: digest) {
      let pairs = zip(other.components.reversed(), place.components.reversed())
      let count = pairs.prefix { $0 == $1 }.count
      if count == length { best = nil }
      if count > length { (best, length) = (other, count) }
    }
    guard let best else { return nil }
    guard best.isAbsolute, case .file(let current) = content(best) else {
      return best.isAbsolute && content(best) == .unreadable ? nil : best
    }
    let known = results(digest, at: best) + starts(digest, at: best)
    return known.contains { isConnected(current, to: $0) } ? nil : best
  }

  /// Returns the first original of all records, which must be the same, and that of `start` if it is not nil.
  private func agreed(_ records: [Int], on start: Digest?) -> Digest? {
    var agreed = start
    for record in records {
      guard let original = original(of: record), agreed == nil || agreed == original else {
        return nil
      }
      agreed = original
    }
    return agreed
  }

  private func lastOfEachPlace(_ records: [Int]) -> [Int] {
    var last: [FilePath?: Int] = [:]
    for record in records { last[entries[record].resultKey] = record }
    return records.filter { last[entries[$0].resultKey] == $0 }
  }

  private func chain(from record: Int) throws(Ambiguity) -> [Int] {
    var chain = [record]
    while let next = previous[chain[chain.count - 1]] {
      guard chain.count < Self.maxRewrites else { throw Ambiguity() }
      chain.append(next)
    }
    return chain
  }

  /// Returns a chain with what other paths of the same file add to it.
  ///
  /// - Throws: ``Ambiguity``, if the file may have come from another place, where it was rewritten, too.
  private func extended(
    _ chain: [Int],
    here: FilePath?,
    _ content: Lookup
  ) throws(Ambiguity) -> [Int] {
    var chain = chain
    while true {
      let last = chain[chain.count - 1]
      let (original, origin) = (entries[last].before, entries[last].originKey)
      let isHere = here != nil && (origin == here || origin.map(content) == .sameFile)
      var links: [Int] = []
      for record in results(original) where self.original(of: record) != original {
        if let origin, entries[record].resultKey == origin { throw Ambiguity() }
        guard isEarlier(record, than: last) else { continue }
        if isStillThere(record, content, otherwise: { _ in false }) { continue }
        guard isHere, let place = entries[record].resultKey, place.isAbsolute,
          content(place) == .sameFile
        else { throw Ambiguity() }
        links.append(record)
      }
      guard let next = links.last else { return chain }
      guard agreed(links, on: nil) != nil else { throw Ambiguity() }
      chain += try self.chain(from: next)
      guard chain.count <= Self.maxRewrites else { throw Ambiguity() }
    }
  }

  private func isEarlier(_ record: Int, than other: Int) -> Bool {
    (entries[record].date, record) < (entries[other].date, other)
  }

  /// Whether the file of a record is still at its place, before or after other rewrites there.
  ///
  /// `otherwise` decides where there is no other file that can be read.
  private func isStillThere(
    _ record: Int,
    _ content: Lookup,
    otherwise: (PlaceContent) -> Bool
  ) -> Bool {
    guard let place = entries[record].resultKey, place.isAbsolute else { return false }
    let found = content(place)
    guard case .file(let digest) = found else { return otherwise(found) }
    return isConnected(digest, to: record)
  }
}

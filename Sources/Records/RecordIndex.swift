package import FileSystem
package import SystemPackage

/// An index of a record file by path and by hash; the records themselves stay on the disk.
public struct RecordIndex: Sendable {
  /// The indexed part of a record.
  public struct Entry: Sendable {
    /// The number of its line, from 1.
    public var line: Int
    /// The path of the result; nil if it was written to standard output.
    package var place: FilePath?
    /// The path of the file before the rewrite; nil if it was standard input.
    package var origin: FilePath?
    /// The hash of the file before the rewrite.
    public var before: Digest
    /// The hash of the file after the rewrite.
    public var after: Digest
    /// Whether it is the record of a sidecar.
    public var isSidecar: Bool
    /// Whether the record has undo data.
    package var hasUndo: Bool
    fileprivate var source: RecordSource.Place
  }

  private let source: RecordSource
  /// The records in the order of the file.
  public private(set) var entries: [Entry] = []
  /// The first lines that are not records, with their numbers.
  package private(set) var lineProblems: [(line: Int, problem: RecordLine.Problem)] = []
  /// The number of further lines that are not records.
  public private(set) var furtherProblems = 0
  private var byAfter: [Digest: [Int]] = [:]
  private var befores: Set<Digest> = []
  private var places: Set<FilePath> = []
  private var sidecarPlaces: Set<FilePath> = []
  /// The base directories by their identifiers.
  private var bases: [String: FilePath] = [:]

  /// The maximum number of lines in ``lineProblems``.
  private static let maxProblems = 100

  /// Reads a record file line by line.
  package init(_ path: FilePath) throws(FileError) {
    source = try RecordSource(path)
    try source.forEachLine { read($0) }
  }

  private mutating func read(_ line: RecordSource.Line) {
    do throws(RecordLine.Problem) {
      guard line.isWhole else { throw .damaged }
      switch try RecordLine.content(of: line.bytes, bases: bases) {
      case .base(let base): bases[base.id] = base.path
      case .record(let record): add(record, line)
      }
    } catch {
      if lineProblems.count < Self.maxProblems {
        lineProblems.append((line.number, error))
      } else {
        furtherProblems += 1
      }
    }
  }

  private mutating func add(_ record: Record, _ line: RecordSource.Line) {
    let place = record.place
    byAfter[record.after.sha256, default: []].append(entries.count)
    befores.insert(record.before.sha256)
    if let place { places.insert(place) }
    if record.action == .updated, let place { sidecarPlaces.insert(place) }
    entries.append(
      Entry(
        line: line.number,
        place: place,
        origin: record.origin,
        before: record.before.sha256,
        after: record.after.sha256,
        isSidecar: record.action == .updated,
        hasUndo: record.undo != nil,
        source: line.place
      )
    )
  }

  /// Whether there is a record of a sidecar.
  public var hasSidecars: Bool { !sidecarPlaces.isEmpty }

  /// Whether there is a record of the sidecar at an absolute path.
  package func hasSidecar(at place: FilePath) -> Bool { sidecarPlaces.contains(place) }

  /// The places of the records of files with this hash.
  package func places(of digest: Digest) -> Set<FilePath> {
    Set(byAfter[digest, default: []].compactMap { entries[$0].place })
  }

  /// Whether there is a record of the file at an absolute path.
  package func hasRecord(at place: FilePath) -> Bool { places.contains(place) }

  /// Whether a record has this hash before its rewrite.
  public func isOriginal(_ digest: Digest) -> Bool { befores.contains(digest) }

  /// Why there is not exactly one original.
  package enum Ambiguity: Error {
    /// Several originals have become the same file, and none of their records is of this path.
    case severalOriginals
  }

  /// Returns the records that lead from a file back to its first original, in the order in which they are undone.
  ///
  /// If no record of a file with this hash is of this path, the file was moved or copied.
  ///
  /// - Returns: The records; none if no record is of a file with this hash.
  package func undo(
    from digest: Digest,
    at place: FilePath,
    maxSteps: Int = .max
  ) throws(Ambiguity) -> [Entry] {
    guard let candidates = byAfter[digest] else { return [] }
    if candidates.contains(where: { entries[$0].place == place }) {
      return try chain(from: digest, at: place, maxSteps)
    }
    // In the order of the file, so that the same record is used every time.
    var visited: Set<FilePath?> = []
    var chains: [[Entry]] = []
    for place in candidates.map({ entries[$0].place }) where visited.insert(place).inserted {
      chains.append(try chain(from: digest, at: place, maxSteps))
    }
    guard chains.allSatisfy({ $0.last?.before == chains[0].last?.before }) else {
      throw .severalOriginals
    }
    return chains.first { $0.allSatisfy(\.hasUndo) } ?? chains[0]
  }

  /// The maximum number of rewrites of one file that are followed.
  private static let maxChain = 1_000

  /// Returns the records of the rewrites of one file, the last one first.
  ///
  /// Each record is used once, and the one before the last used one is preferred, so that a file that had the same
  /// content more than once is followed back to its first original.
  private func chain(
    from digest: Digest,
    at place: FilePath?,
    _ maxSteps: Int
  ) throws(Ambiguity) -> [Entry] {
    var chain: [Entry] = []
    var used: Set<Int> = []
    var visited: Set<Digest> = []
    var (digest, place, end) = (digest, place, entries.count)
    while chain.count < maxSteps, let candidates = byAfter[digest] {
      visited.insert(digest)
      let unused = candidates.filter { !used.contains($0) }
      let own = unused.filter { entries[$0].place == place }
      let eligible = own.isEmpty ? unused : own
      // Record files may be joined in any order.
      let later = eligible.last { !visited.contains(entries[$0].before) }
      guard let index = eligible.last(where: { $0 < end }) ?? later else { break }
      if own.isEmpty, unused.contains(where: { entries[$0].before != entries[index].before }) {
        throw .severalOriginals
      }
      guard chain.count < Self.maxChain else { throw .severalOriginals }
      used.insert(index)
      chain.append(entries[index])
      (digest, place, end) = (entries[index].before, entries[index].origin, index)
    }
    return chain
  }

  /// Reads a record again.
  ///
  /// - Returns: The record, or nil if the record file changed meanwhile.
  package func record(_ entry: Entry) throws(FileError) -> Record? {
    guard let line = try source.line(at: entry.source),
      let record = try? RecordLine.record(line, bases: bases), record.before.sha256 == entry.before,
      record.after.sha256 == entry.after
    else { return nil }
    return record
  }
}

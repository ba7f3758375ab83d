package import FileSystem
package import SystemPackage

/// An index of a file of records by path and by hash; the records themselves stay on the disk.
public struct RecordIndex: Sendable {
  /// The indexed part of a record.
  public struct Entry: Sendable {
    /// The number of its line, from 1.
    public var line: Int
    /// The path of the result; nil if it was written to standard output.
    package var place: FilePath?
    /// The hash of the file before the rewrite.
    public var before: Digest
    /// The hash of the file after the rewrite.
    public var after: Digest
    /// Whether it is the record of a sidecar.
    public var isSidecar: Bool
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
  private var sidecars = 0

  /// The maximum number of lines in ``lineProblems``.
  private static let maxProblems = 100

  /// Reads a file of records line by line.
  ///
  /// - Throws: ``FileError``.
  package init(_ path: FilePath) throws(FileError) {
    source = try RecordSource(path)
    try source.forEachLine { read($0) }
  }

  private mutating func read(_ line: RecordSource.Line) {
    do throws(RecordLine.Problem) {
      guard line.isWhole else { throw .damaged }
      let record = try RecordLine.record(line.bytes)
      let place = record.place
      byAfter[record.after.sha256, default: []].append(entries.count)
      befores.insert(record.before.sha256)
      if let place { places.insert(place) }
      if record.action == .updated { sidecars += 1 }
      entries.append(
        Entry(
          line: line.number,
          place: place,
          before: record.before.sha256,
          after: record.after.sha256,
          isSidecar: record.action == .updated,
          source: line.place
        )
      )
    } catch {
      if lineProblems.count < Self.maxProblems {
        lineProblems.append((line.number, error))
      } else {
        furtherProblems += 1
      }
    }
  }

  /// Whether there is a record of a sidecar.
  public var hasSidecars: Bool { sidecars > 0 }

  /// Whether there is a record of the file at an absolute path.
  package func hasRecord(at place: FilePath) -> Bool { places.contains(place) }

  /// Whether a record has this hash before its rewrite.
  public func isOriginal(_ digest: Digest) -> Bool { befores.contains(digest) }

  /// Why there is not exactly one original.
  package enum Ambiguity: Error {
    /// Several originals have become the same file, and none of their records is of this path.
    case severalOriginals
  }

  /// Returns the records that lead from a file back to its original, in the order in which they are undone.
  ///
  /// - Parameters:
  ///   - digest: The hash of the file.
  ///   - place: Its absolute path, which decides if the records of several files match.
  /// - Returns: The records; none if no record is of a file with this hash.
  /// - Throws: ``Ambiguity``.
  package func undo(
    from digest: Digest,
    at place: FilePath
  ) throws(Ambiguity) -> [Entry] {
    var way: [Entry] = []
    var digest = digest
    var visited: Set<Digest> = []
    while visited.insert(digest).inserted, let candidates = byAfter[digest] {
      let own = candidates.last { entries[$0].place == place }
      guard let index = own ?? candidates.last, !visited.contains(entries[index].before) else {
        break
      }
      if own == nil, candidates.contains(where: { entries[$0].before != entries[index].before }) {
        throw .severalOriginals
      }
      way.append(entries[index])
      digest = entries[index].before
    }
    return way
  }

  /// Reads a record again.
  ///
  /// - Returns: The record, or nil if the file of records changed meanwhile.
  /// - Throws: ``FileError``.
  package func record(_ entry: Entry) throws(FileError) -> Record? {
    guard let line = try source.line(at: entry.source),
      let record = try? RecordLine.record(line), record.before.sha256 == entry.before,
      record.after.sha256 == entry.after
    else { return nil }
    return record
  }
}

package import FileSystem
package import SystemPackage

/// An index of a record file by path and by hash; the records themselves stay on the disk.
public struct RecordIndex: Sendable {
  /// The indexed part of a record.
  public struct Entry: Sendable {
    /// The number of its line, from 1.
    public var line: Int
    /// The time of the rewrite, as a number that grows with it; 0 if the record has none.
    var date: Int
    /// The place of the result: an absolute path, or one that is compared only (`Record.resultKey`).
    var resultKey: FilePath?
    /// The place of the file before the rewrite.
    var originKey: FilePath?
    /// The hash of the file before the rewrite.
    public var before: Digest
    /// The modification time of the file before the rewrite, if it is known.
    package var modified: Timestamp?
    /// The hash of the file after the rewrite.
    public var after: Digest
    /// Whether it is the record of a sidecar.
    public var isSidecar: Bool
    /// Whether the record has undo data.
    package var hasUndo: Bool
    fileprivate var source: RecordSource.Place

    /// The path of the result; nil if it was written to standard output, or if the line of its base is missing.
    package var place: FilePath? { resultKey.flatMap { $0.isAbsolute ? $0 : nil } }

    /// Whether the place is not known, because the line of its base is missing.
    package var lacksBase: Bool { resultKey.map { !$0.isAbsolute } ?? false }

    fileprivate init(_ record: Record, line: Int, _ source: RecordSource.Place) {
      self.init(
        line: line,
        date: record.order,
        from: (record.originKey, record.before.sha256),
        to: (record.resultKey, record.after.sha256)
      )
      self.source = source
      isSidecar = record.action == .updated
      hasUndo = record.undo != nil
      modified = record.modified
    }

    /// Creates the entry of a record with undo data.
    package init(
      line: Int,
      date: Int,
      from origin: (FilePath?, Digest),
      to result: (FilePath?, Digest)
    ) {
      (self.line, self.date, source) = (line, date, .init(member: nil, line: 0..<0))
      (originKey, before) = origin
      (resultKey, after) = result
      (isSidecar, hasUndo) = (false, true)
    }
  }

  private let source: RecordSource
  package var path: FilePath { source.path }
  /// The records in the order of the file.
  public var entries: [Entry] { history.entries }
  package let history: RewriteHistory
  /// The first lines that are not records, with their numbers.
  ///
  /// A line that was cut when a run was killed is none of them if another one has the same original: the run that continued has
  /// recorded it again.
  package let lineProblems: [(line: Int, problem: RecordLine.Problem)]
  /// The number of further lines that are not records.
  public let furtherProblems: Int
  private let sidecarPlaces: Set<FilePath>
  /// The base directories by their identifiers.
  private let bases: [String: FilePath]

  /// The maximum number of lines in ``lineProblems``.
  private static let maxProblems = 100

  /// Reads a record file line by line.
  ///
  /// - Throws: ``FileError``, of `interrupted` if the process is to end before the file was read, of `not-record` if it does not
  ///   even begin like a record.
  package init(_ path: FilePath) throws(FileError) {
    source = try RecordSource(path)
    var entries: [Entry] = []
    var problems: [(line: Int, problem: RecordLine.Problem)] = []
    var originals: [Int: Digest] = [:]
    var (further, bases, sidecars) = (0, [String: FilePath](), Set<FilePath>())
    var beginning: UInt8?
    try source.forEachLine { line throws(FileError) in
      if Interruption.isPending { throw .interrupted(path) }
      beginning = beginning ?? line.bytes.first
      do throws(RecordLine.Problem) {
        guard line.isWhole else { throw .damaged }
        switch try RecordLine.content(of: line.bytes, bases: bases) {
        case .base(let base): bases[base.id] = base.path
        case .record(let record):
          let entry = Entry(record, line: line.number, line.place)
          entries.append(entry)
          if entry.isSidecar, let place = entry.place { sidecars.insert(place) }
        }
      } catch {
        if problems.count < Self.maxProblems {
          problems.append((line.number, error))
          if case .cut = error { originals[line.number] = RecordLine.original(ofCut: line.bytes) }
        } else {
          further += 1
        }
      }
    }
    // A log appends to no such file either.
    if entries.isEmpty, bases.isEmpty, let beginning, beginning != UInt8(ascii: "{") {
      throw .notRecord(path)
    }
    if !originals.isEmpty {
      let recorded = Set(entries.map(\.before))
      problems.removeAll { originals[$0.line].map(recorded.contains) ?? false }
    }
    history = RewriteHistory(entries)
    (lineProblems, furtherProblems) = (problems, further)
    (self.bases, sidecarPlaces) = (bases, sidecars)
  }

  /// Whether there is a record of a sidecar.
  package var hasSidecars: Bool { !sidecarPlaces.isEmpty }

  /// Whether there is a record of the sidecar at an absolute path.
  package func hasSidecar(at place: FilePath) -> Bool { sidecarPlaces.contains(place) }

  /// Returns the records that lead from a file back to its first original, in the order in which they are undone.
  ///
  /// `place` is the absolute path of the file. What is at the places of other records now is looked up, if it matters.
  ///
  /// - Returns: The records; none if there is no record of the file, or if it is an original.
  /// - Throws: ``RewriteHistory/Ambiguity``, if the records lead to several originals.
  package func undo(
    from digest: Digest,
    at place: FilePath,
    maxSteps: Int = .max,
    _ content: (FilePath) -> PlaceContent
  ) throws -> [Entry] {
    guard
      case .rewritten(let way) =
        try history.way(from: digest, at: place, maxSteps: maxSteps, content)
    else { return [] }
    return way.map { entries[$0] }
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

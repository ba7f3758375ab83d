internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Records
internal import Reports
internal import Synchronization
internal import SystemPackage
internal import Upright

/// The results that a record names, and those of them that were checked.
///
/// Every recorded rewrite is checked or reported: at the place where the record says that its result is, or by its
/// content if it was moved.
final class RecordedResults: Sendable {
  /// A recorded result that was not found among the files.
  enum Remaining: Sendable {
    /// It is to be checked at its place.
    case file(FilePath)
    /// No file at its place, or with its content, was found.
    case missing(FilePath)
    /// It was written to standard output.
    case stream
    /// Its place is not known.
    case unplaced
  }

  private struct Checked: Sendable {
    var places: Set<FilePath> = []
    /// The number of files with a content that are not at a recorded place.
    var moved: [Digest: Int] = [:]

    /// Assigns a file that was moved to the recorded place of its content; returns whether there was one.
    mutating func assign(_ contents: [Digest]) -> Bool {
      guard let content = contents.first(where: { moved[$0, default: 0] > 0 }) else { return false }
      moved[content, default: 0] -= 1
      return true
    }
  }

  let record: FilePath
  let index: RecordIndex
  private let restoration: FileRestoration
  private let checked = Mutex(Checked())

  /// Reads a record file.
  init(_ record: FilePath, maxPixels: Int, limit: SizeLimit) throws(FileError) {
    self.record = record
    index = try RecordIndex(record)
    restoration = try FileRestoration(
      lookingIn: index,
      options: limit.options(maxPixels: maxPixels)
    )
  }

  /// Returns the absolute path of a file, as records have it.
  func place(of path: FilePath) -> FilePath { restoration.place(of: path) }

  /// Whether a file may be a recorded sidecar, which exists and was not checked.
  func takes(sidecar path: FilePath) -> Bool {
    !checked.withLock { $0.places.contains(place(of: path)) }
      && (try? FileIdentity(of: path)) != nil
  }

  /// Returns whether one of the records, or each of them, changed only the tag.
  func setTag(_ entries: [RecordIndex.Entry], only: Bool) throws(FileError) -> Bool {
    for entry in entries {
      guard let record = try index.record(entry) else { return false }
      let isTag = record.action == .reset || record.action == .tagged
      if isTag != only { return isTag }
    }
    return only
  }

  /// Returns how records transformed the displayed image; nil if one of them did something else.
  func displayedTransform(_ entries: [RecordIndex.Entry]) throws(FileError) -> OrientationTransform?
  {
    var displayed = OrientationTransform.none
    for entry in entries.reversed() {
      guard let record = try index.record(entry), record.action == .transformed,
        let transform = record.transform.flatMap(OrientationTransform.init(rawValue:))
      else { return nil }
      let before = record.imageBefore?.orientation.flatMap(Orientation.init(rawValue:)) ?? .up
      displayed = displayed.then(before.transform.inverse.then(transform))
    }
    return displayed
  }

  /// Checks a file, which must have a record if it is named; `judge` gets an original that was restored from it, and its records.
  func report(
    _ path: FilePath,
    isNamed: Bool,
    _ limit: SizeLimit,
    judge: ([UInt8], [UInt8], [RecordIndex.Entry]) throws -> VerificationReport.Outcome
  ) -> VerificationReport {
    var report = VerificationReport(original: record, result: path, outcome: .status(.noRecord))
    do {
      let place = place(of: path)
      checked.withLock { _ = $0.places.insert(place) }
      let bytes = try FileReader(path).readAll(limit)
      if !index.history.hasRecord(at: place) {
        let content = Digest(of: bytes)
        checked.withLock { $0.moved[content, default: 0] += 1 }
      }
      var entries: [RecordIndex.Entry] = []
      let (undo, original) = try restoration.undone(bytes, path, isNamed) { entries = $0 }
      if let original {
        report.outcome = try judge(original, bytes, entries)
      } else {
        report.outcome = .init(undo)
      }
    } catch {
      report.outcome = .unreadable(UprightError(any: error).advised())
    }
    return report
  }

  /// Returns the recorded results that were not checked, after the files of some paths were.
  ///
  /// Without paths (nil), these are all. Otherwise those are meant that were recorded below the paths; if there are none, the
  /// files were moved or copied as a whole, and each must have been found by its content.
  ///
  /// The directories are absolute paths. `elsewhere` counts the results that were recorded in other places.
  func remaining(below roots: [FilePath]?) -> (results: [Remaining], elsewhere: Int) {
    var checked = checked.withLock { $0 }
    func isBelow(_ place: FilePath) -> Bool {
      roots.map { $0.contains { place.starts(with: $0) } } ?? true
    }
    let isWhole = roots == nil || !index.entries.contains { $0.place.map(isBelow) ?? false }
    // The contents that a file has had at a place, the last one first.
    var contents: [FilePath: [Digest]] = [:]
    var results: [Remaining] = []
    var elsewhere = 0
    for entry in index.entries.reversed() {
      guard let place = entry.place else { continue }
      contents[place, default: []] += [entry.after, entry.before]
    }
    var visited: Set<FilePath> = []
    for entry in index.entries {
      guard let place = entry.place else {
        if isWhole, !checked.assign([entry.after]) {
          results.append(entry.lacksBase ? .unplaced : .stream)
        }
        continue
      }
      guard visited.insert(place).inserted, !checked.places.contains(place) else { continue }
      if isBelow(place), Self.mayExist(place) {
        results.append(.file(place))
      } else if isBelow(place) || isWhole {
        if !checked.assign(contents[place, default: []]) { results.append(.missing(place)) }
      } else {
        elsewhere += 1
      }
    }
    return (results, elsewhere)
  }

  /// Whether there may be a file; false only if it is known that there is none.
  private static func mayExist(_ path: FilePath) -> Bool {
    do throws(FileError) {
      _ = try FileIdentity(of: path)
      return true
    } catch {
      return error.problem != .notFound && error.problem != .notDirectory
    }
  }
}

extension VerificationReport.Outcome {
  /// The outcome for a file from which no original is restored.
  fileprivate init(_ undo: FileReport.Undo) {
    switch undo.reason {
    // The record has no entry for the file, or the file is an original.
    case _ where undo.status == .unchanged: self = .status(.untouched)
    case let reason? where reason.code == .changedSince: self = .status(.changedSince)
    case let reason? where reason.code != .noRecord: self = .unchecked(reason.explanation)
    default: self = .status(.noRecord)
    }
  }
}

internal import FileSystem
internal import Records
internal import SystemPackage
internal import Upright

/// Gives one file its original back.
struct FileRestoration: FileWork {
  let index: RecordIndex
  let base: FilePath
  let dryRun: Bool
  /// The most pixels that an image may claim to have.
  let maxPixels: Int
  /// How large a file may be.
  let limit: SizeLimit
  let replacement: AtomicReplacement
  let creation: AtomicCreation
  var destinations = Destinations.only(.inPlace)
  /// Whether the sidecars of photographs are restored with them.
  var takesSidecars = true
  /// Whether only files below the working directory are restored.
  var staysInside = false
  /// Whether files are restored where the record says that they are.
  var followsRecord = false

  var visited: VisitedFiles? { replacement.visited }

  func report(_ file: Walk.Found) throws -> FileReport? {
    do {
      return try restored(file)
    } catch let error as FileError where followsRecord && error.problem == .notFound {
      throw RestorationError.moved
    }
  }

  private func restored(_ file: Walk.Found) throws -> FileReport? {
    let path = file.path
    if staysInside, path.isAbsolute { throw RestorationError.outside }
    let reader = try FileReader(path)
    if let visited, !visited.isNew(file, reader.identity) { return nil }
    let bytes = try reader.readAll(limit)
    guard let target = try destinations.destination(of: file) else { return nil }
    let (undo, original) = try undone(bytes, path, file.isNamed)
    var report = FileReport(path: path, result: .undo(undo))
    do {
      try put(original ?? bytes, isNew: original != nil, of: file, reader, to: target, &report)
    } catch {
      // What became of the sidecar stays in the report.
      report.result = .failed(.init(any: error))
    }
    return report
  }

  /// Puts an original where it goes, with its sidecar.
  private func put(
    _ original: [UInt8],
    isNew: Bool,
    of file: Walk.Found,
    _ reader: borrowing FileReader,
    to target: Destination,
    _ report: inout FileReport
  ) throws {
    guard case .undo(let undo) = report.result else { return }
    let sidecar = try takesSidecars ? sidecar(beside: file, undo) : nil
    guard !dryRun else {
      report.sidecar = sidecar.map { "the sidecar \(TextFormat.path($0.path)) can be restored" }
      return
    }
    var lost: [LostAttribute] = []
    if case .inPlace = target {
      let photograph = PairReplacement.Member(
        path: file.path,
        identity: reader.identity,
        bytes: original
      )
      if let sidecar {
        lost = try replace(isNew ? photograph : nil, sidecar, &report)
      } else if isNew {
        lost = try replacement.replace(file.path, readAs: reader.identity, with: original)
      }
      // What an interrupted run has left to do for the pair is not to be done any more.
      if isNew, file.mayHaveSidecar { PairFile(beside: file.path).remove() }
    } else if undo.isOriginal {
      // So that the output is complete, a file that is its own original is copied.
      guard case .file(let output) = target else { return try StandardStreams.write(original) }
      if let sidecar { try create(sidecar, beside: output, &report) }
      lost = try creation.create(output, like: try reader.rights(), with: original)
      report.output = output
    }
    report.warnings = lost.map { "\($0.text) could not be kept" }
  }

  /// The original of a file, where there is a way back to it.
  func undone(
    _ bytes: [UInt8],
    _ path: FilePath,
    _ isNamed: Bool
  ) throws -> (FileReport.Undo, original: [UInt8]?) {
    let place = base.pushing(path).lexicallyNormalized()
    let disposition: FileReport.Undo.Disposition
    switch try index.restoration(of: bytes, at: place, maxPixels: maxPixels) {
    case .restored(let original):
      var undo = FileReport.Undo(disposition: dryRun ? .restorable : .restored)
      undo.original = (bytes.count, original.count, Digest(of: original).hexadecimal)
      return (undo, original)
    case .isOriginal: disposition = .unchanged(.original)
    case .noRecord: disposition = isNamed ? .skipped(.noRecord) : .unchanged(.noRecord)
    case .changedSince: disposition = .skipped(.changedSince)
    case .noUndoData: disposition = .skipped(.noUndoData)
    case .severalOriginals: disposition = .skipped(.severalOriginals)
    }
    return (FileReport.Undo(disposition: disposition), nil)
  }
}

extension FileRestoration {
  /// Looks for ways back without taking them.
  ///
  /// - Parameters:
  ///   - record: The file of records.
  ///   - maxPixels: The most pixels that an image may claim to have.
  ///   - limit: How large a file may be.
  /// - Throws: ``FileError``.
  init(lookingIn record: FilePath, maxPixels: Int, limit: SizeLimit) throws {
    self.init(
      index: try RecordIndex(record),
      base: try workingDirectory(),
      dryRun: true,
      maxPixels: maxPixels,
      limit: limit,
      replacement: AtomicReplacement(),
      creation: AtomicCreation()
    )
  }
}

/// Why a file that a record names is not restored.
enum RestorationError: Error {
  /// The record names a file outside of the working directory.
  case outside
  /// The record names a file that is not there.
  case moved
}

extension FileReport.Failure {
  /// That a record names a file where nobody has asked for something to be changed.
  static let outside = FileReport.Failure(
    identifier: "outside",
    message: "the record names this file, which is outside of the working directory."
      + " To restore it, run undo again with its path."
  )

  /// That a record names a file that is not there.
  static let moved = FileReport.Failure(
    identifier: FileError.Problem.notFound.rawValue,
    message: "the record names this file, and it is not there. If it was moved, name where it is:"
      + " upright undo --record RECORD FILE, or -r FOLDER."
  )

  static let recordChanged = FileReport.Failure(
    identifier: "changed",
    message: "the file of records changed while it was read. Run again when nothing writes to it."
  )

  /// That more lines of a file of records are wrong than are worth a message each.
  init(furtherLines count: Int) {
    self.init(
      identifier: "record-damaged",
      message:
        "\(count) more lines are damaged, or are no records. Find a better copy of the records."
    )
  }

  /// What is wrong with a line of a file of records.
  init(line: Int, _ problem: RecordLine.Problem) {
    switch problem {
    case .cut:
      self.init(
        identifier: "record-cut",
        message:
          "line \(line) breaks off. Where a run was killed, the file of that line was not replaced."
      )
    case .damaged:
      self.init(
        identifier: "record-damaged",
        message: "line \(line) is damaged, or is no record. Find a better copy of the records."
      )
    case .unusablePath:
      self.init(
        identifier: "record-path",
        message: "line \(line) has paths that no rewrite leaves in a record, and is not used."
      )
    case .unknownVersion(let version):
      self.init(
        identifier: "record-version",
        message:
          "line \(line) is of the version \(TextFormat.escaped(version)), which needs another upright."
      )
    }
  }
}

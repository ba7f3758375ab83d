internal import Archive
internal import Records
internal import SystemPackage
internal import Upright

/// Gives one file its original back.
struct FileRestoration {
  let index: RecordIndex
  let base: FilePath
  let dryRun: Bool
  /// The most pixels that a picture may claim to have.
  let maxPixels: Int
  /// How large a file may be.
  let limit: SizeLimit
  let replacement: AtomicReplacement
  let creation: AtomicCreation
  /// Whether the sidecars of photographs are restored with them.
  var takesSidecars = true

  /// Restores a file and says what became of it, whatever happens.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - isNamed: Whether it was named by the user, so that a missing record is worth a word.
  ///   - output: Finds out where the original goes; nil for the file's own place.
  /// - Returns: The report; nil where the run has met the file before.
  func report(
    _ file: Walk.Found,
    isNamed: Bool,
    to output: () throws -> FilePath?
  ) -> FileReport? {
    let path = file.path
    var report = FileReport(path: path, isNamed: isNamed, result: .failed(.recordChanged))
    do {
      let reader = try FileReader(path)
      if let met = replacement.met, !met.isNew(file, reader.identity) { return nil }
      let bytes = try reader.readAll(limit)
      let target = try output()
      let (undo, original) = try undone(bytes, path, isNamed)
      report.result = .undo(undo)
      let sidecar = try takesSidecars ? sidecar(beside: file, undo) : nil
      guard !dryRun else {
        if let sidecar {
          report.sidecar = "the sidecar \(TextFormat.path(sidecar.path)) can be restored"
        }
        return report
      }
      var lost: [LostAttribute] = []
      if let target {
        // So that the output is complete, a file that is its own original is copied.
        if case .left = undo.fate { return report }
        if case .nothing(let reason) = undo.fate, reason != .original { return report }
        if let sidecar { try create(sidecar, beside: target, &report) }
        lost = try creation.create(
          target,
          like: try reader.rights(),
          with: original ?? bytes
        )
        report.output = target
      } else {
        let photograph = original.map {
          PairReplacement.Member(path: path, identity: reader.identity, bytes: $0)
        }
        if let sidecar {
          lost = try replace(photograph, sidecar, &report)
        } else if let photograph {
          lost = try replacement.replace(path, readAs: reader.identity, with: photograph.bytes)
        }
        // What an interrupted run has left to do for the pair is not to be done any more.
        if original != nil, file.mayHaveSidecar { PairFile(beside: path).remove() }
      }
      report.warnings = lost.map { "\($0.text) could not be kept" }
    } catch {
      report.result = .failed(FileReport.Failure(any: error))
    }
    return report
  }

  /// The original of a file, where there is a way back to it.
  func undone(
    _ bytes: [UInt8],
    _ path: FilePath,
    _ isNamed: Bool
  ) throws -> (FileReport.Undo, original: [UInt8]?) {
    let digest = Digest(of: bytes)
    let place = base.pushing(path).lexicallyNormalized()
    let way: [RecordIndex.Entry]
    do throws(RecordIndex.Ambiguity) {
      way = try index.wayBack(from: digest, at: place)
    } catch {
      return (FileReport.Undo(fate: .left(.severalOriginals)), nil)
    }
    guard !way.isEmpty else {
      if index.isOriginal(digest) { return (FileReport.Undo(fate: .nothing(.original)), nil) }
      if index.hasRecord(at: place) { return (FileReport.Undo(fate: .left(.changedSince)), nil) }
      return (FileReport.Undo(fate: isNamed ? .left(.noRecord) : .nothing(.noRecord)), nil)
    }
    var original = bytes
    for entry in way {
      guard let record = try index.record(entry) else { throw RestorationError.recordChanged }
      guard let undo = try record.undo.record(forResultOf: original.count) else {
        return (FileReport.Undo(fate: .left(.noWayBack)), nil)
      }
      original = try undo.restore(original, maxPixels: maxPixels)
      // Nothing but the hash proves it.
      guard original.count == record.before.size, Digest(of: original) == entry.before else {
        throw UprightError(
          .verification,
          "what the record of line \(entry.line) gives back is not the original"
        )
      }
    }
    var undo = FileReport.Undo(fate: dryRun ? .restorable : .restored)
    undo.original = (bytes.count, original.count, Digest(of: original).hexadecimal)
    return (undo, original)
  }
}

extension FileRestoration {
  /// Looks for ways back without taking them.
  ///
  /// - Parameters:
  ///   - record: The file of records.
  ///   - maxPixels: The most pixels that a picture may claim to have.
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

/// Why a record that was there is not there any more.
enum RestorationError: Error {
  case recordChanged
}

extension FileReport.Failure {
  /// That a record names a file where nobody has asked for something to be changed.
  static let outside = FileReport.Failure(
    identifier: "outside",
    message: "the record names this file, which is outside of the working directory."
      + " To restore it, run undo again with its path."
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

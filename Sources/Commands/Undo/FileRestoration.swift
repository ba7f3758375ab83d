internal import FileSystem
internal import ImageFormats
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// Restores the original of one file.
struct FileRestoration: PairWork {
  /// The records, or nil for the undo data in the files themselves.
  let index: RecordIndex?
  let base: FilePath
  let dryRun: Bool
  /// The maximum number of pixels of an image.
  let maxPixels: Int
  /// The maximum size of a file.
  let limit: SizeLimit
  let replacement: AtomicReplacement
  let creation: AtomicCreation
  var destinations = Destinations.only(.inPlace)
  /// Whether the sidecars of photos are restored, too.
  var takesSidecars = true
  /// Whether other files beside a photo that may not fit its original are named.
  var mentionsCompanions = true
  /// The places of recorded sidecars of recorded photos.
  var sidecarsOfPhotos: Set<FilePath> = []
  /// Whether the paths come from the record.
  var followsRecord = false
  /// The maximum number of rewrites of a file that are undone.
  var maxSteps = Int.max
  /// Whether undo data is removed instead of used.
  var strips = false
  /// Which files are not replaced.
  var protection = WriteProtection.Rule.permissions
  /// Whether copies of recorded files are skipped unless they are named.
  var skipsCopies = false

  var visited: VisitedFiles? { replacement.visited }

  func report(_ file: Walk.Found) throws -> FileReport? {
    do {
      return try restored(file)
    } catch let error as FileError where followsRecord && error.problem == .notFound {
      throw FileReport.Failure.moved
    }
  }

  private func restored(_ file: Walk.Found) throws -> FileReport? {
    let path = file.path
    let reader = try FileReader(path)
    if let visited, !visited.isNew(file, reader.identity) { return nil }
    guard let visited, visited.breaksLinks(of: reader.identity) else {
      return try restored(file, reader)
    }
    return try visited.exclusively { try restored(file, FileReader(path)) }
  }

  private func restored(
    _ file: Walk.Found,
    _ reader: borrowing FileReader
  ) throws -> FileReport? {
    let path = file.path
    let bytes = try reader.readAll(limit)
    if followsRecord, path.isAbsolute, ImageFormat(beginning: bytes.span) == nil,
      !SidecarFile.isName(path)
    {
      throw FileReport.Failure.noPhoto
    }
    guard let target = try destinations.destination(of: file) else { return nil }
    let isInPlace = target.isInPlace
    var completed: [FilePath] = []
    let places = try file.places()
    if isInPlace, takesSidecars, !dryRun {
      for place in places where place.mayHaveSidecar {
        completed += try SidecarFile.paths(beside: place.path).filter {
          try PairFile(of: $0, place.path).complete(with: replacement, protection)
        }
      }
    }
    var records: [RecordIndex.Entry] = []
    let (undo, original) = try undone(bytes, path, file.isNamed) { entries in
      records = entries
      guard skipsCopies, !file.isNamed else { return }
      if isCopy(path, entries) { throw Copy() }
    }
    if isInPlace, original != nil,
      let protection = protection.protection(of: path, reader.identity)
    {
      return skipped(path, Advice.completed(.writeProtected(protection, reader.identity)))
    }
    var report = FileReport(path: path, result: .undo(undo))
    for sidecar in completed { report.mentionCompleted(sidecar) }
    let sidecars = try sidecars(of: places, undo, records, isInPlace: isInPlace)
    // A photo that was upright has no record, and its sidecar may have one.
    if undo.reason == .noRecord, !sidecars.restored.isEmpty {
      report.result = .undo(.init(status: .unchanged, reason: .noRecord))
    }
    if original != nil {
      if isInPlace, let changed = sidecars.lost.first(where: \.exists)?.path {
        return skipped(path, .sidecarChanged(changed))
      }
      for (path, exists) in sidecars.lost {
        let problem = exists ? "was changed since" : "no longer exists"
        report.addSidecar(
          "the sidecar \(TextFormat.path(path)) was not restored: it \(problem)"
        )
        report.sidecarFailed = true
      }
    }
    if let original, isInPlace, mentionsCompanions, !strips, !SidecarFile.isName(path) {
      try mentionCompanions(of: places, original, records, sidecars, &report)
    }
    do {
      try put(
        original ?? bytes,
        isNew: original != nil,
        from: bytes,
        of: path,
        reader,
        sidecars.restored,
        change(records),
        to: target,
        &report
      )
    } catch {
      // The report keeps the note on the sidecar.
      report.result = .init(any: error, of: path)
    }
    return report
  }

  /// Writes an original to its destination, together with its sidecar.
  private func put(
    _ original: [UInt8],
    isNew: Bool,
    from bytes: [UInt8],
    of path: FilePath,
    _ reader: borrowing FileReader,
    _ sidecars: [PairReplacement.SidecarMember],
    _ change: ContentChange,
    to target: Destination,
    _ report: inout FileReport
  ) throws {
    guard case .undo(let undo) = report.result else { return }
    for sidecar in sidecars {
      guard target.isInPlace,
        let protection = protection.protection(of: sidecar.path, sidecar.rights.identity)
      else { continue }
      let reason = Advice.completed(
        .writeProtected(
          protection,
          sidecar.rights.identity,
          "the sidecar \(TextFormat.path(sidecar.path))"
        )
      )
      report = skipped(path, reason)
      return
    }
    guard !dryRun else {
      if isNew, target.isInPlace { try replacement.check(path, reader.identity) }
      if undo.isOriginal, case .file(let output) = target, !holdsFile(output, original) {
        try creation.check(output, reader.identity, of: path)
      }
      for sidecar in sidecars {
        try check(sidecar, target)
        report.addSidecar("the sidecar \(TextFormat.path(sidecar.path)) can be restored")
      }
      return
    }
    var lost: [LostAttribute] = []
    if target.isInPlace {
      let photo = PairReplacement.Member(
        path: path,
        identity: reader.identity,
        former: bytes,
        bytes: original,
        change: change
      )
      if !sidecars.isEmpty {
        lost = try replace(isNew ? photo : nil, sidecars, &report)
      } else if isNew {
        lost = try replacement.replace(photo)
      }
    } else if undo.isOriginal {
      // A file that is already the original is copied, so that the output is complete.
      guard case .file(let output) = target else { return try StandardStreams.write(original) }
      if !sidecars.isEmpty {
        // Otherwise a photo that is there already would get them.
        if !holdsFile(output, original) { try creation.check(output, reader.identity, of: path) }
        for sidecar in sidecars { try check(sidecar, target) }
      }
      for sidecar in sidecars {
        let copy = try create(sidecar, beside: output)
        report.addSidecar("restored sidecar: \(TextFormat.path(copy))")
      }
      lost = try creation.create(output, like: try reader.rights(), with: original)
      report.output = output
    }
    report.warnings = lost.map { "\($0.text) could not be preserved" }
  }

  private func skipped(_ path: FilePath, _ reason: Reason) -> FileReport {
    FileReport(path: path, result: .undo(.init(status: .skipped, reason: reason)))
  }

  /// Returns what the time of a restored file depends on.
  ///
  /// A file whose former time is not known may have had another displayed image.
  func change(_ records: [RecordIndex.Entry]) -> ContentChange {
    let original = records.last?.modified
    return ContentChange(isDisplayed: original == nil && !strips, original: original)
  }

  /// Returns the original of a file, if the record has undo data for it.
  func undone(
    _ bytes: [UInt8],
    _ path: FilePath,
    _ isNamed: Bool,
    check: ([RecordIndex.Entry]) throws -> Void = { _ in }
  ) throws -> (FileReport.Undo, original: [UInt8]?) {
    if strips { return try stripped(bytes, isNamed) }
    let restoration: Restoration
    // The hash that the records give, and that the restored file has.
    var digest: Digest?
    if let index {
      do {
        restoration = try index.restoration(
          of: bytes,
          at: place(of: path),
          maxPixels: maxPixels,
          maxSteps: maxSteps,
          content: { PlaceContent(of: $0, beside: path) },
          check: {
            digest = $0.last?.before
            try check($0)
          }
        )
      } catch is Copy {
        return (FileReport.Undo(status: .skipped, reason: .copy), nil)
      }
    } else {
      restoration = try Restoration(embeddedIn: bytes, maxPixels: maxPixels, maxSteps: maxSteps)
    }
    let status: Status
    let reason: Reason
    switch restoration {
    case .restored(let original):
      return (undo(dryRun ? .restorable : .restored, bytes, original, digest), original)
    case .isOriginal: (status, reason) = (.unchanged, .original)
    case .noRecord:
      (status, reason) = (isNamed ? .skipped : .unchanged, index == nil ? .notEmbedded : .noRecord)
    case .changedSince: (status, reason) = (.skipped, .changedSince)
    case .noUndoData: (status, reason) = (.skipped, .noUndoData)
    case .severalOriginals: (status, reason) = (.skipped, .severalOriginals)
    }
    return (FileReport.Undo(status: status, reason: reason), nil)
  }

  /// Returns a file without its undo data.
  private func stripped(
    _ bytes: [UInt8],
    _ isNamed: Bool
  ) throws(UprightError) -> (FileReport.Undo, original: [UInt8]?) {
    guard let bare = try EmbeddedUndo.removed(from: bytes) else {
      return (.init(status: isNamed ? .skipped : .unchanged, reason: .noneToStrip), nil)
    }
    return (undo(dryRun ? .planned : .stripped, bytes, bare), bare)
  }

  private func undo(
    _ status: Status,
    _ bytes: [UInt8],
    _ new: [UInt8],
    _ digest: Digest? = nil
  ) -> FileReport.Undo {
    let hash = (digest ?? Digest(of: new)).hexadecimal
    return FileReport.Undo(status: status, original: (bytes.count, new.count, hash))
  }
}

extension FileRestoration {
  /// The error that the file is a copy of recorded files that still exist.
  private struct Copy: Error {}

  /// Whether a file is a copy of recorded ones, which still exist.
  func isCopy(_ path: FilePath, _ records: [RecordIndex.Entry]) -> Bool {
    guard let index, let result = records.first?.after else { return false }
    return index.history.isCopy(result, at: place(of: path)) { PlaceContent(of: $0, beside: path) }
  }

  /// The absolute path of a file.
  func place(of path: FilePath) -> FilePath { base.pushing(path).lexicallyNormalized() }

  /// Creates a restoration that only looks up files in the record.
  init(lookingIn index: RecordIndex, maxPixels: Int, limit: SizeLimit) throws(FileError) {
    self.init(
      index: index,
      base: try workingDirectory(),
      dryRun: true,
      maxPixels: maxPixels,
      limit: limit,
      replacement: AtomicReplacement(),
      creation: AtomicCreation()
    )
  }
}

extension FileReport.Failure: Error {
  /// Creates the failure for the files that a record names outside of the working directory.
  init(outside places: [FilePath], of count: Int, record: String) {
    var folder = places[0].removingLastComponent()
    for place in places {
      while !place.starts(with: folder) { _ = folder.removeLastComponent() }
    }
    self.init(
      .outside,
      message:
        "\(places.count) of \(count) recorded files are outside of the working directory and were not restored. "
        + "To restore them, name their directory: upright undo --record \(TextFormat.escaped(record)) -r \(TextFormat.path(folder))"
    )
  }

  /// The failure of a file that the record names and that does not exist.
  static let moved = FileReport.Failure(
    identifier: FileError.Problem.notFound.rawValue,
    message:
      "the path comes from the record, and the file does not exist. If it was moved, name its new path:"
      + " upright undo --record RECORD FILE, or -r FOLDER."
  )

  /// The failure of a file outside of the working directory that is not a photo.
  static let noPhoto = FileReport.Failure(
    .outside,
    message:
      "the path comes from the record and is outside of the working directory, and the file is not an image file."
      + " To restore the file, name it on the command line."
  )

  static let recordChanged = FileReport.Failure(
    identifier: FileError.Problem.changed.rawValue,
    message:
      "the record file changed while it was read. Run undo again when no other program writes to it."
  )

  /// Creates the failure for the remaining damaged lines of a record file.
  init(furtherLines count: Int) {
    self.init(
      .recordDamaged,
      message:
        "\(count) more lines are damaged or are not records. Use an intact copy of the record file."
    )
  }

  /// Creates the failure for a line of a record file.
  init(line: Int, _ problem: RecordLine.Problem) {
    switch problem {
    case .cut:
      self.init(
        .recordCut,
        message:
          "line \(line) is not a complete record: this is not a record file, or a run was killed while it wrote the line, "
          + "and its photo was not replaced."
      )
    case .damaged:
      self.init(
        .recordDamaged,
        message:
          "line \(line) is damaged or is not a record. Use an intact copy of the record file."
      )
    case .unusablePath:
      self.init(
        .recordPath,
        message:
          "line \(line) has invalid paths and is ignored: base must be absolute, path and output not empty."
      )
    case .unknownVersion(let version):
      self.init(
        .recordVersion,
        message:
          "line \(line) has the version \(TextFormat.escaped(version)), which requires a newer version of Upright."
      )
    }
  }
}

package import FileSystem
internal import ImageFormats
package import Records
internal import Reports
package import SystemPackage
package import Upright

/// Restores the original of one file, with its sidecars.
package struct FileRestoration: FileWork {
  /// The records, or nil for the undo data in the files themselves.
  package let index: RecordIndex?
  /// The limits of images and files.
  package var options: Options
  /// What is requested of the files.
  package var policy: FilePolicy
  /// Whether the sidecars of photos are restored, too, if ``policy`` does not ignore them.
  package var takesSidecars = true
  /// The places of recorded sidecars of recorded photos, where they were looked up for all files.
  package var sidecarsOfPhotos: Set<FilePath>?
  /// Whether the paths come from the record.
  package var followsRecord = false
  /// The maximum number of rewrites of a file that are undone.
  package var maxSteps = Int.max
  /// Whether undo data is removed instead of used.
  package var strips = false
  /// Whether copies of recorded files are skipped unless they are named.
  package var skipsCopies = false
  let base: FilePath

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - index: The records, or nil for the undo data in the files.
  ///   - policy: What is requested of the files.
  ///   - options: The limits of images and files.
  /// - Throws: ``FileError``, if there is no working directory.
  package init(
    _ index: RecordIndex?,
    _ policy: FilePolicy,
    options: Options
  ) throws(FileError) {
    (self.index, self.policy, self.options) = (index, policy, options)
    base = try workingDirectory()
  }

  /// Creates the work of only looking up files in the records.
  ///
  /// - Throws: ``FileError``, if there is no working directory.
  package init(lookingIn index: RecordIndex, options: Options) throws(FileError) {
    var policy = FilePolicy()
    policy.isDry = true
    policy.protection = .none
    try self.init(index, policy, options: options)
  }

  package var visited: VisitedFiles? { policy.replacement.visited }

  package var destinations: Destinations { policy.destinations }

  /// Whether sidecars are restored together with their photos.
  var restoresSidecars: Bool { takesSidecars && policy.sidecars != .ignore }

  /// A sidecar that is named is restored.
  package var ignoresCompanions: Bool { false }

  package var writes: Bool { !policy.isDry }

  package func report(_ file: Walk.Found) throws -> FileReport? {
    do {
      return try restored(file)
    } catch let error as FileError where followsRecord && error.problem == .notFound {
      throw UprightError.moved
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
    try options.checkSize(reader.identity.size)
    let bytes = try reader.readAll()
    if followsRecord, path.isAbsolute, ImageFormat(beginning: bytes.span) == nil,
      !SidecarFile.isName(path)
    {
      throw UprightError.noPhoto
    }
    guard let target = try destinations.destination(of: file) else { return nil }
    let places = try file.places()
    let completed = target.isInPlace && !policy.isDry ? try completePairs(beside: places) : []
    var records: [RecordIndex.Entry] = []
    let (undo, original) = try undone(bytes, path, file.isNamed) { entries in
      records = entries
      guard skipsCopies, !file.isNamed else { return }
      if isCopy(path, entries) { throw Copy() }
    }
    let sidecars = try sidecars(of: places, undo, records, isInPlace: target.isInPlace)
    var decided = FilePlanner(policy: policy, options: options)
      .plan(undo, isNew: original != nil, path, reader.identity, sidecars, to: target)
    var report = FileReport(path: path, result: .undo(decided.photo))
    report.companions = completed
    guard decided.photo.status != .skipped || original == nil else { return report }
    var others: [CompanionResult] = []
    if let original, target.isInPlace, policy.sidecars != .ignore, !strips,
      !SidecarFile.isName(path)
    {
      others = try otherCompanions(of: places, original, records, sidecars)
    }
    do {
      try put(original, bytes, path, reader, change(records), &decided, to: target, &report)
    } catch {
      // The report keeps what is said of the sidecars, some of which may have been restored.
      report.result = .init(any: error, of: path)
    }
    report.companions += decided.steps.map(\.companion) + others
    return report
  }

  /// Replaces the sidecars of which an interrupted run has replaced only the photo.
  private func completePairs(beside places: [Walk.Found]) throws -> [CompanionResult] {
    guard restoresSidecars else { return [] }
    var completed: [CompanionResult] = []
    for place in places where place.mayHaveSidecar {
      for path in SidecarFile.paths(beside: place.path)
      where try PairFile(of: path, place.path).complete(with: policy.replacement, policy.protection)
      {
        var companion = CompanionResult(sidecar: path, .complete)
        companion.isDone = true
        completed.append(companion)
      }
    }
    return completed
  }

  /// Writes an original to its destination, together with its sidecars.
  private func put(
    _ original: [UInt8]?,
    _ bytes: [UInt8],
    _ path: FilePath,
    _ reader: borrowing FileReader,
    _ change: ContentChange,
    _ decided: inout UndoPlan,
    to target: Destination,
    _ report: inout FileReport
  ) throws {
    let execution = FileExecution(policy: policy)
    let isWritten = target.isInPlace || decided.photo.isOriginal
    let photo = FileExecution.Photo(
      path: path,
      identity: reader.identity,
      former: bytes,
      // A file that is already the original is copied, so that the output is complete.
      bytes: original ?? bytes,
      isNew: original != nil,
      change: change
    )
    guard !policy.isDry else {
      if photo.isNew, target.isInPlace { try policy.replacement.check(path, reader.identity) }
      if isWritten, case .file(let output) = target, !holdsFile(output, photo.bytes) {
        try policy.creation.check(output, reader.identity, of: path)
      }
      return try execution.check(decided.steps, to: target)
    }
    guard isWritten else { return }
    report.add(try execution.write(photo, &decided.steps, to: target, reader) {})
  }

  /// Returns what the time of a restored file depends on.
  ///
  /// A file whose former time is not known may have had another displayed image.
  func change(_ records: [RecordIndex.Entry]) -> ContentChange {
    let original = records.last?.modified
    return ContentChange(isDisplayed: original == nil && !strips, original: original)
  }

  /// Returns the original of a file, if the record has undo data for it.
  package func undone(
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
          maxPixels: options.maxPixels,
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
      restoration = try Restoration(
        embeddedIn: bytes,
        maxPixels: options.maxPixels,
        maxSteps: maxSteps
      )
    }
    let status: Status
    let reason: Reason
    switch restoration {
    case .restored(let original):
      return (undo(policy.isDry ? .restorable : .restored, bytes, original, digest), original)
    case .isOriginal: (status, reason) = (.unchanged, .original)
    case .noRecord:
      (status, reason) = (isNamed ? .skipped : .unchanged, index == nil ? .notEmbedded : .noRecord)
    case .changedSince: (status, reason) = (.skipped, .changedSince(path))
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
    return (undo(policy.isDry ? .planned : .stripped, bytes, bare), bare)
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
  package func place(of path: FilePath) -> FilePath { base.pushing(path).lexicallyNormalized() }
}

internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import Records
internal import SystemPackage
internal import Upright

/// How results are written.
extension FileRewrite {
  /// Reads the whole file and writes the result.
  func rewrite(
    _ photo: Walk.Found,
    _ reader: borrowing FileReader,
    _ planned: PlannedPhoto,
    _ former: FilePlan,
    to target: Destination
  ) throws -> FileReport {
    let file = try reader.readAll()
    let isSkipped = planned.plan.action.rewrites && !former.photo.action.rewrites
    let outcome = isSkipped ? .kept(former.photo) : try rewriter.rewrite(file, as: planned)
    // What others have made beside the photo since its directory was listed counts, too.
    var current = photo
    current.surroundings = nil
    let (group, completed) = try group(current, reader.identity, planned.photo.format, target)
    let decided = try planner.plan(outcome.plan, group, to: target, former: former)
    var report = try write(outcome, file, decided, photo.path, reader, to: target)
    report.companions = completed + report.companions
    return report
  }

  /// Writes the result of a file and its companions.
  func write(
    _ outcome: Outcome,
    _ file: [UInt8],
    _ decided: FilePlan,
    _ path: FilePath,
    _ reader: borrowing FileReader,
    to target: Destination
  ) throws -> FileReport {
    let isDecided = decided.photo.action == outcome.plan.action
    let outcome = isDecided ? outcome : .kept(decided.photo)
    var report = report(path, outcome, of: file)
    guard target.isInPlace || copies(outcome.plan) else {
      report.companions = decided.companions
      return report
    }
    var photo = FileExecution.Photo(
      path: path,
      identity: reader.identity,
      former: file,
      bytes: outcome.rewrite?.bytes ?? file,
      isNew: outcome.rewrite != nil
    )
    if let rewrite = outcome.rewrite {
      photo.change = ContentChange(isDisplayed: rewriter.request.changesDisplay(rewrite))
    }
    var steps = decided.steps
    do {
      let written = try execution.write(photo, &steps, to: target, reader) {
        report.hashes = try keep(file, outcome, path, target.recordedOutput, reader.identity)
        if target.isInPlace { try announce?(photo.bytes) }
      }
      report.add(written)
    } catch {
      // Sidecars that were written before stay.
      report = FileReport(path: path, result: .init(any: error, of: path))
      steps.removeAll { !$0.companion.isDone }
    }
    report.companions = steps.map(\.companion)
    return report
  }

  /// Returns whether an output is written.
  func copies(_ plan: Plan) -> Bool {
    guard case .skip = plan.action else { return true }
    return policy.copiesSkipped
  }

  /// Records a rewrite before its result is written.
  ///
  /// - Returns: The hashes of the file before and after; nil if it is not recorded.
  @discardableResult
  func keep(
    _ file: [UInt8],
    _ outcome: Outcome,
    _ path: FilePath,
    _ output: FilePath?,
    _ identity: FileIdentity? = nil
  ) throws(FileError) -> (before: Digest, after: Digest)? {
    guard let log, let rewrite = outcome.rewrite else { return nil }
    let modified = identity?.modificationTime
    var hashes: (Digest, Digest)?
    try log.append {
      let record = Record(of: file, rewrite, path: path, output: output, modified: modified, in: $0)
      hashes = (record.before.sha256, record.after.sha256)
      return record
    }
    return hashes
  }

  /// Returns the report of a file that was read.
  func report(_ path: FilePath, _ outcome: Outcome, of file: [UInt8]) -> FileReport {
    var report = FileReport(path: path, result: .done(outcome))
    if let rewrite = outcome.rewrite {
      report.sizes = (file.count, rewrite.bytes.count)
      let keepsUndo = log != nil ? rewrite.undo != nil : rewrite.holdsUndoData
      report.lacksUndo = (log != nil || policy.embedsUndo) && !keepsUndo
    }
    return report
  }
}

extension Destination {
  /// The output as records name it; nil in place.
  fileprivate var recordedOutput: FilePath? {
    switch self {
    case .inPlace: nil
    case .file(let output): output
    case .standardOutput: StandardStreams.path
    }
  }
}

extension Request {
  /// Whether the displayed image of a result differs from that of the original.
  fileprivate func changesDisplay(_ rewrite: Rewrite) -> Bool {
    if rewrite.image.format != .jpeg { return self != .normalize() }
    var transform = OrientationTransform.none
    if case .transform(let stored, _) = rewrite.plan.action { transform = stored }
    let shown = transform.then(rewrite.image.orientation?.transform ?? .none)
    return rewrite.plan.isCropped || rewrite.plan.image.displayed(shown) != .none
  }
}

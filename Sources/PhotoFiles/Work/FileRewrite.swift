package import FileSystem
internal import ImageFormats
package import ImageOrientation
package import Records
internal import Reports
package import SystemPackage
package import Upright

/// Rewrites one file: reads it, transforms it and writes the result with its companions.
package struct FileRewrite: FileWork {
  /// What is done with the image, and its policies.
  package var rewriter: Rewriter
  /// What is requested of the files.
  package var policy: FilePolicy
  /// How each file is rotated besides, if that differs.
  package var transform: (@Sendable (FilePath) -> OrientationTransform)?
  /// The formats of the files that are taken from directories and lists.
  package var formats = FileFormats.jpeg
  /// Whether a dry run reads the files that would be changed completely.
  package var isDeep = false
  /// The log of the rewrites, if they are recorded.
  package var log: RecordLog?
  /// The number of files that may be processed at once; the headers of more may be read.
  package var places: Budget
  /// The memory that the threads share, or nil if it is not limited.
  package var budget: Budget?
  /// What is called before a file is replaced.
  var announce: Announcement?

  /// Creates the work.
  ///
  /// - Parameters:
  ///   - rewriter: What is done with the image.
  ///   - policy: What is requested of the files.
  ///   - places: The number of files that may be processed at once.
  package init(_ rewriter: Rewriter, _ policy: FilePolicy, places: Budget = Budget(1)) {
    (self.rewriter, self.policy, self.places) = (rewriter, policy, places)
    self.policy.embedsUndo = rewriter.embedding?.isForAll == true
    // The copy would still show what a crop was to remove.
    if rewriter.request.isCrop { self.policy.copiesSkipped = false }
  }

  package var visited: VisitedFiles? { policy.replacement.visited }

  package var destinations: Destinations { policy.destinations }

  var planner: FilePlanner { FilePlanner(policy: policy, options: rewriter.options) }

  var execution: FileExecution { FileExecution(policy: policy, log: log) }

  package func outputs(of file: Walk.Found) throws(FileError) -> [FilePath] {
    guard let output = try destinations.output(of: file) else { return [] }
    guard updatesSidecars else { return [output] }
    return try file.places().reduce(into: [output]) { outputs, photo in
      outputs += SidecarFile.paths(beside: photo.path).map {
        SidecarFile.path(of: $0, photo.path, beside: output)
      }
    }
  }

  package var writes: Bool { !policy.isDry }

  package var isMostlyReading: Bool { true }

  package var isBusy: Bool { places.isUsedUp }

  package func task(of file: Walk.Found) -> String? {
    transform?(file.path).rawValue ?? rewriter.request.task
  }

  package var updatesSidecars: Bool { policy.sidecars == .update }

  package func announcing(_ announce: @escaping Announcement) -> FileRewrite {
    var work = self
    work.announce = announce
    return work
  }

  package func mayTake(_ path: FilePath) -> Bool { formats.takes(path) }

  package func report(_ file: Walk.Found) throws -> FileReport? {
    if let transform { return try rotating(by: transform(file.path)).report(file) }
    return try processed(file)
  }

  package func completion(_ file: Walk.Found) throws -> FileReport? {
    var work = rotating(by: .none)
    work.policy.sidecars = policy.sidecars
    return try work.report(file)
  }

  private func processed(_ file: Walk.Found) throws -> FileReport? {
    let path = file.path
    let reader = try FileReader(path)
    if let visited, !visited.isNew(file, reader.identity) { return nil }
    guard let target = try destinations.destination(of: file) else { return nil }
    guard let visited, visited.breaksLinks(of: reader.identity) else {
      return try processed(file, reader, to: target)
    }
    return try visited.exclusively { try processed(file, FileReader(path), to: target) }
  }

  /// Returns the work on a file that is rotated; a file that is not rotated is kept, and so is its sidecar.
  private func rotating(by transform: OrientationTransform) -> FileRewrite {
    var work = self
    work.transform = nil
    let tagOnly = transform == .none || rewriter.request.isOfTag
    work.rewriter.request = .transform(transform, tagOnly: tagOnly)
    if transform == .none, case .only(.inPlace) = destinations { work.policy.sidecars = .ignore }
    return work
  }

  private func processed(
    _ file: Walk.Found,
    _ reader: borrowing FileReader,
    to target: Destination
  ) throws -> FileReport {
    // A plan needs only the header, and it suffices for files that are already upright and files that are not
    // JPEG.
    let planned = try opened(file, reader)
    let isInPlace = target.isInPlace
    let (plan, size) = try isInPlace || policy.isDry ? plan(reader, planned) : (planned.plan, nil)
    let (group, completed) = try group(file, reader.identity, planned.photo.format, target)
    // A failure does not hide what was completed.
    var report = FileReport(file.path) {
      let decided = try planner.plan(plan, group, to: target)
      // A file that is not replaced is copied, whatever the plan.
      if !isInPlace { try rewriter.options.checkSize(reader.identity.size) }
      if policy.isDry { return try predicted(decided, size, group, to: target) }
      guard decided.photo.action.rewrites || !isInPlace else {
        return try write(.kept(decided.photo), [], decided, file.path, reader, to: target)
      }
      return try holding(max(plan.estimatedMemory, reader.identity.size)) {
        try rewrite(file, reader, planned, decided, to: target)
      }
    }
    report.companions = completed + report.companions
    report.checkName(of: planned.photo.format, isRewritten: rewriter.request.isOfTag)
    return report
  }

  /// Opens a file and plans for it, and reads no more of it than needed.
  ///
  /// - Throws: ``FileError`` or ``UprightError``, also if the file is of a format that is not processed.
  private func opened(_ file: Walk.Found, _ reader: borrowing FileReader) throws -> PlannedPhoto {
    try rewriter.planned(
      size: reader.identity.size,
      taking: rewriter.request.taken(of: formats.formats, isNamed: file.isNamed),
      ending: file.ending,
      from: { offset, count in try reader.read(at: offset, count: count) }
    )
  }

  /// Returns the plan from the header, or that which the whole file leads to if the options request that, with the size of
  /// the result.
  private func plan(
    _ reader: borrowing FileReader,
    _ planned: PlannedPhoto
  ) throws -> (Plan, size: Int?) {
    let plan = planned.plan
    switch plan.action {
    case .unchanged where rewriter.options.checksUnchanged: break
    case .transform, .resetTag, .changeTag:
      guard policy.isDry, isDeep else { return (plan, nil) }
    case .unchanged, .skip: return (plan, nil)
    }
    return try holding(max(plan.estimatedMemory, reader.identity.size)) {
      let outcome = try rewriter.rewrite(reader.readAll(), as: planned)
      return (outcome.plan, outcome.rewrite?.bytes.count)
    }
  }

  /// Runs work that needs a whole image in memory when the memory is available.
  private func holding<Value>(_ bytes: Int, _ work: () throws -> Value) rethrows -> Value {
    try places.with(1) { try budget.with(bytes, work) }
  }

  /// Finds the files beside a photo, after what an interrupted run has left to do was done.
  func group(
    _ file: Walk.Found,
    _ identity: FileIdentity,
    _ format: ImageFormat,
    _ target: Destination
  ) throws -> (PhotoGroup, completed: [CompanionResult]) {
    var group = try PhotoGroup(file, identity, format, policy, to: target)
    guard target.isInPlace, updatesSidecars, !policy.isDry else { return (group, []) }
    let completed = try group.completePairs(policy)
    return (group, completed)
  }

  /// Returns the report of a dry run.
  ///
  /// - Throws: The error that a run would end with, as far as that is known before.
  private func predicted(
    _ decided: FilePlan,
    _ size: Int?,
    _ group: PhotoGroup,
    to target: Destination
  ) throws -> FileReport {
    let path = group.photo.path
    let rewrites = decided.photo.action.rewrites
    if rewrites, target.isInPlace { try policy.replacement.check(path, group.identity) }
    if case .file(let output) = target, copies(decided.photo) {
      try policy.creation.check(output, group.identity, of: path)
    }
    try execution.check(decided.steps, to: target)
    var report = FileReport(path: path, result: .planned(Shared(decided.photo)))
    if rewrites { report.sizes = size.map { (group.identity.size, $0) } }
    report.companions = decided.companions
    return report
  }

  /// Returns the report of rewriting standard input.
  package func standardInputReport() throws -> FileReport {
    let path = StandardStreams.path
    let file = try StandardStreams.readImage(
      rewriter.options.maxBytes ?? .max,
      orOf: rewriter.request.formats
    )
    let outcome = try rewriter.rewrite(file)
    guard !policy.isDry else {
      return FileReport(path: path, result: .planned(Shared(outcome.plan)))
    }
    var report = report(path, outcome, of: file)
    guard copies(outcome.plan) else { return report }
    if case .only(.file(let output)) = destinations {
      try keep(file, outcome, path, output)
      let bytes = outcome.rewrite?.bytes ?? file
      _ = try policy.creation.create(output, like: nil, with: bytes)
      report.output = output
    } else {
      try keep(file, outcome, path, path)
      try StandardStreams.write(outcome.rewrite?.bytes ?? file)
    }
    return report
  }
}

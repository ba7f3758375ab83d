internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import Records
internal import SystemPackage
internal import Upright

/// Rewrites one file: reads it, transforms it and writes the result.
struct FileRewrite: PairWork {
  var rewriter: Rewriter
  /// How each file is rotated besides, if that differs.
  var angles: AngleList?
  var destinations: Destinations
  /// The formats of the files that are taken from directories and lists.
  var formats = FileFormats.jpeg
  var sidecars: SidecarPolicy
  var dryRun: Bool
  /// Whether a dry run reads the files that would be changed completely.
  var isDeep: Bool
  /// The log of the rewrites, if they are recorded.
  var record: RecordLog?
  /// Whether the undo data of results is, or would be, in a record, too.
  var isRecorded = false
  /// The number of files that may be processed at once; the headers of more may be read.
  var places: Budget
  /// The memory that the threads share, or nil if it is not limited.
  var budget: Budget?
  /// How files are replaced.
  var replacement: AtomicReplacement
  /// How output files are created that do not replace their input.
  var creation: AtomicCreation
  /// Which files are not replaced.
  var protection: WriteProtection.Rule
  /// What is called before a file is replaced.
  var announce: Announcement?
  /// Whether a file that is skipped is copied to its output.
  var copiesSkipped = true

  var visited: VisitedFiles? { replacement.visited }

  /// Whether all results hold their undo data.
  private var embedsUndo: Bool { rewriter.embedding?.isForAll == true }

  func outputs(of file: Walk.Found) throws(FileError) -> [FilePath] {
    guard let output = try destinations.output(of: file) else { return [] }
    guard sidecars == .update else { return [output] }
    return try file.places().reduce(into: [output]) { outputs, photo in
      outputs += SidecarFile.paths(beside: photo.path).map {
        SidecarFile.path(of: $0, photo.path, beside: output)
      }
    }
  }

  var isMostlyReading: Bool { true }

  var isBusy: Bool { places.isUsedUp }

  func task(of file: Walk.Found) -> String? {
    angles?.transform(of: file.path).rawValue ?? rewriter.request.task
  }

  var updatesSidecars: Bool { sidecars == .update }

  func announcing(_ announce: @escaping Announcement) -> FileRewrite {
    var work = self
    work.announce = announce
    return work
  }

  func report(_ file: Walk.Found) throws -> FileReport? {
    if let angles { return try rotating(by: angles.transform(of: file.path)).report(file) }
    return try processed(file)
  }

  func completion(_ file: Walk.Found) throws -> FileReport? {
    var work = rotating(by: .none)
    work.sidecars = sidecars
    return try work.report(file)
  }

  private func processed(_ file: Walk.Found) throws -> FileReport? {
    let path = file.path
    let reader = try FileReader(path)
    if let visited = replacement.visited, !visited.isNew(file, reader.identity) { return nil }
    guard let target = try destinations.destination(of: file) else { return nil }
    guard let visited = replacement.visited, visited.breaksLinks(of: reader.identity) else {
      return try processed(file, reader, to: target)
    }
    return try visited.exclusively { try processed(file, FileReader(path), to: target) }
  }

  /// Returns the work on a file that is rotated; a file that is not rotated is kept, and so is its sidecar.
  private func rotating(by transform: OrientationTransform) -> FileRewrite {
    var work = self
    work.angles = nil
    let tagOnly = transform == .none || rewriter.request.isOfTag
    work.rewriter.request = .transform(transform, tagOnly: tagOnly)
    if transform == .none, case .only(.inPlace) = destinations { work.sidecars = .ignore }
    return work
  }

  private func processed(
    _ file: Walk.Found,
    _ reader: borrowing FileReader,
    to target: Destination
  ) throws -> FileReport {
    let path = file.path
    let isInPlace = target.isInPlace
    // A plan needs only the header, and it suffices for files that are already upright and files that are not
    // JPEG.
    let planned = try self.plan(file, reader)
    var (plan, size) = try isInPlace || dryRun ? plan(reader, planned) : (planned.plan, nil)
    if isInPlace {
      plan = plan.respecting(protection, of: path, reader.identity)
      if embedsUndo, !isRecorded, planned.photo.format != .jpeg, plan.action.rewrites {
        plan.skip(for: .noRoomForUndo)
      }
    }
    let format = planned.photo.format
    let places = try places(of: file, target)
    let companions = try companions(beside: places, format, target, &plan)
    // A file that is not replaced is copied, whatever the plan.
    if !isInPlace { try rewriter.options.checkSize(reader.identity.size) }
    if dryRun {
      if plan.action.rewrites, isInPlace {
        try replacement.check(path, reader.identity)
      }
      if case .file(let output) = target { try creation.check(output, reader.identity, of: path) }
      var report = FileReport(path: path, result: .planned(plan))
      if plan.action.rewrites {
        report.add(companions.neighbours)
        report.sizes = size.map { (reader.identity.size, $0) }
      }
      try predict(companions.sidecars, plan, target, &report)
      report.checkName(of: format, isRewritten: rewriter.request.isOfTag)
      return report
    }
    var report = FileReport(path: path, result: .done(.kept(plan)))
    if plan.action.rewrites || !isInPlace {
      report = try holding(max(plan.estimatedMemory, reader.identity.size)) {
        try rewrite(file, reader, planned, to: target)
      }
      mentionSidecars(beside: places, format, &report)
    } else {
      try attend(to: companions.sidecars, plan, target, &report)
    }
    for file in companions.completed { report.mentionCompleted(file.path) }
    report.checkName(of: format, isRewritten: rewriter.request.isOfTag)
    return report
  }

  /// Reads the whole file and writes the result.
  private func rewrite(
    _ photo: Walk.Found,
    _ reader: borrowing FileReader,
    _ planned: PlannedPhoto,
    to target: Destination
  ) throws -> FileReport {
    let path = photo.path
    let file = try reader.readAll()
    let outcome = try rewriter.rewrite(file, as: planned)
    var report = report(path, outcome, of: file)
    guard copies(outcome) else { return report }
    // What others have made beside the photo since its directory was listed counts, too.
    var (current, plan) = (photo, outcome.plan)
    current.surroundings = nil
    let companions = try companions(
      beside: places(of: current, target),
      planned.photo.format,
      target,
      &plan
    )
    guard plan.action.rewrites == outcome.plan.action.rewrites else {
      return FileReport(path: path, result: .done(.kept(plan)))
    }
    let sidecars = companions.sidecars
    report.add(companions.neighbours)
    for file in companions.completed { report.mentionCompleted(file.path) }
    // A sidecar that cannot be updated is an error before the photo is replaced.
    let updates = try sidecars.map { try update(of: $0, outcome.plan, target) }
    var lost: [LostAttribute] = []
    switch target {
    case .inPlace:
      guard let rewrite = outcome.rewrite else { break }
      try keep(file, outcome, path, nil, reader.identity)
      try announce?(rewrite.bytes)
      let photo = PairReplacement.Member(
        path: path,
        identity: reader.identity,
        former: file,
        bytes: rewrite.bytes,
        change: ContentChange(isDisplayed: rewriter.request.changesDisplay(rewrite))
      )
      let changed = updates.compactMap { $0 }
      lost =
        try changed.isEmpty
        ? replacement.replace(photo) : replace(photo, with: changed, &report)
    case .file(let output):
      let bytes = outcome.rewrite?.bytes ?? file
      let copies = try zip(sidecars, updates).compactMap { try copy(of: $0, $1?.update) }
      if !copies.isEmpty {
        // Otherwise a photo that is there already would get them.
        if !holdsFile(output, bytes) { try creation.check(output, reader.identity, of: path) }
        for copy in copies { try check(copy.member, target) }
      }
      try keep(file, outcome, path, output, reader.identity)
      // Sidecars are created first, so that a photo in place always has them.
      for copy in copies { try create(copy, beside: output, &report) }
      lost = try creation.create(output, like: try reader.rights(), with: bytes)
      report.output = output
    case .standardOutput:
      try keep(file, outcome, path, StandardStreams.path, reader.identity)
      try StandardStreams.write(outcome.rewrite?.bytes ?? file)
    }
    report.warnings = lost.map { "\($0.text) could not be preserved" }
    let others = zip(sidecars, updates).filter { $0.1 == nil }.map(\.0)
    try attend(to: others, outcome.plan, target, &report)
    return report
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
      guard dryRun, isDeep else { return (plan, nil) }
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

  /// Returns whether an output is written: of a crop that is not carried out none, because the copy would still show what
  /// was to be removed.
  private func copies(_ outcome: Outcome) -> Bool {
    guard case .skip = outcome.plan.action else { return true }
    return copiesSkipped && !rewriter.request.isCrop
  }

  /// Records a rewrite before its result is written.
  private func keep(
    _ file: [UInt8],
    _ outcome: Outcome,
    _ path: FilePath,
    _ output: FilePath?,
    _ identity: FileIdentity? = nil
  ) throws(FileError) {
    guard let record, let rewrite = outcome.rewrite else { return }
    let modified = identity?.modificationTime
    try record.append {
      Record(of: file, rewrite, path: path, output: output, modified: modified, in: $0)
    }
  }

  /// Returns the report of a file that was read.
  private func report(_ path: FilePath, _ outcome: Outcome, of file: [UInt8]) -> FileReport {
    var report = FileReport(path: path, result: .done(outcome))
    if let rewrite = outcome.rewrite {
      report.sizes = (file.count, rewrite.bytes.count)
      let keepsUndo = record != nil ? rewrite.undo != nil : rewrite.holdsUndoData
      report.lacksUndo = (record != nil || embedsUndo) && !keepsUndo
    }
    return report
  }

  /// Returns the report of rewriting standard input.
  func standardInputReport() throws -> FileReport {
    let path = StandardStreams.path
    let file = try StandardStreams.readImage(
      rewriter.options.maxBytes ?? .max,
      orOf: rewriter.request.formats
    )
    let outcome = try rewriter.rewrite(file)
    guard !dryRun else { return FileReport(path: path, result: .planned(outcome.plan)) }
    var report = report(path, outcome, of: file)
    guard copies(outcome) else { return report }
    if case .only(.file(let output)) = destinations {
      try keep(file, outcome, path, output)
      try creation.create(output, like: nil, with: outcome.rewrite?.bytes ?? file)
      report.output = output
    } else {
      try keep(file, outcome, path, path)
      try StandardStreams.write(outcome.rewrite?.bytes ?? file)
    }
    return report
  }
}

extension LostAttribute {
  /// The attribute as text.
  var text: String {
    switch self {
    case .owner: "the file's owner"
    case .group: "the file's group"
    case .mode: "who may read a file, which is the same for all files of this file system,"
    case .extendedAttribute(let name):
      "the extended attribute \(TextFormat.escaped(String(decoding: name, as: UTF8.self)))"
    }
  }
}

extension Request {
  /// Whether the displayed image of a result differs from that of the original.
  fileprivate func changesDisplay(_ rewrite: Rewrite) -> Bool {
    if rewrite.image.isOfOtherFormat { return self != .normalize() }
    var transform = OrientationTransform.none
    if case .transform(let stored, _) = rewrite.plan.action { transform = stored }
    let shown = transform.then(rewrite.image.orientation?.transform ?? .none)
    return rewrite.plan.isCropped || rewrite.plan.image.displayed(shown) != .none
  }
}

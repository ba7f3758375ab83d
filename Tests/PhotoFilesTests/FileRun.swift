import FileSystem
import Fixtures
import ImageFormats
import PhotoFiles
import Records
import Reports
import Synchronization
import SystemPackage
import Upright

/// A run over files in this process: what is requested of them, and where the results go.
///
/// It is to a command what `FileRewriter` is to one photo: it has the files of folders and lists, and each file once.
struct FileRun: Sendable {
  /// Where results are written.
  enum Output: Sendable {
    case inPlace
    case file(String)
    case folder(String)

    var folder: FilePath? { if case .folder(let path) = self { FilePath(path) } else { nil } }
  }

  /// What is done with each image.
  var request = Request.normalize()
  /// The policies of the images.
  var options = Options()
  /// The policies of the files.
  var policy = FilePolicy()
  /// The path of the record; nil if there is none.
  var record: String?
  /// Whether all results hold their undo data.
  var embedsUndo = false
  var output = Output.inPlace
  /// Whether files are taken from folders and lists whatever their names.
  var takesAllNames = false
  /// The links in folders that are followed.
  var links = Walk.LinkPolicy.files
  /// The part of the files that is taken.
  var shard: Shard?
  /// The number of files that are processed at once.
  var jobs = 1
  /// The number of rewrites of a file that are undone.
  var maxSteps = Int.max
  /// Whether an undo restores copies that it finds in folders.
  var restoresCopies = false
  /// Whether an undo only removes the undo data from the files.
  var stripsUndo = false
  /// Whether an undo leaves the files beside the photos.
  var restoresPhotosAlone = false

  /// Returns a run that differs in one setting.
  func with<Value>(_ setting: WritableKeyPath<FileRun, Value>, _ value: Value) -> FileRun {
    var run = self
    run[keyPath: setting] = value
    return run
  }

  // MARK: Runs

  /// Returns what a run would do.
  func plan(_ paths: String..., list: [String] = []) throws -> FileReports {
    try plan(paths, list: list)
  }

  func plan(_ paths: [String], list: [String] = []) throws -> FileReports {
    try rewrite(paths, list: list, isDry: true)
  }

  /// Does what is requested with the files of paths, and with those of a list.
  func rewrite(_ paths: String..., list: [String] = []) throws -> FileReports {
    try rewrite(paths, list: list)
  }

  func rewrite(_ paths: [String], list: [String] = [], isDry: Bool = false) throws -> FileReports {
    let selection = selection(paths, list: list, formats: [.jpeg])
    var options = options
    options.makesUndo = record != nil || embedsUndo
    let rewriter = Rewriter(request, options: options).embeddingUndo(inAll: embedsUndo)
    var work = FileRewrite(
      rewriter,
      policy(of: selection, isDry: isDry, remembersAll: selection.repeats),
      places: Budget(jobs)
    )
    work.log = try isDry ? nil : record.map { try RecordLog(FilePath($0), tool: "test") }
    return run(work, on: selection)
  }

  /// Returns what an audit finds.
  func audit(_ paths: String...) throws -> FileReports {
    let formats = FileFormats.all
    let selection = selection(paths, formats: formats.formats)
    var requested = FilePolicy()
    requested.sidecars = policy.sidecars
    requested.protection = policy.protection
    let visited = VisitedFiles(remembersAll: selection.repeats)
    var audit = FileAudit(Rewriter(options: options), requested, visited: visited)
    audit.formats = formats
    return run(audit, on: selection)
  }

  /// Returns what an undo would do.
  func planUndo(_ paths: String...) throws -> FileReports { try undo(paths, isDry: true) }

  /// Restores the files of paths, or all of the record if there are none; without a record, from the undo data in them.
  func undo(_ paths: String...) throws -> FileReports { try undo(paths) }

  func undo(_ paths: [String], isDry: Bool = false) throws -> FileReports {
    let index = try record.map { try RecordIndex(FilePath($0)) }
    let selection = selection(paths, formats: index?.formats ?? [.jpeg])
    let remembersAll = paths.isEmpty || selection.repeats
    var policy = policy(of: selection, isDry: isDry, remembersAll: remembersAll)
    if paths.isEmpty, let folder = output.folder { policy.destinations = .below(folder) }
    if restoresPhotosAlone { policy.sidecars = .ignore }
    var restoration = try FileRestoration(index, policy, options: options)
    let sidecars = index.map { FileRestoration.sidecarsOfPhotos(in: $0) }
    restoration.sidecarsOfPhotos = sidecars
    if case .file = output { restoration.takesSidecars = false }
    if index == nil && !stripsUndo { restoration.takesSidecars = false }
    restoration.maxSteps = maxSteps
    restoration.skipsCopies = !restoresCopies
    restoration.strips = stripsUndo
    restoration.followsRecord = paths.isEmpty
    var reports = FileReports()
    if let index, let record {
      let path = FilePath(record)
      reports.reports = index.errors.map { FileReport(path: path, result: .failed($0)) }
      guard !paths.isEmpty else {
        let files = index.files(
          below: try workingDirectory(),
          besides: sidecars ?? [],
          takesSidecars: !restoresPhotosAlone
        )
        return reports + run(restoration, on: files.map { Walk.Item.file($0) })
      }
    }
    return reports + run(restoration, on: selection)
  }

  // MARK: Parts of a run

  private func selection(
    _ paths: [String],
    list: [String] = [],
    formats: Set<ImageFormat>
  ) -> Selection {
    var names = NameRule(
      formats: formats,
      allNames: takesAllNames,
      backupSuffix: policy.replacement.backupSuffix
    )
    names.distinguishesFormats = true
    let walk = Walk(
      roots: paths.map { FilePath($0) },
      recursive: true,
      links: links,
      meetsOnce: output.folder == nil,
      names: names,
      outputDirectory: output.folder
    )
    let paths = list.isEmpty ? nil : PathList(list.map { FilePath($0) })
    return Selection(walk, list: paths, shard: shard)
  }

  private func policy(of selection: Selection, isDry: Bool, remembersAll: Bool) -> FilePolicy {
    var policy = policy
    policy.isDry = isDry
    policy.keepsRecord = record != nil
    switch output {
    case .inPlace: policy.destinations = .only(.inPlace)
    case .file(let path): policy.destinations = .only(.file(FilePath(path)))
    case .folder(let path):
      let tree = selection.tree(in: FilePath(path))
      policy.destinations = .names(OutputNames(tree, repeats: selection.repeats))
    }
    // In an output folder, each name of a file has a result.
    let isOnce = output.folder == nil
    if isOnce {
      let hardLinks = policy.replacement.hardLinks
      policy.replacement.visited = VisitedFiles(remembersAll: remembersAll, hardLinks: hardLinks)
    }
    policy.creation = AtomicCreation(
      overwrite: policy.overwritesOutputs,
      createDirectories: !isOnce,
      times: policy.replacement.times,
      protection: policy.protection,
      once: policy.overwritesOutputs && !isOnce
    )
    return policy
  }

  private func run<Items: Sequence<Walk.Item> & Sendable>(
    _ work: some FileWork,
    on items: Items
  ) -> FileReports where Items.Iterator: Sendable {
    let all = Mutex(FileReports())
    Batch(jobs: jobs).forEach(items) { items in
      items.map { FileReports($0, work) }.reduce(FileReports(), +)
    } then: { reports in
      all.withLock { $0 = $0 + reports }
    }
    return all.withLock { $0 }
  }
}

extension FileReports {
  /// The report of an item of a walk, or why it has none.
  fileprivate init(_ item: Walk.Item, _ work: some FileWork) {
    switch item {
    case .failed(let error):
      reports = [FileReport(path: error.path, result: .failed(UprightError(error)))]
    case .ignored(let path, .temporary) where work.removesAbandoned(path): break
    case .ignored(_, let reason): ignored = [reason: 1]
    case .candidate(let file) where !work.mayTake(file.path): break
    case .candidate(let file), .file(let file):
      if let report = work.result(of: file) {
        reports = [report]
      } else {
        ignored = [.duplicate: 1]
      }
    }
  }
}

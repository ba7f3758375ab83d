internal import Dispatch
internal import FileSystem
public import Records
internal import Reports
internal import Synchronization
internal import SystemPackage
internal import Upright

extension FileRewriter {
  /// Does what is requested with all photos below a folder.
  ///
  /// Photos are found by their names, as the command finds them: temporary files, backups, and folders of systems are none.
  /// They are processed on several threads, and results come in the order of the photos. The work ends when the loop over
  /// the results does, or its task is cancelled: after the photos that are begun.
  ///
  /// - Parameters:
  ///   - folder: The folder, or a file.
  ///   - jobs: The number of photos that are processed at once; by default the number of cores.
  /// - Returns: The results, also of files that failed.
  public func rewriting(
    below folder: RecordedPath,
    jobs: Int? = nil
  ) -> AsyncStream<FileResult> {
    let jobs = jobs ?? availableCores
    var work = work()
    work.places = Budget(jobs)
    work.budget = rewriter.options.maxMemory.map(Budget.init)
    // A file may be reached by several links.
    work.policy.replacement.visited = VisitedFiles(
      remembersAll: false,
      hardLinks: work.policy.replacement.hardLinks
    )
    let items = Selection(Walk(roots: [folder.path], recursive: true))
    return AsyncStream { [work] continuation in
      let isEnded = Mutex(false)
      continuation.onTermination = { _ in isEnded.withLock { $0 = true } }
      DispatchQueue(label: "upright.folder").async {
        let batch = Batch(jobs: jobs, isEnded: { isEnded.withLock { $0 } })
        batch.forEach(items) {
          $0.compactMap { Self.report($0, work) }
        } then: { reports in
          for report in reports { continuation.yield(FileResult(report)) }
        }
        continuation.finish()
      }
    }
  }

  private static func report(_ item: Walk.Item, _ work: FileRewrite) -> FileReport? {
    switch item {
    case .file(let file): return FileReport(file.path, { try work.report(file) })
    case .failed(let error):
      return FileReport(path: error.path, result: .failed(FileFailure(error)))
    case .candidate, .ignored: return nil
    }
  }
}

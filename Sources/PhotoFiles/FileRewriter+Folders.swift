internal import Dispatch
internal import FileSystem
internal import ImageFormats
package import JPEGCore
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
  /// the results does, or its task is cancelled: after the photos that are begun, which are a few for each thread. The loop of a
  /// task that is cancelled ends as if these were all photos: ask `Task.isCancelled` after it.
  ///
  /// Temporary files that killed runs left are removed. If another program removes, replaces or empties the record meanwhile, the
  /// last result is a failure with the path of the record.
  ///
  /// - Parameters:
  ///   - folder: The folder, or a file.
  ///   - jobs: The number of photos that are processed at once; by default the number of cores.
  /// - Returns: The results, also of files that failed, for one loop.
  public func rewriting(below folder: RecordedPath, jobs: Int? = nil) -> FileResults {
    results(of: .rewrite, below: folder, jobs: jobs)
  }

  /// Returns what a rewrite would do with all photos below a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder, or a file.
  ///   - jobs: The number of photos that are planned at once; by default the number of cores.
  /// - Returns: The plans, also of files that failed, for one loop.
  public func planning(below folder: RecordedPath, jobs: Int? = nil) -> FileResults {
    results(of: .plan, below: folder, jobs: jobs)
  }

  /// Restores the originals of all photos below a folder and of their sidecars, byte for byte.
  ///
  /// A photo without a record is unchanged, and a copy of one that still exists where it was rewritten is skipped. For each damaged
  /// line of the records, the first results are failures with the path of the record.
  ///
  /// - Parameters:
  ///   - folder: The folder, or a file; it may have been moved since.
  ///   - index: The records; nil for the undo data in the photos.
  ///   - jobs: The number of photos that are restored at once; by default the number of cores.
  /// - Returns: The results, also of files that failed, for one loop.
  public func restoring(
    below folder: RecordedPath,
    from index: RecordIndex?,
    jobs: Int? = nil
  ) -> FileResults {
    results(of: .restore(index), below: folder, jobs: jobs)
  }

  private func results(
    of task: FolderTask,
    below folder: RecordedPath,
    jobs: Int?
  ) -> FileResults {
    let jobs = jobs ?? availableCores
    let (results, sink) = FileResults.make(room: 2 * jobs)
    // It holds only the sink: that nobody holds the results ends the work.
    DispatchQueue(label: "upright.folder").async {
      forEach(task, below: folder, jobs: jobs, isEnded: { sink.isEnded }) {
        sink.append($0)
      }
      sink.finish()
    }
    return results
  }

  /// Does something with all photos below a folder, on several threads; returns after the last.
  ///
  /// - Parameters:
  ///   - task: What is done.
  ///   - folder: The folder, or a file.
  ///   - jobs: The number of photos that are processed at once.
  ///   - cancellation: Cancels the photos that are begun.
  ///   - isEnded: Whether no more photos are begun.
  ///   - then: Gets the results in the order of the photos, on any thread, one at a time.
  /// - Returns: Whether no photo was left because `isEnded` was true.
  @discardableResult
  package func forEach(
    _ task: FolderTask,
    below folder: RecordedPath,
    jobs: Int,
    by cancellation: WorkLimit.Cancellation? = nil,
    isEnded: @escaping @Sendable () -> Bool,
    then: @escaping @Sendable (FileResult) -> Void
  ) -> Bool {
    func fail(_ path: RecordedPath, _ failure: UprightError) {
      then(FileResult(path, failed: failure))
    }
    // A file may be reached by several links.
    let visited = VisitedFiles(remembersAll: false, hardLinks: policy.replacement.hardLinks)
    func process(_ work: some FileWork, _ formats: Set<ImageFormat> = [.jpeg]) -> Bool {
      let names = NameRule(formats: formats)
      let items = Selection(Walk(roots: [folder.path], recursive: true, names: names))
      return Batch(jobs: jobs, isEnded: isEnded).forEach(items) { items in
        WorkLimit.observing(for: nil, by: cancellation) {
          items.compactMap { Self.report($0, work) }
        }.get()
      } then: { reports in
        for report in reports { then(FileResult(report)) }
      }
    }
    switch task {
    case .rewrite, .plan:
      var work = work(isDry: task.isDry)
      work.places = Budget(jobs)
      work.budget = rewriter.options.maxMemory.map(Budget.init)
      work.policy.replacement.visited = visited
      defer {
        if !task.isDry, let record, let loss = record.loss {
          fail(record.recordedPath, loss.failure)
        }
      }
      return process(work)
    case .restore(let index):
      do throws(FileError) {
        var work = try FileRestoration(index, policy, options: rewriter.options)
        work.policy.replacement.visited = visited
        work.sidecarsOfPhotos = index.map { FileRestoration.sidecarsOfPhotos(in: $0) }
        work.skipsCopies = true
        if let index {
          for error in index.errors { fail(index.recordedPath, error) }
        }
        return process(work, index?.formats ?? [.jpeg])
      } catch {
        fail(RecordedPath(error.path), UprightError(error))
        return true
      }
    }
  }

  private static func report(_ item: Walk.Item, _ work: some FileWork) -> FileReport? {
    switch item {
    case .file(let file): return work.result(of: file)
    case .failed(let error):
      return FileReport(path: error.path, result: .failed(UprightError(error)))
    case .ignored(let path, .temporary):
      _ = work.removesAbandoned(path)
      return nil
    case .candidate, .ignored: return nil
    }
  }
}

/// What is done with the photos of a folder.
package enum FolderTask: Sendable {
  case rewrite, plan
  /// From records; with nil, from the undo data in the photos.
  case restore(RecordIndex?)

  /// Whether nothing is written.
  fileprivate var isDry: Bool {
    if case .plan = self { true } else { false }
  }
}

/// The results of the photos of a folder, as they are processed.
public struct FileResults: AsyncSequence, Sendable {
  private let stream: AsyncStream<FileResult>
  private let room: DispatchSemaphore

  /// Where the work puts its results.
  struct Sink: Sendable {
    private let continuation: AsyncStream<FileResult>.Continuation
    /// How far the work may be ahead of the loop.
    private let room: DispatchSemaphore
    private let state = State()

    private final class State: Sendable {
      let isEnded = Mutex(false)
    }

    fileprivate init(
      _ continuation: AsyncStream<FileResult>.Continuation,
      _ room: DispatchSemaphore
    ) {
      (self.continuation, self.room) = (continuation, room)
      continuation.onTermination = { [state] _ in
        state.isEnded.withLock { $0 = true }
        room.signal()
      }
    }

    /// Whether the loop has ended.
    var isEnded: Bool { state.isEnded.withLock { $0 } }

    /// Adds a result when the loop has taken enough of them.
    func append(_ result: FileResult) {
      room.wait()
      continuation.yield(result)
      // Nobody takes it any more.
      if isEnded { room.signal() }
    }

    func finish() { continuation.finish() }
  }

  /// Creates the results, and where they come from, of which that many may wait for the loop.
  static func make(room count: Int) -> (FileResults, Sink) {
    // Not the initial value: a semaphore must not be below it when it is deallocated.
    let room = DispatchSemaphore(value: 0)
    for _ in 0..<count { room.signal() }
    let (stream, continuation) = AsyncStream<FileResult>.makeStream()
    return (FileResults(stream: stream, room: room), Sink(continuation, room))
  }

  private init(stream: AsyncStream<FileResult>, room: DispatchSemaphore) {
    (self.stream, self.room) = (stream, room)
  }

  /// Starts the loop.
  public func makeAsyncIterator() -> Iterator {
    Iterator(results: stream.makeAsyncIterator(), room: room)
  }

  /// Takes the results.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var results: AsyncStream<FileResult>.Iterator
    fileprivate let room: DispatchSemaphore

    /// Returns the next result when it is there; nil at the end, and if the task is cancelled.
    public mutating func next() async -> FileResult? {
      defer { room.signal() }
      return await results.next()
    }
  }
}

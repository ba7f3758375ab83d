internal import Dispatch
internal import FileSystem
internal import JPEGCore
internal import PhotoFiles
internal import Reports
internal import Synchronization
internal import Upright

/// The results of the photos of a folder, between the threads that process them and the caller who takes them.
final class FolderResults: Sendable {
  /// What is done with the photos.
  enum Function {
    case normalize, plan, restore
  }

  private struct State {
    var results: [CallResult] = []
    /// Whether the caller takes no more.
    var isEnded = false
    /// Whether a photo was left, or not done, because the work was cancelled.
    var isCutShort = false
    /// Why the work ended before the last photo, which the caller gets after the results.
    var end: UprightError?
    /// Why the work did not begin, or has ended before the last photo; C may hold it.
    var error: CallResult?
  }

  private let state = Mutex(State())
  /// The results that wait for the caller, and the end.
  private let available = DispatchSemaphore(value: 0)
  /// How far the work may be ahead of the caller.
  private let room = DispatchSemaphore(value: 0)
  private let work = DispatchGroup()

  /// Begins the work.
  ///
  /// - Parameters:
  ///   - call: The arguments.
  ///   - jobs: The number of photos that are processed at once; 0 for the number of cores.
  ///   - function: What is done.
  init(_ call: FileCall, jobs: Int, _ function: Function) {
    let files: FileRewriter
    let task: FolderTask
    do throws(UprightError) {
      guard call.path != nil else {
        throw UprightError(.argument, "the path is NULL")
      }
      guard (0...1024).contains(jobs) else {
        throw UprightError(.argument, "there are \(jobs) jobs; 1024 is the maximum")
      }
      switch function {
      case .normalize, .plan:
        let isDry = function == .plan
        files = try call.rewriter(.normalize, isDry: isDry) { (_) throws(UprightError) in
          .normalize()
        }.0
        task = isDry ? .plan : .rewrite
      case .restore:
        let (restorer, index) = try call.restorer()
        (files, task) = (restorer, .restore(index))
      }
    } catch {
      state.withLock { $0.error = CallResult(failed: error) }
      available.signal()
      return
    }
    guard let folder = call.path else { return }
    let jobs = jobs == 0 ? availableCores : jobs
    // Not the initial value: a semaphore must not be below it when it is deallocated.
    for _ in 0..<2 * jobs { room.signal() }
    let cancellation = call.cancellation
    DispatchQueue(label: "upright.folder").async(group: work) {
      let isComplete = files.forEach(task, below: folder, jobs: jobs, by: cancellation) {
        cancellation?.isCancelled == true || self.isEnded
      } then: {
        self.append($0)
      }
      self.state.withLock { state in
        guard cancellation?.isCancelled == true, !isComplete || state.isCutShort else { return }
        state.end = UprightError(WorkLimit.cancellation)
      }
      self.available.signal()
    }
  }

  /// Why the work did not begin, or ended before the last photo; nil if it did neither.
  var error: CallResult? { state.withLock { $0.error } }

  private var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Adds a result when the caller has taken enough of them.
  private func append(_ result: FileResult) {
    room.wait()
    let isCancelled = result.error?.code == .cancelled
    let result = CallResult(result)
    let isEnded = state.withLock { state in
      if isCancelled { state.isCutShort = true }
      if !state.isEnded { state.results.append(result) }
      return state.isEnded
    }
    if isEnded {
      // Nobody takes it any more.
      room.signal()
    } else {
      available.signal()
    }
  }

  /// Returns the next result when it is there; nil at the end.
  func next() -> CallResult? {
    available.wait()
    let result: CallResult? = state.withLock { state in
      if !state.results.isEmpty { return state.results.removeFirst() }
      if let end = state.end, state.error == nil { state.error = CallResult(failed: end) }
      return nil
    }
    // The end remains.
    if result == nil { available.signal() } else { room.signal() }
    return result
  }

  /// Ends the work after the photos that are begun.
  func end() {
    state.withLock { $0.isEnded = true }
    room.signal()
    work.wait()
  }
}

internal import Dispatch
internal import FileSystem
internal import JPEGCore
internal import PhotoFiles
internal import Reports
internal import Synchronization
internal import Upright

/// The results of the photos of a folder, between the threads that process them and the caller who takes them.
final class FolderResults: Sendable {
  /// Why the work did not begin; nil if it did.
  let error: CallResult?

  /// What is done with the photos.
  enum Function {
    case normalize, plan, restore
  }

  private struct State {
    var results: [CallResult] = []
    /// Whether the caller takes no more.
    var isEnded = false
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
      self.error = CallResult(failed: error)
      available.signal()
      return
    }
    error = nil
    guard let folder = call.path else { return }
    let jobs = jobs == 0 ? availableCores : jobs
    // Not the initial value: a semaphore must not be below it when it is deallocated.
    for _ in 0..<2 * jobs { room.signal() }
    let cancellation = call.cancellation
    DispatchQueue(label: "upright.folder").async(group: work) {
      files.forEach(task, below: folder, jobs: jobs, by: cancellation) {
        cancellation?.isCancelled == true || self.isEnded
      } then: {
        self.append(CallResult($0))
      }
      self.available.signal()
    }
  }

  private var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Adds a result when the caller has taken enough of them.
  private func append(_ result: CallResult) {
    room.wait()
    let isEnded = state.withLock { state in
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
    let result = state.withLock { $0.results.isEmpty ? nil : $0.results.removeFirst() }
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

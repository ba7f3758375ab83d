public import Foundation

/// Threads for work on photos, apart from those of Swift's concurrency and of a server, which the work would block.
///
/// ```swift
/// let outcome = try await PhotoThreads.shared.run { try rewriter.rewrite(photo) }
/// ```
///
/// The work stays in the task that waits for it: it has the task's priority and local values, and ends early if the task is
/// cancelled. Photos above the number of threads wait.
public final class PhotoThreads: TaskExecutor {
  /// As many threads as there are processors, for all that share them.
  public static let shared = PhotoThreads()

  private let queue = OperationQueue()

  /// Creates threads.
  ///
  /// - Parameter count: The number of threads, and so of photos that are processed at once.
  public init(count: Int = ProcessInfo.processInfo.activeProcessorCount) {
    queue.maxConcurrentOperationCount = count
  }

  /// Does work on one of the threads.
  ///
  /// - Parameter work: The work.
  /// - Returns: Its value.
  /// - Throws: Its error; of work that is cancelled, `UprightError` of code `cancelled`.
  public func run<Value: Sendable, Failure>(
    _ work: @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(self) { () throws(Failure) in try work() }
  }

  /// Runs a part of a task on one of the threads; Swift's concurrency calls it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

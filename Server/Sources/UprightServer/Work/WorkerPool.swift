internal import NIOPosix
internal import Synchronization

/// The threads that process photos, separate from those of the connections, with a bounded queue.
///
/// It is a task executor: the work remains a part of the task that started it, and is cancelled with it.
final class WorkerPool: TaskExecutor {
  private let threads: NIOThreadPool
  private let capacity: (running: Int, all: Int)
  private let admitted = Mutex(0)

  /// The error when the queue is full.
  struct Full: Error {}

  init(workers: Int, queue: Int) {
    threads = NIOThreadPool(numberOfThreads: workers)
    capacity = (workers, workers + queue)
    threads.start()
  }

  /// Whether the queue has room for one more.
  var hasRoom: Bool { admitted.withLock { $0 < capacity.all } }

  /// The numbers of pieces of work that run and that wait.
  var load: (running: Int, waiting: Int) {
    let count = admitted.withLock { $0 }
    return (min(count, capacity.running), max(0, count - capacity.running))
  }

  /// Performs work when a thread is available.
  ///
  /// - Throws: ``Full``, or the error of the work.
  func run<Value: Sendable>(_ work: @Sendable () throws -> Value) async throws -> Value {
    let isAdmitted = admitted.withLock { count in
      guard count < capacity.all else { return false }
      count += 1
      return true
    }
    guard isAdmitted else { throw Full() }
    defer { admitted.withLock { $0 -= 1 } }
    return try await withTaskExecutorPreference(self) { try work() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A pool that is shut down runs the work immediately on the calling thread.
    threads.submit { _ in unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Ends the threads, after the work that runs.
  func stop() { try? threads.syncShutdownGracefully() }
}

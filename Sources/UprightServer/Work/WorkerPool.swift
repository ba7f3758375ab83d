#if Server
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization

/// The threads that work on photographs, away from those that serve connections, and the queue before them.
///
/// It is a task executor: the work stays a part of the task that asked for it, and ends with it when that is
/// cancelled.
final class WorkerPool: TaskExecutor, Service {
  private let threads: NIOThreadPool
  private let capacity: (running: Int, all: Int)
  private let admitted = Mutex(0)

  /// What is thrown when the queue is full.
  struct Full: Error {}

  /// - Parameters:
  ///   - workers: How many pieces of work go on at once.
  ///   - queue: How many more may wait.
  init(workers: Int, queue: Int) {
    threads = NIOThreadPool(numberOfThreads: workers)
    capacity = (workers, workers + queue)
    threads.start()
  }

  /// Whether there is room for one more.
  var hasRoom: Bool { admitted.withLock { $0 < capacity.all } }

  /// How many pieces of work go on, and how many wait.
  var load: (running: Int, waiting: Int) {
    let count = admitted.withLock { $0 }
    return (min(count, capacity.running), max(0, count - capacity.running))
  }

  /// Does work when its transform comes.
  ///
  /// - Throws: ``Full``, or what the work throws.
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
    // A pool that is shut down runs it at once, in the thread that asks.
    threads.submit { _ in unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits for the end of the service, and lets the work end that goes on.
  func run() async throws {
    try? await gracefulShutdown()
    try await threads.shutdownGracefully()
  }
}
#endif

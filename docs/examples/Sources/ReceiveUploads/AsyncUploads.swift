import Foundation
import Upright

/// Separate threads for photos, as many as there are processors.
final class PhotoThreads: TaskExecutor {
  private let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = ProcessInfo.processInfo.activeProcessorCount
    return queue
  }()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

let threads = PhotoThreads()

/// Normalizes an upload without blocking the threads that serve connections.
func upright(_ photo: [UInt8]) async throws -> [UInt8] {
  try await withTaskExecutorPreference(threads) {
    switch try rewriter.rewrite(photo) {
    case .rewritten(let result): result.bytes
    case .unchanged, .skipped: photo
    }
  }
}

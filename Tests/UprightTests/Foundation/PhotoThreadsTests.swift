import Fixtures
import Foundation
import Synchronization
import Testing
import Upright
import UprightFoundation

/// Work on photos in asynchronous code.
struct PhotoThreadsTests {
  /// Counts the work that runs.
  private final class Counter: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var now: Int { counts.withLock { $0.now } }
    var most: Int { counts.withLock { $0.most } }

    func enter() {
      counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
      }
    }

    func leave() { counts.withLock { $0.now -= 1 } }
  }

  @Test func `No more photos are processed at once than there are threads`() async throws {
    let threads = PhotoThreads(count: 2)
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          await threads.run {
            counter.enter()
            Thread.sleep(forTimeInterval: 0.01)
            counter.leave()
          }
        }
      }
    }
    // On a busy machine, one may have ended before the next begins.
    #expect((1...2).contains(counter.most))
  }

  @Test func `The threads of Swift's concurrency are free meanwhile`() async throws {
    // One more than the pool has; many more could take all threads of the process from other tests.
    let count = ProcessInfo.processInfo.activeProcessorCount + 1
    let threads = PhotoThreads(count: count)
    let (started, ended) = (Counter(), Counter())
    await withTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          await threads.run {
            started.enter()
            while ended.now == 0 { Thread.sleep(forTimeInterval: 0.001) }
          }
        }
      }
      while started.now < count { await Task.yield() }
      #expect(await Task { 1 }.value == 1)
      ended.enter()
    }
  }

  @Test func `The work of a cancelled task ends`() async throws {
    let photo = try Fixture.bytes("sample/portrait.jpg")
    let task = Task {
      try await PhotoThreads.shared.run {
        while !Task.isCancelled { Thread.sleep(forTimeInterval: 0.001) }
        return try Rewriter().rewrite(photo)
      }
    }
    task.cancel()
    let error = await #expect(throws: UprightError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }
}

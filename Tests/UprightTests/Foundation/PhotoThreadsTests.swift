import Fixtures
import Foundation
import Synchronization
import Testing
import Upright
import UprightFoundation

/// Work on photos in asynchronous code.
struct PhotoThreadsTests {
  @Test func `No more photos are processed at once than there are threads`() async throws {
    let threads = PhotoThreads(count: 2)
    let running = Mutex((now: 0, most: 0))
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          await threads.run {
            running.withLock { count in
              count.now += 1
              count.most = max(count.most, count.now)
            }
            Thread.sleep(forTimeInterval: 0.01)
            running.withLock { $0.now -= 1 }
          }
        }
      }
    }
    #expect(running.withLock { $0.most } == 2)
  }

  @Test func `The threads of Swift's concurrency are free meanwhile`() async throws {
    let threads = PhotoThreads(count: 64)
    let started = Mutex(0)
    let finish = DispatchSemaphore(value: 0)
    // More than there are threads of the pool.
    let blocked = (0..<64).map { _ in
      Task {
        await threads.run {
          started.withLock { $0 += 1 }
          finish.wait()
        }
      }
    }
    while started.withLock({ $0 }) < 64 { await Task.yield() }
    #expect(await Task { 1 }.value == 1)
    for _ in blocked { finish.signal() }
    for task in blocked { await task.value }
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

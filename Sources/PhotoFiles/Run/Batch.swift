internal import Dispatch
internal import FileSystem
internal import Synchronization

/// Processes a sequence of inputs on several threads and delivers the results in the order of the inputs.
///
/// Inputs are read when a thread is free and not too far ahead of the slowest thread, so memory is bounded by the
/// number of threads. Where threads mostly wait, as on a network share, more threads are added so that many
/// requests are in flight; where files are in the page cache, there are at most as many as cores.
package struct Batch {
  /// The number of threads at the beginning.
  let jobs: Int
  /// The maximum number of threads; the number at the beginning by default.
  let maxJobs: Int?
  /// The maximum number of inputs that a thread takes at a time; more than one if the work on one is small.
  let stride: Int
  /// Whether another thread would have work to do.
  let hasRoom: @Sendable () -> Bool
  /// Whether no more inputs are taken.
  let isEnded: @Sendable () -> Bool

  /// Creates a batch.
  package init(
    jobs: Int,
    maxJobs: Int? = nil,
    stride: Int = 1,
    hasRoom: @escaping @Sendable () -> Bool = { true },
    isEnded: @escaping @Sendable () -> Bool = { false }
  ) {
    (self.jobs, self.maxJobs, self.stride) = (jobs, maxJobs, stride)
    (self.hasRoom, self.isEnded) = (hasRoom, isEnded)
  }

  /// Processes every input, until all are done or the process is interrupted.
  ///
  /// `work` gets at most ``stride`` inputs and is called on several threads at once. `then` gets the results in the order
  /// of their inputs, on any thread, one call at a time.
  ///
  /// - Returns: Whether every input was processed.
  @discardableResult
  package func forEach<Inputs: Sequence & Sendable, Result: Sendable>(
    _ inputs: Inputs,
    work: @escaping @Sendable ([Inputs.Element]) -> Result,
    then: @escaping @Sendable (Result) -> Void
  ) -> Bool where Inputs.Iterator: Sendable, Inputs.Element: Sendable {
    let limit = max(jobs, maxJobs ?? 1)
    let line = Line(inputs.makeIterator(), stride: stride, ahead: limit * Self.ahead, isEnded, then)
    let crew = Crew(limit: limit)
    @Sendable func run() {
      line.run(work) { if hasRoom() { crew.add(run) } }
    }
    for _ in 1..<max(jobs, 1) { crew.add(run) }
    run()
    crew.wait()
    return line.isComplete
  }

  /// The number of groups of inputs that may be finished before the first of them, for each job.
  private static let ahead = 4
}

/// The additional threads of a batch.
private final class Crew: Sendable {
  private let group = DispatchGroup()
  private let size = Mutex(1)
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  /// Starts one more thread, unless the maximum is reached.
  func add(_ run: @escaping @Sendable () -> Void) {
    let number = size.withLock { size -> Int? in
      guard size < limit else { return nil }
      size += 1
      return size
    }
    // Each queue gets its own thread, even if there are more jobs than cores.
    if let number {
      DispatchQueue(label: "upright.job.\(number)").async(group: group, execute: run)
    }
  }

  func wait() { group.wait() }
}

/// The measured time of a piece of work.
private struct Effort {
  private let start = ContinuousClock.now
  private let startOfWork = Syscalls.threadTime()

  /// Returns the time per input, and whether most of it was spent waiting.
  func each(of count: Int) -> (time: Duration, isWaiting: Bool) {
    let time = ContinuousClock.now - start
    let work = Syscalls.threadTime() - startOfWork
    return (time / count, time > .milliseconds(2) * count && work * 4 < time)
  }
}

/// The queue of inputs and the ordered results, shared by all threads of a batch.
private final class Line<Inputs: IteratorProtocol & Sendable, Result: Sendable>: Sendable
where Inputs.Element: Sendable {
  private struct Source: Sendable {
    var inputs: Inputs
    var count = 0
    /// Whether the inputs have ended, and were not left.
    var isAtEnd = false
  }

  private struct Sink: Sendable {
    var waiting: [Int: Result] = [:]
    var next = 0
  }

  private let source: Mutex<Source>
  private let sink = Mutex(Sink())
  private let stride: Int
  private let isEnded: @Sendable () -> Bool
  private let places: DispatchSemaphore
  private let then: @Sendable (Result) -> Void

  init(
    _ inputs: Inputs,
    stride: Int,
    ahead: Int,
    _ isEnded: @escaping @Sendable () -> Bool,
    _ then: @escaping @Sendable (Result) -> Void
  ) {
    self.isEnded = isEnded
    source = Mutex(Source(inputs: inputs))
    self.stride = stride
    self.then = then
    places = DispatchSemaphore(value: ahead)
  }

  /// Whether no inputs were left.
  var isComplete: Bool { source.withLock { $0.isAtEnd } }

  /// Takes inputs, processes them and delivers the results until there are no more inputs.
  func run(_ work: ([Inputs.Element]) -> Result, isWaiting: () -> Void) {
    var count = 1
    while true {
      places.wait()
      let (number, inputs) = take(count)
      guard !inputs.isEmpty else {
        places.signal()
        return
      }
      let effort = Effort()
      let result = work(inputs)
      let each = effort.each(of: inputs.count)
      if each.isWaiting { isWaiting() }
      // Some milliseconds of work at a time: the lock is taken rarely, and no thread waits long.
      count = max(1, min(stride, Int(.milliseconds(10) / max(each.time, .nanoseconds(1)))))
      sink.withLock { sink in
        sink.waiting[number] = result
        while let ready = sink.waiting.removeValue(forKey: sink.next) {
          then(ready)
          sink.next += 1
          places.signal()
        }
      }
    }
  }

  private func take(_ count: Int) -> (number: Int, inputs: [Inputs.Element]) {
    source.withLock { source in
      var inputs: [Inputs.Element] = []
      inputs.reserveCapacity(count)
      while inputs.count < count, !Interruption.isPending, !isEnded() {
        guard let input = source.inputs.next() else {
          source.isAtEnd = true
          break
        }
        inputs.append(input)
      }
      defer { source.count += 1 }
      return (source.count, inputs)
    }
  }
}

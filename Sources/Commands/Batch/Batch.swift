internal import Dispatch
internal import FileSystem
internal import Synchronization

/// Works on a stream of inputs on several threads, and hands the results over in the order of the inputs.
///
/// Inputs are taken when a thread is free and not too far ahead of the slowest, so that memory is bounded by the
/// number of threads and not by that of the inputs. Threads that mostly wait, as for a network share, get company,
/// so that many requests are in flight; where files are in the page cache, there are no more than cores.
struct Batch {
  /// How many threads there are at the beginning.
  let jobs: Int
  /// How many threads there may be; no more than at the beginning by default.
  var maxJobs: Int?
  /// How many inputs a thread takes at a time at most; more than one where the work on one is small.
  var stride = 1
  /// Whether another thread would find something to do.
  var hasRoom: @Sendable () -> Bool = { true }

  /// Works on every input, until all are done or the process is asked to end.
  ///
  /// - Parameters:
  ///   - inputs: What to work on.
  ///   - work: Does the work on some of them, at most ``stride``; called on several threads at once.
  ///   - then: Takes the results, in the order of their inputs; called on any thread, one call at a time.
  func forEach<Inputs: Sequence & Sendable, Result: Sendable>(
    _ inputs: Inputs,
    work: @escaping @Sendable ([Inputs.Element]) -> Result,
    then: @escaping @Sendable (Result) -> Void
  ) where Inputs.Iterator: Sendable, Inputs.Element: Sendable {
    let most = max(jobs, maxJobs ?? 1)
    let line = Line(inputs.makeIterator(), stride: stride, ahead: most * Self.ahead, then)
    let crew = Crew(most: most)
    @Sendable func run() {
      line.run(work) { if hasRoom() { crew.add(run) } }
    }
    for _ in 1..<max(jobs, 1) { crew.add(run) }
    run()
    crew.wait()
  }

  /// How many groups of inputs may be finished before the first of them is, for each job.
  private static let ahead = 4
}

/// The threads of a batch besides the one that began it.
private final class Crew: Sendable {
  private let group = DispatchGroup()
  private let size = Mutex(1)
  private let most: Int

  init(most: Int) { self.most = most }

  /// Lets one more thread run, unless there are enough of them.
  func add(_ run: @escaping @Sendable () -> Void) {
    let number = size.withLock { size -> Int? in
      guard size < most else { return nil }
      size += 1
      return size
    }
    // Each queue has a thread of its own, also where there are more jobs than cores.
    if let number {
      DispatchQueue(label: "upright.job.\(number)").async(group: group, execute: run)
    }
  }

  func wait() { group.wait() }
}

/// What a piece of work took.
private struct Effort {
  private let start = ContinuousClock.now
  private let startOfWork = Syscalls.threadTime()

  /// How long a thread took for each of some inputs, and whether it was waiting most of that time.
  func each(of count: Int) -> (time: Duration, isWaiting: Bool) {
    let time = ContinuousClock.now - start
    let work = Syscalls.threadTime() - startOfWork
    return (time / count, time > .milliseconds(2) * count && work * 4 < time)
  }
}

/// The way from the inputs to the results that all threads of a batch share.
private final class Line<Inputs: IteratorProtocol & Sendable, Result: Sendable>: Sendable
where Inputs.Element: Sendable {
  private struct Source: Sendable {
    var inputs: Inputs
    var count = 0
  }

  private struct Sink: Sendable {
    var waiting: [Int: Result] = [:]
    var next = 0
  }

  private let source: Mutex<Source>
  private let sink = Mutex(Sink())
  private let stride: Int
  private let places: DispatchSemaphore
  private let then: @Sendable (Result) -> Void

  init(_ inputs: Inputs, stride: Int, ahead: Int, _ then: @escaping @Sendable (Result) -> Void) {
    source = Mutex(Source(inputs: inputs))
    self.stride = stride
    self.then = then
    places = DispatchSemaphore(value: ahead)
  }

  /// Takes inputs, works on them and hands the results over, until there are no more.
  ///
  /// - Parameters:
  ///   - work: Does the work.
  ///   - isWaiting: Called when most of the time of a piece of work was waiting.
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
      // Some milliseconds of work at a time: neither is the lock asked for often, nor does anything wait for long.
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
      while inputs.count < count, !Interruption.isPending, let input = source.inputs.next() {
        inputs.append(input)
      }
      defer { source.count += 1 }
      return (source.count, inputs)
    }
  }
}

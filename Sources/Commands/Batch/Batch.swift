internal import Archive
internal import Dispatch
internal import Synchronization

/// Works on a stream of inputs on several threads, and hands the results over in the order of the inputs.
///
/// Inputs are taken when a thread is free and not too far ahead of the slowest, so that memory is bounded by the
/// number of threads and not by that of the inputs.
struct Batch {
  /// How many inputs are worked on at once.
  let jobs: Int
  /// How many inputs a thread takes at a time; more than one where the work on one is small.
  var stride = 1

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
    let line = Line(inputs.makeIterator(), stride: stride, ahead: jobs * Self.ahead, then)
    let group = DispatchGroup()
    // Each queue has a thread of its own, also where there are more jobs than cores.
    for number in 1..<max(jobs, 1) {
      DispatchQueue(label: "upright.job.\(number)").async(group: group) { line.run(work) }
    }
    line.run(work)
    group.wait()
  }

  /// How many groups of inputs may be finished before the first of them is, for each job.
  private static let ahead = 4
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
  func run(_ work: ([Inputs.Element]) -> Result) {
    while true {
      places.wait()
      let (number, inputs) = take()
      guard !inputs.isEmpty else {
        places.signal()
        return
      }
      let result = work(inputs)
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

  private func take() -> (number: Int, inputs: [Inputs.Element]) {
    source.withLock { source in
      var inputs: [Inputs.Element] = []
      inputs.reserveCapacity(stride)
      while inputs.count < stride, !Interruption.isPending, let input = source.inputs.next() {
        inputs.append(input)
      }
      defer { source.count += 1 }
      return (source.count, inputs)
    }
  }
}

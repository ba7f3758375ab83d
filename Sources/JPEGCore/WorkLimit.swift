#if hasFeature(Embedded)
internal import CHost
#else
internal import Synchronization
#endif

/// Why work on a file stopped early.
///
/// Loops over the rows of an image check ``reached`` and stop with an error. Neither a cancellation nor a passed
/// deadline is ever reset, so the caller of ``observing(for:on:by:_:)`` can check again at the end.
package enum WorkLimit: Hashable, Sendable {
  /// The task or a ``Cancellation`` was cancelled.
  case cancellation
  case deadline

  /// Calls `work` for each number from 0 to `count` - 1, perhaps on several threads, and returns after the last.
  package typealias Threads = @Sendable (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void
}

#if hasFeature(Embedded)
extension WorkLimit {
  /// The limit that the host reports, which has the clock and the other threads; nil if there is none.
  package static var reached: WorkLimit? {
    switch requested_stop() {
    case 1: .cancellation
    case 2: .deadline
    default: nil
    }
  }

  static var threads: Threads? { nil }

  /// Runs work that stops early if the host requests it.
  package static func observing<Value, Failure>(
    for duration: Duration?,
    on threads: Threads? = nil,
    by cancellation: Cancellation? = nil,
    _ work: () throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    Result { () throws(Failure) in try work() }
  }

  /// Cancels nothing: the host does.
  package final class Cancellation: Sendable {
    /// Creates the object.
    package init() {}

    /// Does nothing.
    package func cancel() {}
  }
}
#else
extension WorkLimit {
  /// The limits and the threads of the work inside ``observing(for:on:by:_:)``.
  private static let scope = TaskLocal<Scope?>(wrappedValue: nil)

  private struct Scope: Sendable {
    var deadline: ContinuousClock.Instant?
    var threads: Threads?
    var cancellation: Cancellation?
  }

  /// Cancels work from another thread, for callers without a task.
  package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// Creates an object that is not cancelled.
    package init() {}

    /// Cancels all work that uses the object, including work that starts later.
    package func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether the work was cancelled.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }
  }

  /// What runs independent pieces of the work in parallel; nil if the calling thread does all of it.
  static var threads: Threads? { scope.get()?.threads }

  /// The limit that was reached; nil if there is none, and outside of ``observing(for:on:by:_:)``.
  ///
  /// A check takes less than a microsecond, which is cheap for each row of blocks and too expensive for each block.
  package static var reached: WorkLimit? {
    guard let scope = scope.get() else { return nil }
    if Task.isCancelled || scope.cancellation?.isCancelled == true { return .cancellation }
    if let deadline = scope.deadline, deadline <= .now { return .deadline }
    return nil
  }

  /// Runs work that stops early if it is cancelled or its deadline passes.
  ///
  /// Nested work inherits each limit that it does not set: a `duration` or `threads` of nil. `cancellation` cancels the
  /// work, as its task also does. The result is not to be used if ``reached`` is not nil afterwards.
  package static func observing<Value, Failure>(
    for duration: Duration?,
    on threads: Threads? = nil,
    by cancellation: Cancellation? = nil,
    _ work: () throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    let outer = scope.get()
    let deadline = duration.map { ContinuousClock.now.advanced(by: $0) }
    let inner = Scope(
      deadline: deadline ?? outer?.deadline,
      threads: threads ?? outer?.threads,
      cancellation: cancellation ?? outer?.cancellation
    )
    return scope.withValue(inner) {
      do throws(Failure) {
        return .success(try work())
      } catch {
        return .failure(error)
      }
    }
  }
}
#endif

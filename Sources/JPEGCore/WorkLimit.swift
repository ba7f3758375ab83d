#if !hasFeature(Embedded)
internal import Synchronization
#endif

/// Why work on a file ends before it is done.
///
/// Loops over the rows of an image ask ``reached`` and stop with an error. Neither a cancellation nor a deadline is
/// ever taken back, so whoever called ``observing(for:on:by:_:)`` can ask again at the end.
package enum WorkLimit: Hashable, Sendable {
  /// The task was cancelled, or a ``Cancellation``.
  case cancellation
  /// The deadline has passed.
  case deadline
}

extension WorkLimit {
  /// Calls `work` for each number from 0 to `count` - 1, perhaps on several threads, and returns after the last.
  package typealias Threads =
    @Sendable (_ count: Int, _ work: @Sendable (Int) -> Void) -> Void
}

#if hasFeature(Embedded)
extension WorkLimit {
  /// Nothing: without tasks and clocks work is ended from outside.
  package static var reached: WorkLimit? { nil }

  /// Nothing.
  static var threads: Threads? { nil }

  /// Does work that nothing stops.
  package static func observing<Value, Failure>(
    for duration: Duration?,
    on threads: Threads? = nil,
    by cancellation: Cancellation? = nil,
    _ work: () throws(Failure) -> Value
  ) -> Result<Value, Failure> {
    Result { () throws(Failure) in try work() }
  }

  /// What would cancel work, if there were another thread.
  package final class Cancellation: Sendable {
    /// Makes one.
    package init() {}

    /// Nothing.
    package func cancel() {}
  }
}
#else
extension WorkLimit {
  /// Inside ``observing(for:on:by:_:)``: what limits the work, and the threads it may use.
  private static let scope = TaskLocal<Scope?>(wrappedValue: nil)

  private struct Scope: Sendable {
    var deadline: ContinuousClock.Instant?
    var threads: Threads?
    var cancellation: Cancellation?
  }

  /// What cancels work from another thread, for callers that have no task.
  package final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// Makes one that cancels nothing yet.
    package init() {}

    /// Cancels the work, that which has not begun included.
    package func cancel() { flag.store(true, ordering: .relaxed) }

    /// Whether the work was cancelled.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }
  }

  /// What runs independent pieces of the work; nil where the calling thread does all of it.
  static var threads: Threads? { scope.get()?.threads }

  /// The limit that is reached; nil outside of ``observing(for:on:by:_:)``, where nothing may stop halfway.
  ///
  /// This takes less than a microsecond, so it is for every row of blocks, not for every block.
  package static var reached: WorkLimit? {
    guard let scope = scope.get() else { return nil }
    if Task.isCancelled || scope.cancellation?.isCancelled == true { return .cancellation }
    if let deadline = scope.deadline, deadline <= .now { return .deadline }
    return nil
  }

  /// Does work that stops early where it is cancelled or a deadline passes.
  ///
  /// Work inside of other work keeps what the outer one was given, where it is given nothing else.
  ///
  /// - Parameters:
  ///   - duration: How long the work may take; nil for no limit.
  ///   - threads: What runs independent pieces of the work; the calling thread unless given.
  ///   - cancellation: What cancels the work, besides its task; nil for nothing.
  ///   - work: The work.
  /// - Returns: The work's value or its error, which mean nothing once ``reached`` is not nil.
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

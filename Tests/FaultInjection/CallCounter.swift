internal import Synchronization

/// Counts, for probes of system calls.
package final class CallCounter: Sendable {
  private let count = Atomic(0)

  /// Starts at 0.
  package init() {}

  /// How often ``next()`` was called.
  package var value: Int { count.load(ordering: .relaxed) }

  /// 0, then 1, and so on.
  package func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

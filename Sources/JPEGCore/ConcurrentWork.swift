/// Work on one image in independent pieces, on several threads where ``WorkLimit/observing(for:on:by:_:)`` offers them.
enum ConcurrentWork {
  /// Calls `work` for each number from 0 to `count` - 1: on several threads inside
  /// ``WorkLimit/observing(for:on:by:_:)`` with threads, one after the other elsewhere.
  ///
  /// The calls must not ask ``WorkLimit/reached``: the scope of the limit is a task-local value, which other threads
  /// do not have.
  ///
  /// Pieces of work must not change what other pieces use.
  static func perform(_ count: Int, _ work: (Int) -> Void) {
    guard count > 1, let threads = WorkLimit.threads else {
      for number in 0..<count { work(number) }
      return
    }
    nonisolated(unsafe) let work = work
    threads(count) { unsafe work($0) }
  }
}

enum ConcurrentWork {
  /// Calls `work` for each number from 0 to `count` - 1, on several threads where
  /// ``WorkLimit/observing(for:on:by:_:)`` offers them.
  ///
  /// A call must not change what other calls use, and not ask ``WorkLimit/reached``: its scope is a task-local value,
  /// which other threads do not have.
  static func perform(_ count: Int, _ work: (Int) -> Void) {
    guard count > 1, let threads = WorkLimit.threads else {
      for number in 0..<count { work(number) }
      return
    }
    nonisolated(unsafe) let work = work
    threads(count) { unsafe work($0) }
  }
}

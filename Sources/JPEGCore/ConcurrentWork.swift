/// Work on one image in independent pieces, on several threads where ``WorkLimit/observing(for:on:by:_:)`` offers them.
enum ConcurrentWork {
  /// Does pieces of work; outside of ``WorkLimit/observing(for:on:by:_:)`` one after the other.
  ///
  /// A piece does not ask ``WorkLimit/reached``: on another thread nothing is known of limits.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - work: Does the piece of a number from 0 on. Pieces must not change what others use.
  static func perform(_ count: Int, _ work: (Int) -> Void) {
    guard count > 1, let threads = WorkLimit.threads else {
      for number in 0..<count { work(number) }
      return
    }
    nonisolated(unsafe) let work = work
    threads(count) { unsafe work($0) }
  }
}

internal import Dispatch
package import FileSystem
internal import Synchronization

/// The items of a selection, found ahead of the work on them, so that their number is known before the work ends.
package final class WalkAhead: Sequence, Sendable {
  private struct State: Sendable {
    /// The items that the work has not taken over.
    var items: [Walk.Item] = []
    var files = 0
    var isDone = false
  }

  private let state = Mutex(State())
  /// Counts the items that can be taken, and the end.
  private let ready = DispatchSemaphore(value: 0)
  /// Counts the items that may be added.
  private let room = DispatchSemaphore(value: 0)

  /// The maximum number of items in memory.
  private static let limit = 1 << 16

  package init(_ selection: Selection) {
    // Not the initial value: a semaphore must not be below it when it is deallocated.
    for _ in 0..<Self.limit { room.signal() }
    DispatchQueue(label: "upright.walk").async { [self] in
      for item in selection {
        room.wait()
        if Interruption.isPending { break }
        state.withLock { state in
          if case .file = item { state.files += 1 }
          state.items.append(item)
        }
        ready.signal()
      }
      state.withLock { $0.isDone = true }
      ready.signal()
    }
  }

  /// The number of files, or nil while it is not known.
  package var count: Int? { state.withLock { $0.isDone ? $0.files : nil } }

  package func makeIterator() -> Iterator { Iterator(walk: self) }

  /// Takes the items; there is one iteration.
  package struct Iterator: IteratorProtocol, Sendable {
    fileprivate let walk: WalkAhead
    private var taken: ArraySlice<Walk.Item> = []

    fileprivate init(walk: WalkAhead) { self.walk = walk }

    package mutating func next() -> Walk.Item? {
      walk.ready.wait()
      if taken.isEmpty {
        taken = walk.state.withLock { state in
          defer { state.items = [] }
          return state.items[...]
        }
      }
      guard let item = taken.popFirst() else {
        // The end is also found by the other threads.
        walk.ready.signal()
        return nil
      }
      walk.room.signal()
      return item
    }
  }
}

internal import Dispatch
internal import Synchronization

/// Something that the threads of a batch share, such as memory: who needs more than is free waits.
final class Budget: Sendable {
  private struct State: Sendable {
    var free: Int
    var waiting: [Waiter] = []
  }

  private struct Waiter: Sendable {
    var need: Int
    var transform: DispatchSemaphore
  }

  private let total: Int
  private let state: Mutex<State>

  /// - Parameter total: How much may be in use at once.
  init(_ total: Int) {
    self.total = total
    state = Mutex(State(free: total))
  }

  /// Whether somebody is waiting.
  var isUsedUp: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Runs `body` when so much is free; those who wait are served in the order in which they came.
  ///
  /// A need above the total is taken for the total, so that the largest file runs alone.
  func with<Value>(_ amount: Int, _ body: () throws -> Value) rethrows -> Value {
    let need = min(max(amount, 0), total)
    take(need)
    defer { restore(need) }
    return try body()
  }

  private func take(_ need: Int) {
    let transform: DispatchSemaphore? = state.withLock { state in
      if state.waiting.isEmpty, state.free >= need {
        state.free -= need
        return nil
      }
      let transform = DispatchSemaphore(value: 0)
      state.waiting.append(Waiter(need: need, transform: transform))
      return transform
    }
    transform?.wait()
  }

  private func restore(_ need: Int) {
    state.withLock { state in
      state.free += need
      while let first = state.waiting.first, state.free >= first.need {
        state.free -= first.need
        state.waiting.removeFirst().transform.signal()
      }
    }
  }
}

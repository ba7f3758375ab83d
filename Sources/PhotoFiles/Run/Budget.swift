internal import Dispatch
internal import Synchronization

/// A shared limited resource, such as memory; a thread that needs more than is free waits.
package final class Budget: Sendable {
  private struct State: Sendable {
    var free: Int
    var waiting: [Waiter] = []
  }

  private struct Waiter: Sendable {
    var need: Int
    var served: DispatchSemaphore
  }

  private let total: Int
  private let state: Mutex<State>

  package init(_ total: Int) {
    self.total = total
    state = Mutex(State(free: total))
  }

  /// Whether a thread is waiting.
  package var isUsedUp: Bool { state.withLock { !$0.waiting.isEmpty } }

  /// Runs `body` when the amount is free; waiting threads are served in order.
  ///
  /// An amount above the total is reduced to the total, so the largest files run alone.
  package func with<Value>(_ amount: Int, _ body: () throws -> Value) rethrows -> Value {
    let need = min(max(amount, 0), total)
    take(need)
    defer { restore(need) }
    return try body()
  }

  private func take(_ need: Int) {
    let served: DispatchSemaphore? = state.withLock { state in
      if state.waiting.isEmpty, state.free >= need {
        state.free -= need
        return nil
      }
      let served = DispatchSemaphore(value: 0)
      state.waiting.append(Waiter(need: need, served: served))
      return served
    }
    served?.wait()
  }

  private func restore(_ need: Int) {
    state.withLock { state in
      state.free += need
      while let first = state.waiting.first, state.free >= first.need {
        state.free -= first.need
        state.waiting.removeFirst().served.signal()
      }
    }
  }
}

extension Budget? {
  /// Runs `body` when the amount is free, or at once where nothing is limited.
  package func with<Value>(_ amount: Int, _ body: () throws -> Value) rethrows -> Value {
    guard let self else { return try body() }
    return try self.with(amount, body)
  }
}

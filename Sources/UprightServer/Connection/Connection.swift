#if Server
internal import Synchronization

/// The state of a client's connection, so that work is cancelled when the client disconnects.
final class Connection: Sendable {
  private struct State {
    var isClosed = false
    var onClose: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Performs work that is cancelled when the client disconnects.
  func whileOpen<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await work() }
    let isClosed = state.withLock { state in
      state.onClose = { task.cancel() }
      return state.isClosed
    }
    if isClosed { task.cancel() }
    defer { state.withLock { $0.onClose = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Records that the client has disconnected.
  func close() {
    let onClose = state.withLock { state in
      state.isClosed = true
      return state.onClose
    }
    onClose?()
  }
}
#endif

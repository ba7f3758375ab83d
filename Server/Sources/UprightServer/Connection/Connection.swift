internal import NIOCore
internal import Synchronization

/// The client's end of a connection, so that work is cancelled when the client disconnects.
final class Connection: Sendable {
  private struct State {
    var isClosed = false
    var onClose: (@Sendable () -> Void)?
  }

  private let channel: any Channel
  private let state = Mutex(State())

  init(_ channel: any Channel) { self.channel = channel }

  /// The address that the client has connected to.
  var localAddress: SocketAddress? { channel.localAddress }

  /// Sends an event to the guard of the connection.
  func tell(_ event: ConnectionGuard.Event) {
    channel.triggerUserOutboundEvent(event, promise: nil)
  }

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
    return try await task.value
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

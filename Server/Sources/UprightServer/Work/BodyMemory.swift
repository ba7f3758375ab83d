internal import Synchronization

/// The memory of request bodies, which is limited.
///
/// Counts received bytes, not announced lengths, so that a client that announces much and sends little uses
/// little.
final class BodyMemory: Sendable {
  private let limit: Int
  private let held = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// The number of bytes in use.
  var bytes: Int { held.withLock { $0 } }

  /// The memory of one request, released when the request ends.
  final class Share: Sendable {
    private let memory: BodyMemory
    private let bytes = Mutex(0)

    fileprivate init(_ memory: BodyMemory) { self.memory = memory }

    deinit { memory.held.withLock { $0 -= bytes.withLock { $0 } } }

    /// Reserves more bytes; returns false if the limit is reached.
    func take(_ count: Int) -> Bool {
      let isTaken = memory.held.withLock { held in
        guard count <= memory.limit - held else { return false }
        held += count
        return true
      }
      if isTaken { bytes.withLock { $0 += count } }
      return isTaken
    }
  }

  /// Returns an empty share.
  func share() -> Share { Share(self) }
}

#if Server
internal import Synchronization

/// The bytes of bodies that the service holds, of which there is a limited number.
///
/// It counts what has come, not what was announced: who announces much and sends little takes little.
final class BodyMemory: Sendable {
  private let limit: Int
  private let held = Mutex(0)

  init(limit: Int) { self.limit = limit }

  /// How many bytes are held.
  var bytes: Int { held.withLock { $0 } }

  /// What one request holds, until it ends.
  final class Share: Sendable {
    private let memory: BodyMemory
    private let bytes = Mutex(0)

    fileprivate init(_ memory: BodyMemory) { self.memory = memory }

    deinit { memory.held.withLock { $0 -= bytes.withLock { $0 } } }

    /// Takes more; false where there is no more.
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

  /// A share that holds nothing yet.
  func share() -> Share { Share(self) }
}
#endif

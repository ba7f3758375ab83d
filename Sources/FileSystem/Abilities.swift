internal import Synchronization
import SystemPackage

/// What the file systems of a run can, found out by trying where it is needed: a call that one does not have is made
/// there once.
///
/// It decides how a file is replaced and created. The strongest way that the file system has is taken:
///
/// | Replacing | Another program's file, put in place at the last moment |
/// |---|---|
/// | ``Call/exchange``: the names are exchanged, and the old file is examined before it is removed | gets its name back |
/// | ``Call/link``: the old file gets a second name, and the new one is renamed over it | is overwritten; a change of the old file is restored |
/// | neither: the new file is renamed over the old one | is overwritten; a change of the old file is restored from its open descriptor |
///
/// | Creating | After a kill |
/// |---|---|
/// | ``Call/exclusiveRename`` | nothing or the whole file |
/// | ``Call/link`` | nothing or the whole file |
/// | neither: the name is reserved by an empty file, over which the new one is renamed | nothing, the whole file, or an empty file that the next run removes |
///
/// In all of them the name refers to the old or the whole new file whenever the process is killed, and no existing file is
/// overwritten by one that is created.
package final class Abilities: Sendable {
  /// A call that not every file system has.
  enum Call: Hashable, Sendable {
    case exchange, exclusiveRename, link
  }

  private struct Place: Hashable {
    let device: UInt64
    let call: Call
  }

  private let withoutModes = Mutex<Set<UInt64>>([])
  private let missing = Mutex<Set<Place>>([])

  package init() {}

  /// Makes a call, unless it is known that the file system does not have it.
  ///
  /// - Returns: Whether it was made; false if the file system does not have it, or not for this file.
  /// - Throws: The error of a call that the file system has.
  func attempt(
    _ call: Call,
    on device: UInt64,
    _ body: () throws(ReplacementError) -> Void
  ) throws(ReplacementError) -> Bool {
    let place = Place(device: device, call: call)
    if missing.withLock({ $0.contains(place) }) { return false }
    do throws(ReplacementError) {
      try body()
      return true
    } catch .system(let error) where Self.isMissing(error) {
      missing.withLock { _ = $0.insert(place) }
      return false
    } catch .system(let error) where call.isRefused(error) {
      return false
    }
  }

  /// Returns what a file could not be given, with the mode only once for each file system.
  func mentioned(_ lost: [LostAttribute], on device: UInt64) -> [LostAttribute] {
    guard lost.contains(.mode), !withoutModes.withLock({ $0.insert(device).inserted }) else {
      return lost
    }
    return lost.filter { $0 != .mode }
  }

  /// Whether an error says that a file system does not have a call.
  private static func isMissing(_ error: Errno) -> Bool {
    [.invalidArgument, .noFunction, .notSupported].contains(error)
  }
}

extension Abilities.Call {
  /// Whether an error says that a call is not possible for a file, so that another way is tried: some file systems report it
  /// also for calls that they do not have.
  fileprivate func isRefused(_ error: Errno) -> Bool {
    switch self {
    case .exchange: error == .notPermitted
    case .exclusiveRename: false
    // Other branches of a pool, servers that translate every error into EIO.
    case .link: [.notPermitted, .tooManyLinks, .improperLink, .ioError].contains(error)
    }
  }
}

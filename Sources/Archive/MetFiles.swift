internal import Synchronization
package import SystemPackage

/// The files that a run has met, so that it works on each of them once, however many paths lead there.
///
/// A file is known by device and inode, and so is the one that replaces it. Where hard links are broken, each name
/// is a file of its own and is known by its path without symbolic links. Of a single directory only files with
/// several names and those that links lead to are remembered, because a walk meets no other file twice; of lists,
/// several paths and links to directories every file is, with some 100 bytes.
package final class MetFiles: Sendable {
  private struct Met: Sendable {
    var keys: Set<FileIdentity.Key> = []
    /// When those that were replaced had changed last: their numbers may become those of new files.
    var replaced: [FileIdentity.Key: Timestamp] = [:]
    var places: Set<FilePath> = []
  }

  private let remembersAll: Bool
  private let hardLinks: HardLinks
  private let met = Mutex(Met())
  private let turn = Mutex(())

  /// Creates the knowledge of a run that has met no file.
  ///
  /// - Parameters:
  ///   - remembersAll: Whether any file may be met twice.
  ///   - hardLinks: What is done with files that have several names.
  package init(remembersAll: Bool, hardLinks: HardLinks = .refuse) {
    self.remembersAll = remembersAll
    self.hardLinks = hardLinks
  }

  /// Whether a file is met for the first time; on several threads, one of them alone gets this answer.
  package func isNew(_ file: Walk.Found, _ identity: FileIdentity) -> Bool {
    guard remembersAll || identity.linkCount > 1 || file.target != nil else { return true }
    if hardLinks == .break {
      let place = place(of: file, always: true)
      return met.withLock { $0.places.insert(place).inserted }
    }
    return met.withLock { met in
      met.replaced[identity.key] != identity.changeTime && met.keys.insert(identity.key).inserted
    }
  }

  /// Whether a file's other names get files of their own.
  package func breaksLinks(of identity: FileIdentity) -> Bool {
    hardLinks == .break && identity.linkCount > 1
  }

  /// Runs `body` for one file with several names at a time, because each replacement changes what the system
  /// tells of the other names.
  package func inTurn<Value>(_ body: () throws -> Value) rethrows -> Value {
    try turn.withLock { _ in try body() }
  }

  /// Notes the file that will replace another.
  func note(_ key: FileIdentity.Key, replacing former: FileIdentity) {
    met.withLock { met in
      if remembersAll || met.keys.contains(former.key) { met.keys.insert(key) }
    }
  }

  /// Forgets a file that did not replace another.
  func forget(_ key: FileIdentity.Key) { met.withLock { _ = $0.keys.remove(key) } }

  /// Notes that a file was replaced and has no name any more.
  func noteGone(_ former: FileIdentity) {
    met.withLock { met in
      if met.keys.remove(former.key) != nil { met.replaced[former.key] = former.changeTime }
    }
  }

  /// A path that is the same however the file is met, where it can be met in several ways.
  package func place(of file: Walk.Found) -> FilePath { place(of: file, always: remembersAll) }

  private func place(of file: Walk.Found, always: Bool) -> FilePath {
    if let target = file.target { return target }
    guard always, let resolved = try? Syscalls.resolve(file.path) else { return file.path }
    return resolved
  }
}

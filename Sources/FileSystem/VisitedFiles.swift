internal import Synchronization
package import SystemPackage

/// The files that a run has met, so that it works on each of them once, however many paths lead there.
///
/// A file is known by device and inode, and so is the one that replaces it. Once a file is removed, its inode may
/// become that of another; what has a known inode but changed since, at another path, is therefore a new file. Where
/// hard links are broken, each name is a file of its own and is known by its path without symbolic links. Of a single
/// directory only files with several names and those that links lead to are remembered, because a walk meets no
/// other file twice; of lists, several paths and links to directories every file is, with some 100 bytes.
package final class VisitedFiles: Sendable {
  private struct Visited: Sendable {
    var files: [FileIdentity.Key: Sighting] = [:]
    /// When files had changed last whose inodes others have now: who opened them before meets them still.
    var gone: [FileIdentity.Key: Timestamp] = [:]
    var places: Set<FilePath> = []

    /// Remembers a file, which may have the inode of one that is gone.
    mutating func remember(_ key: FileIdentity.Key, _ sighting: Sighting) {
      if let time = files.updateValue(sighting, forKey: key)?.changeTime { gone[key] = time }
    }
  }

  /// What was known of a file when it was met or replaced.
  private struct Sighting: Sendable {
    var changeTime: Timestamp?
    /// The hash of its path; nil where it has several.
    var path: Int?
  }

  private let remembersAll: Bool
  private let hardLinks: HardLinks
  private let visited = Mutex(Visited())
  private let transform = Mutex(())

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
      return visited.withLock { $0.places.insert(place).inserted }
    }
    return visited.withLock { visited in
      if visited.gone[identity.key] == identity.changeTime { return false }
      if let former = visited.files[identity.key], Self.isSame(former, file, identity) {
        return false
      }
      let path = (file.target ?? file.path).hashValue
      visited.remember(identity.key, Sighting(changeTime: identity.changeTime, path: path))
      return true
    }
  }

  /// Whether a file is the one that had its inode when it was met before.
  private static func isSame(
    _ former: Sighting,
    _ file: Walk.Found,
    _ identity: FileIdentity
  ) -> Bool {
    guard let path = former.path, identity.linkCount <= 1 else { return true }
    return former.changeTime == identity.changeTime || path == file.path.hashValue
      || path == (file.target ?? (try? Syscalls.resolve(file.path)))?.hashValue
  }

  /// Whether a file's other names get files of their own.
  package func breaksLinks(of identity: FileIdentity) -> Bool {
    hardLinks == .break && identity.linkCount > 1
  }

  /// Runs `body` for one file with several names at a time, because each replacement changes what the system
  /// tells of the other names.
  package func inTurn<Value>(_ body: () throws -> Value) rethrows -> Value {
    try transform.withLock { _ in try body() }
  }

  /// Notes the file that will replace another at a path without symbolic links.
  ///
  /// - Parameters:
  ///   - key: The new file.
  ///   - former: The other one, which changes when it is replaced.
  ///   - path: The path of both.
  ///   - isKept: Whether the other one keeps a name.
  func note(
    _ key: FileIdentity.Key,
    replacing former: FileIdentity,
    at path: FilePath,
    isKept: Bool
  ) {
    visited.withLock { visited in
      let wasVisited = visited.files[former.key] != nil
      if wasVisited {
        visited.files[former.key] = Sighting(
          changeTime: former.changeTime,
          path: isKept ? nil : path.hashValue
        )
      }
      if wasVisited || remembersAll { visited.remember(key, Sighting(path: path.hashValue)) }
    }
  }

  /// Notes when a file that has replaced another changed last.
  func note(_ identity: FileIdentity) {
    visited.withLock { $0.files[identity.key]?.changeTime = identity.changeTime }
  }

  /// Forgets a file that did not replace another.
  func forget(_ key: FileIdentity.Key) {
    visited.withLock { _ = $0.files.removeValue(forKey: key) }
  }

  /// A path that is the same however the file is met, where it can be met in several ways.
  package func place(of file: Walk.Found) -> FilePath { place(of: file, always: remembersAll) }

  private func place(of file: Walk.Found, always: Bool) -> FilePath {
    if let target = file.target { return target }
    guard always, let resolved = try? Syscalls.resolve(file.path) else { return file.path }
    return resolved
  }
}

internal import Synchronization
package import SystemPackage

/// The files that a run has visited, so that each is processed once however many paths lead to it.
///
/// A file is identified by device and inode, and so is the one that replaces it. After a file is removed, its
/// inode may be reused; a file with a known inode that changed since, at another path, is therefore a new file.
/// Where hard links are broken, each name is a separate file and is identified by its path without symbolic links.
/// For a single directory, only files with several names and link targets are remembered, because a walk visits no
/// other file twice; for lists, several paths and links to directories, every file is remembered, with about 100
/// bytes.
package final class VisitedFiles: Sendable {
  private struct Visited: Sendable {
    var files: [FileIdentity.Key: Sighting] = [:]
    /// The last change of files whose inodes have been reused: a thread that opened such a file before may still
    /// report it.
    var gone: [FileIdentity.Key: Timestamp] = [:]
    var places: Set<FilePath> = []

    /// Remembers a file, which may reuse the inode of another.
    mutating func remember(_ key: FileIdentity.Key, _ sighting: Sighting) {
      if let time = files.updateValue(sighting, forKey: key)?.changeTime { gone[key] = time }
    }
  }

  /// The state of a file when it was visited or replaced.
  private struct Sighting: Sendable {
    var changeTime: Timestamp?
    /// The hash of its path; nil if it has several.
    var path: Int?
  }

  private let remembersAll: Bool
  private let hardLinks: HardLinks
  private let visited = Mutex(Visited())
  private let replacement = Mutex(())

  /// Creates an empty set.
  ///
  /// - Parameters:
  ///   - remembersAll: Whether any file may be visited twice.
  ///   - hardLinks: The policy for files with several names.
  package init(remembersAll: Bool, hardLinks: HardLinks = .refuse) {
    self.remembersAll = remembersAll
    self.hardLinks = hardLinks
  }

  /// Whether a file is visited for the first time; if several threads ask, only one gets this answer.
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

  /// Whether a file is the same one that had its inode when it was visited before.
  private static func isSame(
    _ former: Sighting,
    _ file: Walk.Found,
    _ identity: FileIdentity
  ) -> Bool {
    guard let path = former.path, identity.linkCount <= 1 else { return true }
    return former.changeTime == identity.changeTime || path == file.path.hashValue
      || path == (file.target ?? (try? Syscalls.resolve(file.path)))?.hashValue
  }

  /// Whether each name of a file becomes a separate file.
  package func breaksLinks(of identity: FileIdentity) -> Bool {
    hardLinks == .break && identity.linkCount > 1
  }

  /// Runs `body` for one file with several names at a time, because each replacement changes the status of the
  /// other names.
  package func exclusively<Value>(_ body: () throws -> Value) rethrows -> Value {
    try replacement.withLock { _ in try body() }
  }

  /// Records the file that will replace another at a path without symbolic links.
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

  /// Records the last change of a file that has replaced another.
  func note(_ identity: FileIdentity) {
    visited.withLock { $0.files[identity.key]?.changeTime = identity.changeTime }
  }

  /// Forgets a file that did not replace another.
  func forget(_ key: FileIdentity.Key) {
    visited.withLock { _ = $0.files.removeValue(forKey: key) }
  }

  /// Returns a path that is the same for all ways to reach the file.
  package func place(of file: Walk.Found) -> FilePath { place(of: file, always: remembersAll) }

  private func place(of file: Walk.Found, always: Bool) -> FilePath {
    if let target = file.target { return target }
    guard always, let resolved = try? Syscalls.resolve(file.path) else { return file.path }
    return resolved
  }
}

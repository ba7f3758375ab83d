internal import FileSystem
internal import SystemPackage
internal import Upright

extension Walk.Found {
  /// Returns the paths beside which the companions of the file are: of a symbolic link, first that of the file that it leads
  /// to, which is the one that is rewritten, and then its own.
  ///
  /// - Throws: ``FileError``, if it cannot be found out where a link leads to.
  func places() throws(FileError) -> [Walk.Found] {
    guard !isRegular, path != StandardStreams.path else { return [self] }
    do throws(Errno) {
      guard try Syscalls.status(path, followingLinks: false).kind == .symbolicLink else {
        return [self]
      }
      // Nothing is known of what is there, because only the directory of the link was listed.
      let file = if let target { target } else { try Syscalls.resolve(path) }
      return [Walk.Found(file, root: root), self]
    } catch {
      throw FileError(path, .open, system: error)
    }
  }
}

extension Neighbour {
  /// Finds the files beside the places of a photo that its plan concerns.
  static func find(
    beside places: [Walk.Found],
    _ plan: Plan,
    _ sidecars: [SidecarFile]
  ) throws -> [Neighbour] {
    try different(places.flatMap { try find(beside: $0, plan, sidecars) })
  }

  /// Returns each once, because a file may concern both a photo and a link to it.
  static func different(_ neighbours: [Neighbour]) -> [Neighbour] {
    var found: [Neighbour] = []
    for neighbour in neighbours {
      let isKnown = found.contains {
        $0.path == neighbour.path && $0.kind.name == neighbour.kind.name
      }
      if !isKnown { found.append(neighbour) }
    }
    return found
  }
}

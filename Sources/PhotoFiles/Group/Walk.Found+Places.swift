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

  /// Lists the directory, if it was not listed.
  mutating func findSurroundings() {
    guard surroundings == nil else { return }
    surroundings = Surroundings(around: path, besides: Neighbour.Kind.namesInFolders)
  }
}

package import SystemPackage

extension FilePath {
  /// What is at this path, links followed; nil if nothing can be read there.
  package var status: FileIdentity? { try? Syscalls.status(self, followingLinks: true) }

  /// Returns what is at this path, links followed; nil if nothing is.
  ///
  /// - Throws: ``FileError`` if that cannot be found out.
  package func examined() throws(FileError) -> FileIdentity? {
    do throws(Errno) {
      return try Syscalls.status(self, followingLinks: true)
    } catch .noSuchFileOrDirectory, .notDirectory, .fileNameTooLong, .tooManySymbolicLinkLevels {
      return nil
    } catch {
      throw FileError(self, .read, system: error)
    }
  }

  /// Whether there is a directory at this path, links followed.
  package var isDirectory: Bool { status?.kind == .directory }
}

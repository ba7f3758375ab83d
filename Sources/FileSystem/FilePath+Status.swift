package import SystemPackage

extension FilePath {
  /// What is at this path, links followed; nil if nothing can be read there.
  package var status: FileIdentity? { try? Syscalls.status(self, followingLinks: true) }

  /// Whether there is a directory at this path, links followed.
  package var isDirectory: Bool { status?.kind == .directory }
}

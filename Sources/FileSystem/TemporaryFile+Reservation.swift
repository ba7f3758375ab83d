import SystemPackage

/// Creating a file where neither a rename nor a link fails if the name exists: an empty file reserves the name, and the
/// finished file is renamed over it.
///
/// The finished file has a temporary name of its own kind meanwhile. If the process is killed between the two steps, an
/// empty file with such a file beside it is a reservation, and the next run removes both.
extension TemporaryFile {
  /// Gives the file its name; ``Errno/fileExists`` if another file has it.
  mutating func reserve(_ target: FilePath) throws(ReplacementError) {
    guard let name = temporary?.name.lastComponent else { return }
    let directory = directory.descriptor
    let finished = FilePath(TemporaryName.reserving(name))
    try ReplacementError.ofSystem { () throws(Errno) in
      try Syscalls.rename(FilePath(name), to: finished, in: directory)
    }
    temporary = (finished, key)
    // After a power failure, a reservation has its finished file beside it.
    try ReplacementError.ofSystem { () throws(Errno) in try self.directory.sync() }
    let reservation = try ReplacementError.ofSystem { () throws(Errno) in
      try Syscalls.open(
        target,
        in: directory,
        .writeOnly,
        options: [.create, .exclusiveCreate],
        permissions: 0o600
      )
    }
    defer { Syscalls.close(reservation) }
    do throws(ReplacementError) {
      // Another program may have found the empty file and written into it.
      let isEmpty = (try? Syscalls.status(target, in: directory, followingLinks: false))?.size == 0
      guard isEmpty else { throw .system(.fileExists) }
      try settle(target) { () throws(Errno) in
        try Syscalls.rename(finished, to: target, in: directory)
      }
    } catch {
      if error != .outcomeUnknown { Self.removeEmpty(target, in: directory) }
      throw error
    }
    temporary = nil
  }

  /// Whether a file is empty because a killed process has reserved its name.
  static func isReserved(_ path: FilePath) -> Bool { !reservations(of: path).isEmpty }

  /// Removes the reservation of a name that a killed process left, with the file that was to get the name.
  static func removeReservation(of path: FilePath) {
    let parent = path.removingLastComponent()
    let names = reservations(of: path)
    guard !names.isEmpty, let directory = try? OpenDirectory(parent) else { return }
    for name in names { _ = removeAbandoned(name, in: directory.descriptor, at: parent) }
  }

  /// Returns the names of finished files that wait for the name of an empty file.
  private static func reservations(of path: FilePath) -> [FilePath] {
    guard let name = path.lastComponent?.bytes, path.status?.size == 0,
      let entries = try? Syscalls.list(place(path.removingLastComponent()))
    else { return [] }
    return entries.filter { TemporaryName.isReserving($0.name, name) }
      .compactMap { FilePath.Component(bytes: $0.name).map { FilePath($0) } }
  }

  /// Removes the empty file that reserves the name of an abandoned file, if there is one.
  static func removeReservation(
    by temporary: FilePath,
    in directory: FileDescriptor,
    at parent: FilePath
  ) throws(Errno) {
    let temporary = temporary.bytes
    guard TemporaryName.isReserving(temporary) else { return }
    for entry in try Syscalls.list(place(parent))
    where TemporaryName.isReserving(temporary, entry.name) {
      if let name = FilePath.Component(bytes: entry.name) {
        removeEmpty(FilePath(name), in: directory)
      }
    }
    // After a power failure, a reservation has its finished file beside it.
    try? Syscalls.sync(directory)
  }

  private static func removeEmpty(_ name: FilePath, in directory: FileDescriptor) {
    guard let found = try? Syscalls.status(name, in: directory, followingLinks: false),
      found.kind == .regular, found.size == 0
    else { return }
    try? Syscalls.unlink(name, in: directory)
  }

  private static func place(_ directory: FilePath) -> FilePath {
    directory.isEmpty ? "." : directory
  }
}

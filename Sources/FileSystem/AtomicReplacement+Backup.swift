internal import SystemPackage

/// The backup of the original.
extension AtomicReplacement {
  /// Removes a backup that is not needed because the original was not replaced.
  func dropBackup(
    _ backup: (name: FilePath, key: FileIdentity.Key),
    of name: FilePath.Component,
    _ identity: FileIdentity,
    in directory: FileDescriptor
  ) {
    let named = try? Syscalls.status(FilePath(name), in: directory, followingLinks: false)
    guard named?.key == identity.key else { return }
    TemporaryFile.remove(backup.name, of: backup.key, in: directory)
  }

  /// Gives the original a second name as its backup; where there are no links, a copy gets it.
  ///
  /// - Returns: The name and the file that has it, if it is new.
  /// - Throws: The system's error; ``Errno/fileExists`` if another file has it.
  func keep(
    _ name: FilePath.Component,
    _ original: FormerFile,
    in directory: FileDescriptor,
    _ parent: FilePath
  ) throws(ReplacementError) -> (name: FilePath, key: FileIdentity.Key)? {
    guard let backup = backup(of: name) else { return nil }
    let key = original.identity.key
    var failure: Errno?
    var refusal = Errno.notSupported
    let isLinked = try abilities.attempt(.link, on: key.device) { () throws(ReplacementError) in
      do throws(Errno) {
        try Syscalls.link(FilePath(name), as: FilePath(backup), in: directory)
      } catch {
        let present = try? Syscalls.status(FilePath(backup), in: directory, followingLinks: false)
        guard let present, present.key == key || isCopy(backup, present, of: original, directory)
        else {
          refusal = error
          throw .system(error)
        }
        // A run that was killed here may have created it, or a network file system lost the answer.
        failure = error
      }
    }
    if isLinked { return failure == .fileExists ? nil : (FilePath(backup), key) }
    guard original.content != nil else { throw .system(refusal) }
    return try copy(original, as: backup, in: parent)
  }

  /// Whether a backup has the content of the original.
  private func isCopy(
    _ backup: FilePath.Component,
    _ present: FileIdentity,
    of original: FormerFile,
    _ directory: FileDescriptor
  ) -> Bool {
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking]
    guard present.kind == .regular,
      let file = try? Syscalls.open(FilePath(backup), in: directory, .readOnly, options: options)
    else { return false }
    defer { Syscalls.close(file) }
    return original.hasContent(of: file, present)
  }

  /// Creates a copy of the original as its backup.
  private func copy(
    _ original: FormerFile,
    as backup: FilePath.Component,
    in parent: FilePath
  ) throws(ReplacementError) -> (name: FilePath, key: FileIdentity.Key)? {
    let directory = try ReplacementError.ofSystem { () throws(Errno) in try OpenDirectory(parent) }
    let present = try? Syscalls.status(
      FilePath(backup),
      in: directory.descriptor,
      followingLinks: false
    )
    if let present, isCopy(backup, present, of: original, directory.descriptor) { return nil }
    var lost: [LostAttribute] = []
    let bytes = original.content ?? []
    let change = ContentChange()
    var file = try prepare(bytes, in: directory, backup, like: original, .keep, change, &lost)
    try file.take(backup, abilities)
    return (FilePath(backup), file.key)
  }

  private func backup(of name: FilePath.Component) -> FilePath.Component? {
    backupSuffix.flatMap { FilePath.Component(bytes: name.bytes + $0) }
  }

  /// Whether the file's only other name is its backup, created by a run that was killed.
  func hasOwnBackup(_ path: FilePath, _ identity: FileIdentity) -> Bool {
    identity.linkCount == 2 && presentBackup(path)?.status.key == identity.key
  }

  /// Whether a backup, created by a run that was killed, has the content of the file.
  func isCopy(
    _ backup: (path: FilePath, status: FileIdentity),
    of path: FilePath,
    _ identity: FileIdentity
  ) -> Bool {
    guard backup.status.kind == .regular, backup.status.size == identity.size,
      let bytes = try? readFile(path, limit: identity.size).bytes
    else { return false }
    return holdsFile(backup.path, bytes)
  }

  /// Returns the file with the name of the backup, or nil.
  func presentBackup(_ path: FilePath) -> (path: FilePath, status: FileIdentity)? {
    guard backupSuffix != nil, let target = try? place(of: path),
      let backup = target.lastComponent.flatMap(backup(of:))
    else { return nil }
    let place = target.removingLastComponent().appending(backup)
    return (try? Syscalls.status(place, followingLinks: false)).map { (place, $0) }
  }
}

package import SystemPackage

/// What to do with a file that has more than one name.
package enum HardLinks: String, CaseIterable, Sendable {
  /// Leave it alone, with an error that says why.
  case refuse
  /// Replace it under the given name; the other names keep the old content.
  case `break`
}

/// Replaces a file's content so that its name stands for the old content or the new one, whole,
/// whenever the process or the machine stops (specification, section 7).
///
/// Mode, owner, ACLs, extended attributes and times are kept. A symbolic link stays, and its target
/// is replaced. A write-protected file is replaced like any other: that is its directory's right.
package struct AtomicReplacement: Sendable {
  /// What to do with a file that has more than one name.
  ///
  /// Default: refuse.
  package var hardLinks: HardLinks
  /// Whether the file gets the present time instead of keeping its own.
  ///
  /// Default: no.
  package var touch: Bool
  /// What is put behind the name of the original to keep it under another one.
  ///
  /// Default: nothing, the original is not kept.
  package var backupSuffix: String?

  /// Creates a way of replacing files.
  package init(hardLinks: HardLinks = .refuse, touch: Bool = false, backupSuffix: String? = nil) {
    self.hardLinks = hardLinks
    self.touch = touch
    self.backupSuffix = backupSuffix
  }

  /// Finds out whether a file may be replaced, as far as that can be told without trying.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - identity: The version of it that was read.
  /// - Throws: ``FileError``.
  package func check(_ path: FilePath, _ identity: FileIdentity) throws(FileError) {
    if let problem = identity.kind.problem { throw FileError(path, .replace, problem) }
    if hardLinks == .refuse, identity.linkCount > 1, !hasOwnBackup(path, identity) {
      throw FileError(path, .replace, .hardLinked)
    }
  }

  /// Replaces the file that was read.
  ///
  /// - Parameters:
  ///   - path: The file, or a symbolic link to it.
  ///   - identity: The version whose content was read.
  ///   - bytes: The new content.
  /// - Returns: What the new file could not be given.
  /// - Throws: ``FileError``. The file is as it was, except after `unconfirmed`, where the new
  ///   content is in place.
  package func replace(
    _ path: FilePath,
    readAs identity: FileIdentity,
    with bytes: [UInt8]
  ) throws(FileError) -> [LostAttribute] {
    try check(path, identity)
    var lost: [LostAttribute] = []
    let file: TemporaryFile
    do throws(FileError) {
      file = try FileError.attributing(path, .replace) { () throws(Errno) in
        try put(bytes, inPlaceOf: path, identity, &lost)
      }
    } catch {
      guard backupSuffix != nil, error.problem == .exists else { throw error }
      throw FileError(path, .replace, .backupExists, errno: error.errno)
    }
    do throws(Errno) {
      try file.directory.sync()
    } catch {
      throw FileError(path, .replace, .unconfirmed, errno: error)
    }
    return lost
  }

  private func put(
    _ bytes: [UInt8],
    inPlaceOf path: FilePath,
    _ identity: FileIdentity,
    _ lost: inout [LostAttribute]
  ) throws(Errno) -> TemporaryFile {
    let target = try existing { () throws(Errno) in try Syscalls.resolve(path) }
    guard let name = target.lastComponent else { throw .isDirectory }
    let directory = try OpenDirectory(target.removingLastComponent())
    let source = try Syscalls.open(
      FilePath(name),
      in: directory.descriptor,
      .readOnly,
      options: [.noFollow, .nonBlocking]
    )
    defer { Syscalls.close(source) }
    guard try Syscalls.status(source).isSameVersion(as: identity) else {
      throw .staleNFSFileHandle
    }
    var file = try TemporaryFile(in: directory, for: name, permissions: 0o600)
    try Syscalls.write(bytes, to: file.descriptor)
    var attributes = AttributeCopy(from: source, identity, to: file.descriptor)
    try attributes.copy()
    if !touch {
      try Syscalls.changeTimes(
        file.descriptor,
        access: identity.accessTime,
        modification: identity.modificationTime
      )
    }
    try Syscalls.sync(file.descriptor)
    // At the last moment, for somebody else's change would be lost.
    let now = try existing { () throws(Errno) in
      try Syscalls.status(
        FilePath(name),
        in: file.directory.descriptor,
        followingLinks: false
      )
    }
    guard now.isSameVersion(as: identity) else { throw .staleNFSFileHandle }
    if Interruption.isPending { throw .canceled }
    let backup = try keep(name, identity, in: file.directory.descriptor)
    do throws(Errno) {
      try file.replace(name)
    } catch {
      if let backup { try? Syscalls.unlink(backup, in: file.directory.descriptor) }
      throw error
    }
    lost = attributes.lost
    return file
  }

  /// Gives the original a second name, which it keeps.
  ///
  /// - Returns: The name, if it is new.
  /// - Throws: ``Errno/fileExists`` if another file has it.
  private func keep(
    _ name: FilePath.Component,
    _ identity: FileIdentity,
    in directory: FileDescriptor
  ) throws(Errno) -> FilePath? {
    guard let backup = backup(of: name) else { return nil }
    do throws(Errno) {
      try Syscalls.link(FilePath(name), as: backup, in: directory)
      return backup
    } catch .fileExists {
      // A run that was killed at this point has kept it already.
      let present = try Syscalls.status(backup, in: directory, followingLinks: false)
      guard present.key == identity.key else { throw .fileExists }
      return nil
    }
  }

  private func backup(of name: FilePath.Component) -> FilePath? {
    backupSuffix.flatMap { FilePath.Component(bytes: name.bytes + Array($0.utf8)) }
      .map { FilePath($0) }
  }

  /// Whether the file's only other name is its backup, made by a run that was killed right then.
  private func hasOwnBackup(_ path: FilePath, _ identity: FileIdentity) -> Bool {
    guard identity.linkCount == 2, let target = try? Syscalls.resolve(path),
      let backup = target.lastComponent.flatMap(backup(of:))
    else { return false }
    let place = target.removingLastComponent().appending(backup.components)
    return (try? Syscalls.status(place, followingLinks: false))?.key == identity.key
  }

  /// Looks at the original, which was there to be read: if it is missing now, it changed.
  private func existing<Value>(_ look: () throws(Errno) -> Value) throws(Errno) -> Value {
    do throws(Errno) {
      return try look()
    } catch .noSuchFileOrDirectory {
      throw .staleNFSFileHandle
    }
  }
}

import SystemPackage

/// Renaming of the finished file.
///
/// After an error, the name is checked before the error is reported: on a network file system a call can succeed
/// and its answer can be lost.
extension TemporaryFile {
  /// Renames the file, replacing any file with that name.
  mutating func overwrite(_ target: FilePath.Component) throws(ReplacementError) {
    guard let name = temporary?.name else { return }
    let (target, directory) = (FilePath(target), directory.descriptor)
    try settle(target) { () throws(Errno) in
      try Syscalls.rename(name, to: target, in: directory)
    }
    temporary = nil
  }

  /// Renames the file; ``Errno/fileExists`` if another file has the name.
  mutating func take(_ target: FilePath.Component) throws(ReplacementError) {
    guard let name = temporary?.name else { return }
    let (target, directory) = (FilePath(target), directory.descriptor)
    do throws(ReplacementError) {
      try settle(target) { () throws(Errno) in
        try Syscalls.renameExclusively(name, to: target, in: directory)
      }
      temporary = nil
    } catch .system(.invalidArgument), .system(.noFunction), .system(.notSupported) {
      // Linking cannot overwrite either; the temporary name is removed with this value.
      try settle(target) { () throws(Errno) in
        try Syscalls.link(name, as: target, in: directory)
      }
    }
  }

  /// Gives the file the name of another file, unless that file changed at the last moment; then it keeps its name.
  ///
  /// - Parameters:
  ///   - target: The name.
  ///   - identity: The version of the other file that is to be replaced.
  ///   - original: The other file, open; it is locked.
  /// - Throws: ``ReplacementError``.
  /// - Returns: Whether the new file has the name. Otherwise the other file changed, and the file system could not
  ///   keep it under any name.
  mutating func replace(
    _ target: FilePath.Component,
    _ identity: FileIdentity,
    open original: FileDescriptor
  ) throws(ReplacementError) -> Bool {
    guard let name = temporary?.name else { return true }
    let (target, directory) = (FilePath(target), directory.descriptor)
    // Another run must not remove it while it has its temporary name.
    try? Syscalls.lock(original)
    do throws(ReplacementError) {
      try settle(target) { () throws(Errno) in
        try Syscalls.exchange(name, with: target, in: directory)
      }
    } catch .system(.invalidArgument), .system(.noFunction), .system(.notSupported),
      .system(.notPermitted)
    {
      return try replaceWithoutExchange(target, identity, open: original)
    }
    try letGo(of: name, identity, open: original, restoringTo: target)
    return true
  }

  /// Replaces the file where names cannot be exchanged: a second name keeps the other file.
  private mutating func replaceWithoutExchange(
    _ target: FilePath,
    _ identity: FileIdentity,
    open original: FileDescriptor
  ) throws(ReplacementError) -> Bool {
    guard let name = temporary?.name, let component = target.lastComponent else { return true }
    let directory = directory.descriptor
    let kept = FilePath(TemporaryName.random(for: component))
    do throws(Errno) {
      try Syscalls.link(target, as: kept, in: directory)
    } catch .notPermitted, .notSupported, .noFunction, .invalidArgument, .tooManyLinks {
      try settle(target) { () throws(Errno) in
        try Syscalls.rename(name, to: target, in: directory)
      }
      temporary = nil
      return
        (try? Self.isUntouched(original, identity) { () throws(Errno) in
          try Syscalls.status(original)
        }) != false
    } catch {
      Self.remove(kept, of: identity.key, in: directory)
      throw .system(error)
    }
    do throws(ReplacementError) {
      try settle(target) { () throws(Errno) in
        try Syscalls.rename(name, to: target, in: directory)
      }
    } catch {
      if error != .outcomeUnknown { Self.remove(kept, of: identity.key, in: directory) }
      throw error
    }
    try letGo(of: kept, identity, open: original, restoringTo: target)
    return true
  }

  /// Removes the second name of the other file, or restores the file's own name if it changed.
  private mutating func letGo(
    of kept: FilePath,
    _ identity: FileIdentity,
    open original: FileDescriptor,
    restoringTo target: FilePath
  ) throws(ReplacementError) {
    let directory = directory.descriptor
    temporary = nil
    var failure = ReplacementError.changed
    do throws(Errno) {
      if try Self.isUntouched(
        original,
        identity,
        { () throws(Errno) in
          try Syscalls.status(kept, in: directory, followingLinks: false)
        }
      ) {
        do throws(Errno) {
          try Syscalls.unlink(kept, in: directory)
        } catch {
          // Removal is tried again when this value is destroyed.
          temporary = (kept, identity.key)
        }
        return
      }
    } catch {
      failure = .system(error)
    }
    do throws(Errno) {
      try Syscalls.rename(kept, to: target, in: directory)
    } catch {
      let now = try? Syscalls.status(target, in: directory, followingLinks: false)
      guard let now, now.key != key else { throw .outcomeUnknown }
    }
    throw failure
  }

  /// Whether a file that lost its name is unchanged, and no process has it open for writing.
  private static func isUntouched(
    _ file: FileDescriptor,
    _ identity: FileIdentity,
    _ status: () throws(Errno) -> FileIdentity
  ) throws(Errno) -> Bool {
    var isLeased = false
    do throws(Errno) {
      try Syscalls.takeLease(file)
      isLeased = true
    } catch .wouldBlock {
      return false
    } catch {
      // The file system does not support leases, or the file has another owner.
    }
    guard try status().hasSameContent(as: identity) else { return false }
    return !isLeased || Syscalls.holdsLease(file)
  }

  /// Makes a call that renames the file, and reports its error only if the file does not have the name.
  ///
  /// - Throws: The call's error, or ``ReplacementError/outcomeUnknown``; then nothing is removed.
  private mutating func settle(
    _ target: FilePath,
    _ call: () throws(Errno) -> Void
  ) throws(ReplacementError) {
    do throws(Errno) {
      try call()
    } catch {
      do throws(Errno) {
        let named = try Syscalls.status(
          target,
          in: directory.descriptor,
          followingLinks: false
        )
        if named.key == key { return }
      } catch .noSuchFileOrDirectory {
        // No file has the name.
      } catch {
        temporary = nil
        throw .outcomeUnknown
      }
      throw .system(error)
    }
  }
}

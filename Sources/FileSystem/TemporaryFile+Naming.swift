import SystemPackage

/// How a file gets its name.
///
/// An error of the call is not believed before the name was looked at: on a network file system a call can
/// succeed and its answer get lost.
extension TemporaryFile {
  /// Gives the file its name, replacing whatever has it.
  mutating func overwrite(_ target: FilePath.Component) throws(Errno) {
    guard let name = temporary?.name else { return }
    let (target, directory) = (FilePath(target), directory.descriptor)
    try settle(target) { () throws(Errno) in
      try Syscalls.rename(name, to: target, in: directory)
    }
    temporary = nil
  }

  /// Gives the file its name; ``Errno/fileExists`` if something has it.
  mutating func take(_ target: FilePath.Component) throws(Errno) {
    guard let name = temporary?.name else { return }
    let (target, directory) = (FilePath(target), directory.descriptor)
    do throws(Errno) {
      try settle(target) { () throws(Errno) in
        try Syscalls.renameExclusively(name, to: target, in: directory)
      }
      temporary = nil
    } catch .invalidArgument, .noFunction, .notSupported {
      // A second name cannot overwrite either; the first one goes with this value.
      try settle(target) { () throws(Errno) in
        try Syscalls.link(name, as: target, in: directory)
      }
    }
  }

  /// Gives the file the name of another, unless that one changed up to the last moment: then it has its name
  /// again.
  ///
  /// - Parameters:
  ///   - target: The name.
  ///   - identity: The version of the other file that is to be replaced.
  ///   - original: The other file, open; it is locked.
  /// - Throws: The system's error; ``Errno/staleNFSFileHandle`` if the other file changed;
  ///   ``Errno/notRecoverable`` if the file system does not say what has the name.
  /// - Returns: Whether the new file has the name. Otherwise the other file changed, and the file system
  ///   could not keep it under any name.
  mutating func replace(
    _ target: FilePath.Component,
    _ identity: FileIdentity,
    open original: FileDescriptor
  ) throws(Errno) -> Bool {
    guard let name = temporary?.name else { return true }
    let (target, directory) = (FilePath(target), directory.descriptor)
    // Under its temporary name, no other run is to remove it.
    try? Syscalls.lock(original)
    do throws(Errno) {
      try settle(target) { () throws(Errno) in
        try Syscalls.exchange(name, with: target, in: directory)
      }
    } catch .invalidArgument, .noFunction, .notSupported, .notPermitted {
      return try replaceWithoutExchange(target, identity, open: original)
    }
    try letGo(of: name, identity, open: original, restoringTo: target)
    return true
  }

  /// The same where names cannot be exchanged: a second name keeps the other file.
  private mutating func replaceWithoutExchange(
    _ target: FilePath,
    _ identity: FileIdentity,
    open original: FileDescriptor
  ) throws(Errno) -> Bool {
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
      throw error
    }
    do throws(Errno) {
      try settle(target) { () throws(Errno) in
        try Syscalls.rename(name, to: target, in: directory)
      }
    } catch {
      if error != .notRecoverable { Self.remove(kept, of: identity.key, in: directory) }
      throw error
    }
    try letGo(of: kept, identity, open: original, restoringTo: target)
    return true
  }

  /// Removes the name that kept the other file, or gives that file its own name again if it changed.
  private mutating func letGo(
    of kept: FilePath,
    _ identity: FileIdentity,
    open original: FileDescriptor,
    restoringTo target: FilePath
  ) throws(Errno) {
    let directory = directory.descriptor
    temporary = nil
    var failure = Errno.staleNFSFileHandle
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
          // It is tried again when this value goes away.
          temporary = (kept, identity.key)
        }
        return
      }
    } catch {
      failure = error
    }
    do throws(Errno) {
      try Syscalls.rename(kept, to: target, in: directory)
    } catch {
      let now = try? Syscalls.status(target, in: directory, followingLinks: false)
      guard let now, now.key != key else { throw .notRecoverable }
    }
    throw failure
  }

  /// Whether a file that lost its name is as it was, and nobody has it open to change it still.
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
      // A file system without leases, or another owner's file.
    }
    guard try status().hasSameContent(as: identity) else { return false }
    return !isLeased || Syscalls.holdsLease(file)
  }

  /// Makes a call that gives the file a name, and believes its error only where the name is not the file's.
  ///
  /// - Throws: The call's error; ``Errno/notRecoverable`` if nobody can tell what has the name, and then
  ///   nothing is removed.
  private mutating func settle(
    _ target: FilePath,
    _ call: () throws(Errno) -> Void
  ) throws(Errno) {
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
        // Nothing has the name.
      } catch {
        temporary = nil
        throw .notRecoverable
      }
      throw error
    }
  }
}

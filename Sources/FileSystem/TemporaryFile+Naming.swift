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
  mutating func take(
    _ target: FilePath.Component,
    _ abilities: Abilities
  ) throws(ReplacementError) {
    guard let name = temporary?.name else { return }
    let (target, directory) = (FilePath(target), directory.descriptor)
    let isRenamed = try abilities.attempt(.exclusiveRename, on: key.device) {
      () throws(ReplacementError) in
      try settle(target) { () throws(Errno) in
        try Syscalls.renameExclusively(name, to: target, in: directory)
      }
    }
    if isRenamed {
      temporary = nil
      return
    }
    // Linking cannot overwrite either; the temporary name is removed with this value.
    let isLinked = try abilities.attempt(.link, on: key.device) { () throws(ReplacementError) in
      try settle(target) { () throws(Errno) in
        try Syscalls.link(name, as: target, in: directory)
      }
    }
    if !isLinked { try reserve(target) }
  }

  /// Gives the file the name of another file, unless that file changed at the last moment; then it keeps its name.
  ///
  /// - Parameters:
  ///   - target: The name.
  ///   - original: The other file; it is locked.
  ///   - abilities: What the file system can.
  /// - Throws: ``ReplacementError``.
  /// - Returns: Whether the new file has the name. Otherwise the other file changed, and the file system could not
  ///   keep it under any name.
  mutating func replace(
    _ target: FilePath.Component,
    _ original: FormerFile,
    _ abilities: Abilities
  ) throws(ReplacementError) -> Bool {
    guard let name = temporary?.name else { return true }
    let (target, directory) = (FilePath(target), directory.descriptor)
    // Another run must not remove it while it has its temporary name.
    try? Syscalls.lock(original.descriptor)
    let isExchanged = try abilities.attempt(.exchange, on: key.device) {
      () throws(ReplacementError) in
      try settle(target) { () throws(Errno) in
        try Syscalls.exchange(name, with: target, in: directory)
      }
    }
    guard isExchanged else {
      return try replaceWithoutExchange(target, original, abilities)
    }
    try letGo(of: (name, original.identity.key), original, restoringTo: target) {
      () throws(Errno) in
      try Syscalls.status(name, in: directory, followingLinks: false)
        .hasSameContent(as: original.identity)
    }
    return true
  }

  /// Replaces the file where names cannot be exchanged: a second name keeps the other file, if there are links.
  private mutating func replaceWithoutExchange(
    _ target: FilePath,
    _ original: FormerFile,
    _ abilities: Abilities
  ) throws(ReplacementError) -> Bool {
    guard let name = temporary?.name, let component = target.lastComponent else { return true }
    let directory = directory.descriptor
    let kept = FilePath(TemporaryName.random(for: component))
    let isLinked = try abilities.attempt(.link, on: key.device) { () throws(ReplacementError) in
      do throws(Errno) {
        try Syscalls.link(target, as: kept, in: directory)
      } catch {
        Self.remove(kept, of: original.identity.key, in: directory)
        throw .system(error)
      }
    }
    guard isLinked else {
      try settle(target) { () throws(Errno) in
        try Syscalls.rename(name, to: target, in: directory)
      }
      temporary = nil
      return
        (try? Self.isUntouched(original.descriptor) { () throws(Errno) in
          original.isUntouched(afterLosing: target, in: directory)
        }) != false
    }
    let second = SecondName(kept, in: directory, of: original)
    defer { second.close() }
    do throws(ReplacementError) {
      guard second.isOfOriginal else { throw .changed }
      try settle(target) { () throws(Errno) in
        try Syscalls.rename(name, to: target, in: directory)
      }
    } catch {
      if error != .outcomeUnknown { Self.remove(kept, of: second.key, in: directory) }
      throw error
    }
    try letGo(of: (kept, second.key), original, restoringTo: target) { () throws(Errno) in
      try original.isUntouched(under: kept, in: directory)
    }
    return true
  }

  /// Removes the second name of the other file, or restores the file's own name if it changed.
  private mutating func letGo(
    of kept: (name: FilePath, key: FileIdentity.Key),
    _ original: FormerFile,
    restoringTo target: FilePath,
    _ isUnchanged: () throws(Errno) -> Bool
  ) throws(ReplacementError) {
    let directory = directory.descriptor
    temporary = nil
    var failure = ReplacementError.changed
    do throws(Errno) {
      if try Self.isUntouched(original.descriptor, isUnchanged) {
        do throws(Errno) {
          try Syscalls.unlink(kept.name, in: directory)
        } catch {
          // Removal is tried again when this value is destroyed.
          temporary = kept
        }
        return
      }
    } catch {
      failure = .system(error)
    }
    do throws(Errno) {
      try Syscalls.rename(kept.name, to: target, in: directory)
    } catch {
      let now = try? Syscalls.status(target, in: directory, followingLinks: false)
      guard let now, now.key != key else { throw .outcomeUnknown }
    }
    throw failure
  }

  /// Whether a file that lost its name is unchanged, and no process has it open for writing.
  private static func isUntouched(
    _ file: FileDescriptor,
    _ isUnchanged: () throws(Errno) -> Bool
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
    guard try isUnchanged() else { return false }
    return !isLeased || Syscalls.holdsLease(file)
  }

  /// Makes a call that renames the file, and reports its error only if the file does not have the name.
  ///
  /// - Throws: The call's error, or ``ReplacementError/outcomeUnknown``; then nothing is removed.
  mutating func settle(
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

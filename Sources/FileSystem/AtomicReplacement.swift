package import SystemPackage

/// What to do with a file that has several hard links.
package enum HardLinks: String, CaseIterable, Sendable {
  /// Report an error and leave the file unchanged.
  case refuse
  /// Replace it under the given name; the other names keep the old content.
  case `break`
}

/// Replaces the content of files atomically: at any time, even after a crash, the name refers to the whole old or
/// the whole new content (specification, section 7).
///
/// Mode, owner, ACLs and extended attributes are kept; ``FileTimes`` decides the time. If the path is a symbolic link,
/// its target is replaced. A write-protected file is replaced like any other, because replacing requires write access
/// to the directory only; ``WriteProtection`` tells whether a file should be.
///
/// If another program changes the file before the new one takes its name, or has it open for writing at that
/// moment, the original keeps the name. Without leases (on network file systems, or for files of
/// another owner), open files are not detected, and later writes go into a file without a name.
package struct AtomicReplacement: Sendable {
  /// What to do with a file that has several hard links.
  ///
  /// Default: refuse.
  package var hardLinks: HardLinks
  /// The suffix of the name under which the original is kept.
  ///
  /// Default: none, the original is not kept.
  package var backupSuffix: [UInt8]?
  /// The files that the run has visited; replacements are recorded there.
  ///
  /// Default: none.
  package var visited: VisitedFiles?
  /// The modification time of a file that was replaced.
  ///
  /// Default: the change is visible.
  package var times: FileTimes
  /// Whether a symbolic link is replaced by a file, and its target is kept.
  ///
  /// Default: no, the target is replaced and the link is kept.
  package var replacesLinks = false

  /// Creates the settings.
  package init(
    hardLinks: HardLinks = .refuse,
    backupSuffix: [UInt8]? = nil,
    visited: VisitedFiles? = nil,
    times: FileTimes = .visible
  ) {
    self.hardLinks = hardLinks
    self.backupSuffix = backupSuffix
    self.visited = visited
    self.times = times
  }

  /// Checks whether a file may be replaced, as far as that can be determined without replacing it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - identity: The version that was read.
  /// - Throws: ``FileError``.
  package func check(_ path: FilePath, _ identity: FileIdentity) throws(FileError) {
    if let problem = identity.kind.problem { throw FileError(path, .replace, problem) }
    if hardLinks == .refuse, identity.linkCount > 1, !hasOwnBackup(path, identity) {
      throw FileError(path, .replace, .hardLinked)
    }
    if let present = presentBackup(path), present.key != identity.key {
      throw FileError(path, .replace, .backupExists)
    }
  }

  /// Replaces the file that was read.
  ///
  /// - Parameters:
  ///   - path: The file, or a symbolic link to it.
  ///   - identity: The version whose content was read.
  ///   - bytes: The new content.
  ///   - change: What the time of the file depends on.
  ///   - first: Called when the new content is on the disk and before it takes the name, even if the process was
  ///     interrupted; returns false to keep the file unchanged, which is the error `interrupted`.
  /// - Returns: The attributes that the new file could not be given.
  /// - Throws: ``FileError``. The file is unchanged, except after `unconfirmed`, where the new content is in
  ///   place, and after `outcome-unknown`.
  package func replace(
    _ path: FilePath,
    readAs identity: FileIdentity,
    with bytes: [UInt8],
    _ change: ContentChange = ContentChange(),
    after first: (() -> Bool)? = nil
  ) throws(FileError) -> [LostAttribute] {
    try check(path, identity)
    var lost: [LostAttribute] = []
    let file: TemporaryFile
    do throws(FileError) {
      file = try FileError.naming(path, .replace) { () throws(ReplacementError) in
        try put(bytes, inPlaceOf: path, identity, change, first, &lost)
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
    _ change: ContentChange,
    _ first: (() -> Bool)?,
    _ lost: inout [LostAttribute]
  ) throws(ReplacementError) -> TemporaryFile {
    let isLink = isReplaced(path)
    let target = try existing { () throws(Errno) in try place(of: path) }
    guard let name = target.lastComponent else { throw .system(.isDirectory) }
    let parent = target.removingLastComponent()
    let directory = try ReplacementError.ofSystem { () throws(Errno) in try OpenDirectory(parent) }
    let descriptor = directory.descriptor
    let source = try ReplacementError.ofSystem { () throws(Errno) in
      try Syscalls.open(
        FilePath(name),
        in: descriptor,
        .readOnly,
        options: isLink ? [.nonBlocking] : [.noFollow, .nonBlocking]
      )
    }
    defer { Syscalls.close(source) }
    let found = try ReplacementError.ofSystem { () throws(Errno) in try Syscalls.status(source) }
    guard found.isSameVersion(as: identity) else { throw .changed }
    var file = try prepare(bytes, in: directory, name, like: source, identity, times, change, &lost)
    if !(first?() ?? !Interruption.isPending) { throw .interrupted }
    // Checked at the last moment, because a change by another program would be lost.
    let now = try existing { () throws(Errno) in
      try Syscalls.status(
        FilePath(name),
        in: file.directory.descriptor,
        followingLinks: isLink
      )
    }
    guard now.isSameVersion(as: identity) else { throw .changed }
    // Recorded before the rename, so that another thread that finds the new file recognizes it.
    let isKept = backupSuffix != nil || identity.linkCount > 1
    visited?.note(file.key, replacing: identity, at: target, isKept: isKept)
    var backup: FilePath?
    do throws(ReplacementError) {
      backup = try keep(name, identity, in: file.directory.descriptor)
      if isLink {
        try file.overwrite(name)
      } else if try !file.replace(name, identity, open: source) {
        try putBack(source, in: parent, name)
      }
    } catch {
      if let backup { dropBackup(backup, of: name, identity, in: file.directory.descriptor) }
      if error != .outcomeUnknown { visited?.forget(file.key) }
      throw error
    }
    if let visited, let identity = try? Syscalls.status(file.descriptor) { visited.note(identity) }
    return file
  }

  /// Whether the path is a symbolic link that is replaced itself.
  private func isReplaced(_ path: FilePath) -> Bool {
    replacesLinks && (try? Syscalls.status(path, followingLinks: false))?.kind == .symbolicLink
  }

  /// Returns the path whose name the new file gets.
  private func place(of path: FilePath) throws(Errno) -> FilePath {
    guard isReplaced(path), let name = path.lastComponent else { return try Syscalls.resolve(path) }
    let parent = path.removingLastComponent()
    return try Syscalls.resolve(parent.isEmpty ? "." : parent).appending(name)
  }

  /// Writes a new file with all attributes of the original except its name and content.
  private func prepare(
    _ bytes: [UInt8],
    in directory: consuming OpenDirectory,
    _ name: FilePath.Component,
    like source: FileDescriptor,
    _ identity: FileIdentity,
    _ times: FileTimes,
    _ change: ContentChange,
    _ lost: inout [LostAttribute]
  ) throws(ReplacementError) -> TemporaryFile {
    do throws(Errno) {
      let file = try TemporaryFile(in: directory, for: name, permissions: 0o600)
      try Syscalls.write(bytes, to: file.descriptor)
      var attributes = AttributeCopy(from: source, identity, to: file.descriptor)
      try attributes.copy()
      try times.set(
        on: file.descriptor,
        access: identity.accessTime,
        modification: change.original ?? identity.modificationTime,
        replacing: identity,
        change
      )
      try Syscalls.sync(file.descriptor)
      lost = attributes.lost
      return file
    } catch { throw .system(error) }
  }

  /// Restores, as a copy, a file that changed at the last moment and has no name any more.
  ///
  /// - Throws: ``ReplacementError/changed`` when it is restored.
  private func putBack(
    _ source: FileDescriptor,
    in parent: FilePath,
    _ name: FilePath.Component
  ) throws(ReplacementError) {
    let (identity, bytes) = try ReplacementError.ofSystem { () throws(Errno) in
      let identity = try Syscalls.status(source)
      return (identity, try Syscalls.read(source, at: 0, count: identity.size))
    }
    let directory = try ReplacementError.ofSystem { () throws(Errno) in try OpenDirectory(parent) }
    var lost: [LostAttribute] = []
    var copy = try prepare(
      bytes,
      in: directory,
      name,
      like: source,
      identity,
      .keep,
      ContentChange(),
      &lost
    )
    try copy.overwrite(name)
    throw .changed
  }

  /// Removes a backup that is not needed because the original was not replaced.
  private func dropBackup(
    _ backup: FilePath,
    of name: FilePath.Component,
    _ identity: FileIdentity,
    in directory: FileDescriptor
  ) {
    let named = try? Syscalls.status(FilePath(name), in: directory, followingLinks: false)
    guard named?.key == identity.key else { return }
    TemporaryFile.remove(backup, of: identity.key, in: directory)
  }

  /// Gives the original a second name as its backup.
  ///
  /// - Returns: The name, if it is new.
  /// - Throws: The system's error; ``Errno/fileExists`` if another file has it.
  private func keep(
    _ name: FilePath.Component,
    _ identity: FileIdentity,
    in directory: FileDescriptor
  ) throws(ReplacementError) -> FilePath? {
    guard let backup = backup(of: name) else { return nil }
    do throws(Errno) {
      try Syscalls.link(FilePath(name), as: backup, in: directory)
      return backup
    } catch {
      let present = try? Syscalls.status(backup, in: directory, followingLinks: false)
      guard present?.key == identity.key else { throw .system(error) }
      // A run that was killed here may have created it, or a network file system lost the answer.
      return error == .fileExists ? nil : backup
    }
  }

  private func backup(of name: FilePath.Component) -> FilePath? {
    backupSuffix.flatMap { FilePath.Component(bytes: name.bytes + $0) }
      .map { FilePath($0) }
  }

  /// Whether the file's only other name is its backup, created by a run that was killed.
  private func hasOwnBackup(_ path: FilePath, _ identity: FileIdentity) -> Bool {
    identity.linkCount == 2 && presentBackup(path)?.key == identity.key
  }

  /// Returns the file with the name of the backup, or nil.
  private func presentBackup(_ path: FilePath) -> FileIdentity? {
    guard backupSuffix != nil, let target = try? place(of: path),
      let backup = target.lastComponent.flatMap(backup(of:))
    else { return nil }
    let place = target.removingLastComponent().appending(backup.components)
    return try? Syscalls.status(place, followingLinks: false)
  }

  /// Looks at the original; if it is missing now, it changed after it was read.
  private func existing<Value>(
    _ look: () throws(Errno) -> Value
  ) throws(ReplacementError) -> Value {
    do throws(Errno) {
      return try look()
    } catch {
      throw error == .noSuchFileOrDirectory ? .changed : .system(error)
    }
  }
}

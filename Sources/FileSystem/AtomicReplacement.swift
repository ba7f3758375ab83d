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
  let abilities = Abilities()

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
    if refusesLinks(path, identity) { throw FileError(path, .replace, .hardLinked) }
    if let present = presentBackup(path), present.status.key != identity.key,
      !isCopy(present, of: path, identity)
    {
      throw FileError(path, .replace, .backupExists)
    }
  }

  /// Whether a file is not replaced because it has several hard links; its own backup is none of them.
  package func refusesLinks(_ path: FilePath, _ identity: FileIdentity) -> Bool {
    hardLinks == .refuse && identity.linkCount > 1 && !hasOwnBackup(path, identity)
  }

  /// Replaces the file that was read.
  ///
  /// - Parameters:
  ///   - path: The file, or a symbolic link to it.
  ///   - identity: The version whose content was read.
  ///   - content: What was read; with it, a file is the same one also where its number and its times are not, as on some
  ///     file systems.
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
    _ content: [UInt8]? = nil,
    with bytes: [UInt8],
    _ change: ContentChange = ContentChange(),
    after first: (() -> Bool)? = nil
  ) throws(FileError) -> [LostAttribute] {
    try check(path, identity)
    var lost: [LostAttribute] = []
    let file: TemporaryFile
    do throws(FileError) {
      file = try FileError.naming(path, .replace) { () throws(ReplacementError) in
        try put(bytes, inPlaceOf: path, identity, content, change, first, &lost)
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
    _ content: [UInt8]?,
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
    var original = FormerFile(descriptor: source, identity: identity, content: content)
    let found = try ReplacementError.ofSystem { () throws(Errno) in try Syscalls.status(source) }
    if !found.isSameVersion(as: identity) {
      guard original.hasContent(of: source, found) else { throw .changed }
      original.identity = found
    }
    var file = try prepare(bytes, in: directory, name, like: original, times, change, &lost)
    if !(first?() ?? !Interruption.isPending) { throw .interrupted }
    // Checked at the last moment, because a change by another program would be lost.
    var reopened: [FileDescriptor] = []
    defer { for file in reopened { Syscalls.close(file) } }
    while let now = try differing(from: original, name, in: file.directory.descriptor, isLink) {
      original = now
      reopened.append(now.descriptor)
      // Times of a file that is still being stored never rest.
      guard reopened.count <= 3 else { break }
      lost = try refresh(file, like: original, times, change)
    }
    let identity = original.identity
    // Recorded before the rename, so that another thread that finds the new file recognizes it.
    let isKept = backupSuffix != nil || identity.linkCount > 1
    visited?.note(file.key, replacing: identity, at: target, isKept: isKept)
    var backup: (name: FilePath, key: FileIdentity.Key)?
    do throws(ReplacementError) {
      backup = try keep(name, original, in: file.directory.descriptor, parent)
      if isLink {
        try file.overwrite(name)
      } else if try !file.replace(name, original, abilities) {
        try putBack(original.descriptor, in: parent, name)
      }
    } catch {
      if let backup { dropBackup(backup, of: name, identity, in: file.directory.descriptor) }
      if error != .outcomeUnknown { visited?.forget(file.key) }
      throw error
    }
    if let visited, let identity = try? Syscalls.status(file.descriptor) { visited.note(identity) }
    return file
  }

  /// Returns the file that has the name now, if its status is not that of the original; nil if it is.
  ///
  /// - Throws: ``ReplacementError/changed`` if it does not have the original's content.
  private func differing(
    from original: FormerFile,
    _ name: FilePath.Component,
    in directory: FileDescriptor,
    _ isLink: Bool
  ) throws(ReplacementError) -> FormerFile? {
    let now = try existing { () throws(Errno) in
      try Syscalls.status(FilePath(name), in: directory, followingLinks: isLink)
    }
    if now.isSameVersion(as: original.identity) { return nil }
    guard !isLink, original.content != nil, now.linkCount <= max(1, original.identity.linkCount)
    else {
      throw .changed
    }
    let (file, status) = try existing { () throws(Errno) in
      try Syscalls.identified(
        Syscalls.open(FilePath(name), in: directory, .readOnly, options: [.noFollow, .nonBlocking])
      )
    }
    guard original.hasContent(of: file, status) else {
      Syscalls.close(file)
      throw .changed
    }
    return FormerFile(descriptor: file, identity: status, content: original.content)
  }

  /// Gives the new file the attributes and times that the original has now.
  private func refresh(
    _ file: borrowing TemporaryFile,
    like original: FormerFile,
    _ times: FileTimes,
    _ change: ContentChange
  ) throws(ReplacementError) -> [LostAttribute] {
    do throws(Errno) {
      let lost = try give(file, original, times, change)
      try Syscalls.sync(file.descriptor)
      return lost
    } catch { throw .system(error) }
  }

  /// Whether the path is a symbolic link that is replaced itself.
  private func isReplaced(_ path: FilePath) -> Bool {
    replacesLinks && (try? Syscalls.status(path, followingLinks: false))?.kind == .symbolicLink
  }

  /// Returns the path whose name the new file gets.
  func place(of path: FilePath) throws(Errno) -> FilePath {
    guard isReplaced(path), let name = path.lastComponent else { return try Syscalls.resolve(path) }
    let parent = path.removingLastComponent()
    return try Syscalls.resolve(parent.isEmpty ? "." : parent).appending(name)
  }

  /// Writes a new file with all attributes of the original except its name and content.
  func prepare(
    _ bytes: [UInt8],
    in directory: consuming OpenDirectory,
    _ name: FilePath.Component,
    like original: FormerFile,
    _ times: FileTimes,
    _ change: ContentChange,
    _ lost: inout [LostAttribute]
  ) throws(ReplacementError) -> TemporaryFile {
    do throws(Errno) {
      let file = try TemporaryFile(in: directory, for: name, permissions: 0o600)
      try Syscalls.write(bytes, to: file.descriptor)
      lost = try give(file, original, times, change)
      try Syscalls.sync(file.descriptor)
      return file
    } catch { throw .system(error) }
  }

  /// Gives a new file the attributes and times of the original, and returns those that it could not be given.
  private func give(
    _ file: borrowing TemporaryFile,
    _ original: FormerFile,
    _ times: FileTimes,
    _ change: ContentChange
  ) throws(Errno) -> [LostAttribute] {
    let identity = original.identity
    var attributes = AttributeCopy(from: original.descriptor, identity, to: file.descriptor)
    try attributes.copy()
    try times.set(
      on: file.descriptor,
      access: identity.accessTime,
      modification: change.original ?? identity.modificationTime,
      replacing: identity,
      change
    )
    return attributes.lost
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
      like: FormerFile(descriptor: source, identity: identity, content: nil),
      .keep,
      ContentChange(),
      &lost
    )
    try copy.overwrite(name)
    throw .changed
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

internal import Synchronization
package import SystemPackage

/// Creates files atomically: at any time, even after a crash, the name refers to no file or to the whole content
/// (specification, section 7).
package struct AtomicCreation: Sendable {
  /// Whether an existing output is replaced.
  ///
  /// Default: no.
  package var overwrite: Bool
  /// Whether missing directories of the output's path are created.
  ///
  /// Default: no.
  package var createDirectories: Bool
  /// Whether the output gets its source's time or the present one.
  ///
  /// Default: its source's, except where an output that is overwritten had the same size and second.
  package var times: FileTimes
  /// Which existing outputs are not overwritten.
  ///
  /// Default: those that are protected by their permissions.
  package var protection: WriteProtection.Rule
  /// The outputs that were created, if none of them is overwritten.
  private let created: CreatedFiles?
  private let abilities = Abilities()

  /// Creates the settings.
  ///
  /// With `once`, an output is not overwritten that was created with the same settings before, such as that of `A.JPG` by that
  /// of `a.jpg` where names are the same in capitals.
  package init(
    overwrite: Bool = false,
    createDirectories: Bool = false,
    times: FileTimes = .visible,
    protection: WriteProtection.Rule = .permissions,
    once: Bool = false
  ) {
    created = once ? CreatedFiles() : nil
    self.overwrite = overwrite
    self.createDirectories = createDirectories
    self.times = times
    self.protection = protection
  }

  /// Creates an output with the access rights and times of its source; an existing file with the same content is
  /// accepted.
  ///
  /// The output belongs to the user of the process and to the group that its directory assigns, and nobody else
  /// gets a right that they do not have to the source.
  ///
  /// - Parameters:
  ///   - path: The output. If it is a symbolic link and may be overwritten, its target is replaced.
  ///   - source: The file that the content was made from; `nil` if it was a stream.
  ///   - bytes: The content.
  /// - Returns: The attributes of the source that the output could not be given.
  /// - Throws: ``FileError``. Nothing was created or overwritten, except after `unconfirmed`, where the output is
  ///   in place, and after `outcome-unknown`.
  @discardableResult
  package func create(
    _ path: FilePath,
    like source: AccessRights?,
    with bytes: [UInt8]
  ) throws(FileError) -> [LostAttribute] {
    let target: FilePath
    do throws(FileError) {
      target = try self.target(of: path, source?.identity, source?.path)
    } catch {
      // An interrupted or repeated run may have written this output already.
      if error.problem == .exists, holdsFile(path, bytes) { return [] }
      throw error
    }
    guard let name = target.lastComponent, name.kind == .regular else {
      throw FileError(path, .create, .isDirectory)
    }
    var lost: [LostAttribute] = []
    let file: TemporaryFile
    do throws(ReplacementError) {
      file = try put(bytes, in: target.removingLastComponent(), name, like: source, &lost)
    } catch {
      // Another thread may have given a file the name meanwhile.
      let exists = error == .collision || error == .system(.fileExists)
      if exists, holdsFile(path, bytes) { return [] }
      throw FileError.of(error, path, .create)
    }
    do throws(Errno) {
      try file.directory.sync()
    } catch {
      throw FileError(path, .create, .unconfirmed, errno: error)
    }
    return lost
  }

  private func put(
    _ bytes: [UInt8],
    in parent: FilePath,
    _ name: FilePath.Component,
    like source: AccessRights?,
    _ lost: inout [LostAttribute]
  ) throws(ReplacementError) -> TemporaryFile {
    var file = try ReplacementError.ofSystem { () throws(Errno) in
      try prepare(bytes, in: parent, name, like: source, &lost)
    }
    if Interruption.isPending { throw .interrupted }
    if !overwrite {
      do throws(ReplacementError) {
        try file.take(name, abilities)
      } catch {
        let path = parent.appending(name)
        guard error == .system(.fileExists), TemporaryFile.isReserved(path) else { throw error }
        // A killed run has left it.
        TemporaryFile.removeReservation(of: path)
        try file.take(name, abilities)
      }
    } else if let created {
      try created.overwrite(name, in: parent, with: &file)
    } else {
      try file.overwrite(name)
    }
    return file
  }

  /// Writes a new file with the access rights and times of its source.
  private func prepare(
    _ bytes: [UInt8],
    in parent: FilePath,
    _ name: FilePath.Component,
    like source: AccessRights?,
    _ lost: inout [LostAttribute]
  ) throws(Errno) -> TemporaryFile {
    if createDirectories { try Self.makeDirectories(parent) }
    let file = try TemporaryFile(
      in: OpenDirectory(parent),
      for: name,
      permissions: source == nil ? 0o666 : 0o600
    )
    try Syscalls.write(bytes, to: file.descriptor)
    if let source {
      // The output may belong to another user, who must not get the source owner's rights.
      lost = try abilities.mentioned(
        source.give(to: file.descriptor, mask: 0o777),
        on: file.key.device
      )
      try times.set(
        on: file.descriptor,
        access: source.identity.accessTime,
        modification: source.identity.modificationTime,
        replacing: former(FilePath(root: parent.root, parent.components + [name]), bytes)
      )
    }
    try Syscalls.sync(file.descriptor)
    return file
  }

  /// Returns the file that is overwritten, or nil if there is none or if it has the same content.
  private func former(_ path: FilePath, _ bytes: [UInt8]) -> FileIdentity? {
    guard overwrite, times != .keep, let former = path.status, former.size == bytes.count,
      !holdsFile(path, bytes)
    else { return nil }
    return former
  }

  /// Checks whether an output may be created, as far as that can be determined without creating it.
  ///
  /// - Parameters:
  ///   - path: The output.
  ///   - source: The version of the input that was read.
  ///   - input: The path of the input.
  /// - Throws: ``FileError``.
  package func check(
    _ path: FilePath,
    _ source: FileIdentity?,
    of input: FilePath? = nil
  ) throws(FileError) {
    _ = try target(of: path, source, input)
    let parent = path.removingLastComponent()
    do throws(Errno) {
      let found = try Syscalls.status(parent.isEmpty ? "." : parent, followingLinks: true)
      guard found.kind == .directory else { throw .notDirectory }
    } catch {
      if createDirectories, error == .noSuchFileOrDirectory { return }
      throw FileError(path, .create, system: error)
    }
  }

  /// Returns the path of the output, after checking an existing file.
  func target(
    of path: FilePath,
    _ source: FileIdentity?,
    _ input: FilePath? = nil
  ) throws(FileError) -> FilePath {
    guard !path.isEmpty else { throw FileError(path, .create, .notFound) }
    guard try Self.present(path, followingLinks: false) != nil else { return path }
    let present = try Self.present(path, followingLinks: true)
    if let source, present?.key == source.key { throw FileError(path, .create, .outputIsInput) }
    if let input, try path.isSameFile(as: input) { throw FileError(path, .create, .outputIsInput) }
    if present?.kind == .directory { throw FileError(path, .create, .isDirectory) }
    if !overwrite, let present, present.size == 0, TemporaryFile.isReserved(path) { return path }
    guard overwrite else { throw FileError(path, .create, .exists) }
    if let problem = present?.kind.problem { throw FileError(path, .create, problem) }
    if let present, protection.protection(of: path, present) != nil {
      throw FileError(path, .create, .writeProtected)
    }
    return try FileError.attributing(path, .create) { () throws(Errno) in
      try Syscalls.resolve(path)
    }
  }

  /// Returns the file that has this name, or nil if there is none.
  ///
  /// - Throws: ``FileError``, if the file system does not report it, because there may be a file.
  private static func present(
    _ path: FilePath,
    followingLinks: Bool
  ) throws(FileError) -> FileIdentity? {
    do throws(Errno) {
      return try Syscalls.status(path, followingLinks: followingLinks)
    } catch .noSuchFileOrDirectory, .notDirectory {
      return nil
    } catch {
      throw FileError(path, .create, system: error)
    }
  }

  private static func makeDirectories(_ path: FilePath) throws(Errno) {
    guard !path.isEmpty, path.status == nil else { return }
    let parent = path.removingLastComponent()
    try makeDirectories(parent)
    do throws(Errno) {
      try Syscalls.makeDirectory(path)
    } catch {
      // Another thread or process created it, or a network file system lost the answer.
      guard path.isDirectory else { throw error }
    }
    try OpenDirectory(parent).sync()
  }
}

/// The files that a run has created.
private final class CreatedFiles: Sendable {
  private struct Created: Sendable {
    var keys: Set<FileIdentity.Key> = []
    /// The hashes of the paths without their case.
    var names: Set<Int> = []
  }

  private let created = Mutex(Created())

  /// Gives a file its name, unless another file has it that was created before.
  func overwrite(
    _ name: FilePath.Component,
    in parent: FilePath,
    with file: inout TemporaryFile
  ) throws(ReplacementError) {
    let path = parent.appending(name)
    try created.withLock { (created) throws(ReplacementError) in
      let directory = file.directory.descriptor
      let former = try? Syscalls.status(FilePath(name), in: directory, followingLinks: false)
      let isNew = created.names.insert(path.foldedHash).inserted
      // Some file systems that ignore case give each spelling of a name a number of its own.
      if let former, created.keys.contains(former.key) || !isNew && path.asListed != path {
        throw .collision
      }
      try file.overwrite(name)
      created.keys.insert(file.key)
    }
  }
}

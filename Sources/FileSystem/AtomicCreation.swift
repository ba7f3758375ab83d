package import SystemPackage

/// Creates a file so that its name stands for nothing or for the whole content, whenever the
/// process or the machine stops (specification, section 7).
package struct AtomicCreation: Sendable {
  /// Whether an existing output is replaced.
  ///
  /// Default: no.
  package var overwrite: Bool
  /// Whether missing directories on the way to the output are made.
  ///
  /// Default: no.
  package var createDirectories: Bool
  /// Whether the output gets the present time instead of its source's times.
  ///
  /// Default: no.
  package var touch: Bool

  /// Creates a way of creating files.
  package init(overwrite: Bool = false, createDirectories: Bool = false, touch: Bool = false) {
    self.overwrite = overwrite
    self.createDirectories = createDirectories
    self.touch = touch
  }

  /// Creates an output with the rights and times of its source; one that is there with the same content is taken
  /// for it.
  ///
  /// The output belongs to whom the process runs as, in the group that its directory gives, and nobody else has a
  /// right to it that he does not have to the source.
  ///
  /// - Parameters:
  ///   - path: The output. If it is a symbolic link and may be overwritten, its target is replaced.
  ///   - source: The file that the content was made from; `nil` if it was a stream.
  ///   - bytes: The content.
  /// - Returns: What of the source's rights the output could not be given.
  /// - Throws: ``FileError``. Nothing was created or overwritten, except after `unconfirmed`, where
  ///   the output is in place, and after `outcome-unknown`.
  @discardableResult
  package func create(
    _ path: FilePath,
    like source: AccessRights?,
    with bytes: [UInt8]
  ) throws(FileError) -> [LostAttribute] {
    let target: FilePath
    do throws(FileError) {
      target = try self.target(of: path, source?.identity)
    } catch {
      // A run that was interrupted, or was started twice, finds what it would write.
      if error.problem == .exists, Self.holds(path, bytes) { return [] }
      throw error
    }
    guard let name = target.lastComponent, name.kind == .regular else {
      throw FileError(path, .create, .isDirectory)
    }
    var lost: [LostAttribute] = []
    let file = try FileError.attributing(path, .create) { () throws(Errno) in
      try put(bytes, in: target.removingLastComponent(), name, like: source, &lost)
    }
    do throws(Errno) {
      try file.directory.sync()
    } catch {
      throw FileError(path, .create, .unconfirmed, errno: error)
    }
    return lost
  }

  /// Whether a file has this content.
  private static func holds(_ path: FilePath, _ bytes: [UInt8]) -> Bool {
    (try? readFile(path, limit: bytes.count).bytes) == bytes
  }

  private func put(
    _ bytes: [UInt8],
    in parent: FilePath,
    _ name: FilePath.Component,
    like source: AccessRights?,
    _ lost: inout [LostAttribute]
  ) throws(Errno) -> TemporaryFile {
    if createDirectories { try Self.makeDirectories(parent) }
    var file = try TemporaryFile(
      in: OpenDirectory(parent),
      for: name,
      permissions: source == nil ? 0o666 : 0o600
    )
    try Syscalls.write(bytes, to: file.descriptor)
    if let source {
      // The output may belong to somebody else, who must not get the source owner's identity.
      lost = try source.give(to: file.descriptor, mask: 0o777)
      if !touch {
        try Syscalls.changeTimes(
          file.descriptor,
          access: source.identity.accessTime,
          modification: source.identity.modificationTime
        )
      }
    }
    try Syscalls.sync(file.descriptor)
    if Interruption.isPending { throw .canceled }
    if overwrite { try file.overwrite(name) } else { try file.take(name) }
    return file
  }

  /// Finds out whether an output may be made, as far as that can be told without trying.
  ///
  /// - Parameters:
  ///   - path: The output.
  ///   - source: The version of the input that was read.
  /// - Throws: ``FileError``.
  package func check(_ path: FilePath, _ source: FileIdentity?) throws(FileError) {
    _ = try target(of: path, source)
  }

  /// Where the output goes, after looking at what is there now.
  func target(
    of path: FilePath,
    _ source: FileIdentity?
  ) throws(FileError) -> FilePath {
    guard try Self.present(path, followingLinks: false) != nil else { return path }
    let present = try Self.present(path, followingLinks: true)
    if let source, present?.key == source.key { throw FileError(path, .create, .outputIsInput) }
    guard overwrite else { throw FileError(path, .create, .exists) }
    if let problem = present?.kind.problem { throw FileError(path, .create, problem) }
    return try FileError.attributing(path, .create) { () throws(Errno) in
      try Syscalls.resolve(path)
    }
  }

  /// What has this name; nil where nothing has.
  ///
  /// - Throws: ``FileError``, where the file system does not tell: then there may be something.
  private static func present(
    _ path: FilePath,
    followingLinks: Bool
  ) throws(FileError) -> FileIdentity? {
    do throws(Errno) {
      return try Syscalls.status(path, followingLinks: followingLinks)
    } catch .noSuchFileOrDirectory, .notDirectory {
      return nil
    } catch {
      throw FileError(path, .create, error)
    }
  }

  private static func makeDirectories(_ path: FilePath) throws(Errno) {
    guard !path.isEmpty, (try? Syscalls.status(path, followingLinks: true)) == nil else { return }
    let parent = path.removingLastComponent()
    try makeDirectories(parent)
    do throws(Errno) {
      try Syscalls.makeDirectory(path)
    } catch {
      // Another job was faster, or the answer of a network file system got lost.
      guard (try? Syscalls.status(path, followingLinks: true))?.kind == .directory else {
        throw error
      }
    }
    try OpenDirectory(parent).sync()
  }
}

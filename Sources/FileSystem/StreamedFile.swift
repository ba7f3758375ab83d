package import SystemPackage

/// A file that is written piece by piece, under a temporary name until it is complete.
///
/// Until ``finish()``, the name refers to the former file or to none; a value that is destroyed before removes the
/// temporary file. A new file is readable only by its owner, because it shows photos that may be private; one
/// that replaces another gets the rights of that file.
package struct StreamedFile: ~Copyable, Sendable {
  private let path: FilePath
  private let name: FilePath.Component
  /// The rights of the file that is replaced; nil if there is none.
  private let former: AccessRights?
  private var file: TemporaryFile

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The final path.
  ///   - beginning: The bytes that an existing file must start with to be replaced; any other file that is not
  ///     empty is an error.
  /// - Throws: ``FileError``, such as `exists`.
  package init(_ path: FilePath, replacing beginning: [UInt8]) throws(FileError) {
    let former = Self.rights(path, beginningWith: beginning)
    let target: FilePath
    do throws(FileError) {
      target = try AtomicCreation(overwrite: former != nil).target(of: path, nil)
    } catch {
      throw FileError(path, .write, error.problem, errno: error.errno)
    }
    guard let name = target.lastComponent, name.kind == .regular else {
      throw FileError(path, .write, .isDirectory)
    }
    // As in TemporaryFile, no property is set before what may fail.
    let file = try FileError.attributing(path, .write) { () throws(Errno) in
      try TemporaryFile(
        in: OpenDirectory(target.removingLastComponent()),
        for: name,
        permissions: 0o600
      )
    }
    self.init(path, name, former, file)
  }

  private init(
    _ path: FilePath,
    _ name: FilePath.Component,
    _ former: AccessRights?,
    _ file: consuming TemporaryFile
  ) {
    self.path = path
    self.name = name
    self.former = former
    self.file = file
  }

  /// Returns the rights of the file that may be replaced, or nil if there is none.
  private static func rights(
    _ path: FilePath,
    beginningWith beginning: [UInt8]
  ) -> AccessRights? {
    guard let reader = try? FileReader(path),
      let present = try? reader.read(at: 0, count: beginning.count),
      present.isEmpty || present == beginning
    else { return nil }
    return try? reader.rights()
  }

  /// Writes the next piece.
  ///
  /// - Throws: ``FileError``; the file must not be finished then.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    try FileError.attributing(path, .write) { () throws(Errno) in
      try Syscalls.write(bytes, to: file.descriptor)
    }
  }

  /// Makes sure that the content is on the disk, and renames the file to its final name.
  ///
  /// - Throws: ``FileError``.
  package mutating func finish() throws(FileError) {
    do throws(Errno) {
      if let former { _ = try former.give(to: file.descriptor, mask: 0o777) }
      try Syscalls.sync(file.descriptor)
    } catch {
      throw FileError(path, .write, system: error)
    }
    do throws(ReplacementError) {
      if former != nil { try file.overwrite(name) } else { try file.take(name, Abilities()) }
    } catch {
      throw .of(error, path, .write)
    }
  }
}

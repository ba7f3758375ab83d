package import SystemPackage

/// A file that is written piece by piece, under a temporary name until it is complete.
///
/// Its name stands for the former file, or for none, until ``finish()``; a value that goes away before leaves
/// nothing behind.
package struct StreamedFile: ~Copyable, Sendable {
  private let path: FilePath
  private let name: FilePath.Component
  private let replaces: Bool
  private var file: TemporaryFile

  /// Creates the file.
  ///
  /// - Parameters:
  ///   - path: The name that it will have.
  ///   - beginning: What a file of that name may begin with to be replaced; any other that is not empty is
  ///     left alone.
  /// - Throws: ``FileError``, such as `exists`.
  package init(_ path: FilePath, replacing beginning: [UInt8]) throws(FileError) {
    replaces = Self.begins(path, with: beginning)
    let target = try AtomicCreation(overwrite: replaces).target(of: path, nil)
    guard let name = target.lastComponent, name.kind == .regular else {
      throw FileError(path, .create, .isDirectory)
    }
    file = try FileError.attributing(path, .create) { () throws(Errno) in
      try TemporaryFile(
        in: OpenDirectory(target.removingLastComponent()),
        for: name,
        permissions: 0o666
      )
    }
    self.path = path
    self.name = name
  }

  private static func begins(_ path: FilePath, with beginning: [UInt8]) -> Bool {
    guard let reader = try? FileReader(path),
      let present = try? reader.read(at: 0, count: beginning.count)
    else { return false }
    return present.isEmpty || present == beginning
  }

  /// Writes the next piece.
  ///
  /// - Throws: ``FileError``; the file is not to be finished then.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    try FileError.attributing(path, .create) { () throws(Errno) in
      try Syscalls.write(bytes, to: file.descriptor)
    }
  }

  /// Makes sure that the content is on the disk, and gives the file its name.
  ///
  /// - Throws: ``FileError``.
  package mutating func finish() throws(FileError) {
    do throws(Errno) {
      try Syscalls.sync(file.descriptor)
      if replaces { try file.replace(name) } else { try file.take(name) }
    } catch {
      throw FileError(path, .create, error)
    }
  }
}

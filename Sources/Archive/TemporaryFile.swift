package import SystemPackage

/// A file under a temporary name in the directory where it will stay; removed again unless it is
/// given its name.
///
/// It is locked as long as its process works on it, so that the next run can tell what a killed one left
/// behind.
struct TemporaryFile: ~Copyable {
  let directory: OpenDirectory
  let descriptor: FileDescriptor
  private var name: FilePath?

  /// Creates an empty file, open for writing.
  ///
  /// - Parameters:
  ///   - directory: Where the file is created and named.
  ///   - name: The name that the file is meant to get.
  ///   - permissions: The mode to create it with, less the process's mask.
  /// - Throws: The system's error, if the directory does not take the file.
  init(
    in directory: consuming OpenDirectory,
    for name: FilePath.Component,
    permissions: UInt16
  ) throws(Errno) {
    let (descriptor, temporary) = try Self.create(directory.descriptor, name, permissions)
    self.directory = directory
    self.descriptor = descriptor
    self.name = temporary
  }

  deinit {
    if let name { try? Syscalls.unlink(name, in: directory.descriptor) }
    Syscalls.close(descriptor)
  }

  /// Gives the file its name, replacing the file that has it.
  mutating func replace(_ target: FilePath.Component) throws(Errno) {
    guard let temporary = name else { return }
    try Syscalls.rename(temporary, to: FilePath(target), in: directory.descriptor)
    name = nil
  }

  /// Gives the file its name; ``Errno/fileExists`` if something has it.
  mutating func take(_ target: FilePath.Component) throws(Errno) {
    guard let temporary = name else { return }
    let target = FilePath(target)
    do throws(Errno) {
      try Syscalls.renameExclusively(temporary, to: target, in: directory.descriptor)
      name = nil
    } catch .invalidArgument, .noFunction, .notSupported {
      // A second name cannot overwrite either; the first one goes with this value.
      try Syscalls.link(temporary, as: target, in: directory.descriptor)
    }
  }

  private static func create(
    _ directory: FileDescriptor,
    _ name: FilePath.Component,
    _ permissions: UInt16
  ) throws(Errno) -> (FileDescriptor, FilePath) {
    for _ in 0..<100 {
      let temporary = FilePath(TemporaryName.random(for: name))
      do throws(Errno) {
        let descriptor = try Syscalls.open(
          temporary,
          in: directory,
          .writeOnly,
          options: [.create, .exclusiveCreate],
          permissions: .init(permissions)
        )
        if hold(descriptor) { return (descriptor, temporary) }
        Syscalls.close(descriptor)
      } catch .fileExists {
        continue
      }
    }
    throw .fileExists
  }

  /// Locks a new file; false if somebody took it for an abandoned one before that.
  private static func hold(_ descriptor: FileDescriptor) -> Bool {
    do throws(Errno) {
      try Syscalls.lock(descriptor)
    } catch .wouldBlock {
      return false
    } catch {
      // A file system without locks, where nothing is removed either.
      return true
    }
    return (try? Syscalls.status(descriptor))?.linkCount != 0
  }

  /// Removes a temporary file that no process works on any more.
  ///
  /// - Returns: Whether it was removed.
  static func removeAbandoned(_ name: FilePath, in directory: FileDescriptor) -> Bool {
    guard
      let descriptor = try? Syscalls.open(
        name,
        in: directory,
        .readWrite,
        options: [.noFollow, .nonBlocking]
      )
    else { return false }
    defer { Syscalls.close(descriptor) }
    do throws(Errno) {
      let found = try Syscalls.status(descriptor)
      guard found.kind == .regular else { return false }
      try Syscalls.lock(descriptor)
      let named = try Syscalls.status(name, in: directory, followingLinks: false)
      guard named.key == found.key else { return false }
      try Syscalls.unlink(name, in: directory)
      return true
    } catch { return false }
  }
}

/// Removes a file that an interrupted run left behind; one that another process is at work on stays.
///
/// - Parameter path: A file with one of our temporary names.
/// - Returns: Whether it was removed.
package func removeAbandonedFile(_ path: FilePath) -> Bool {
  guard let name = path.lastComponent, TemporaryName.matches(name),
    let directory = try? OpenDirectory(path.removingLastComponent())
  else { return false }
  return TemporaryFile.removeAbandoned(FilePath(name), in: directory.descriptor)
}

/// Removes what interrupted runs left in a directory, but not below it.
package func removeAbandonedFiles(in directory: FilePath) {
  for entry in (try? Syscalls.list(directory)) ?? [] where TemporaryName.matches(entry.name) {
    guard let name = FilePath.Component(bytes: entry.name) else { continue }
    _ = removeAbandonedFile(directory.appending(name))
  }
}

/// A directory that is held open, so that names in it stay names in the same directory.
struct OpenDirectory: ~Copyable {
  let descriptor: FileDescriptor

  init(_ path: FilePath) throws(Errno) {
    descriptor = try Syscalls.open(path.isEmpty ? "." : path, .readOnly, options: .directory)
  }

  deinit {
    Syscalls.close(descriptor)
  }

  /// Waits until the names in the directory are on the disk.
  func sync() throws(Errno) {
    do throws(Errno) {
      try Syscalls.sync(descriptor)
    } catch .invalidArgument, .notSupported {
      // Some network file systems have nothing to wait for.
    }
  }
}

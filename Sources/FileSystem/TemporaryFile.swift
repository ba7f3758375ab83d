package import SystemPackage

/// A file under a temporary name in the directory where it will stay; removed again unless it is
/// given its name.
///
/// It is locked as long as its process works on it, so that the next run can tell what a killed one left
/// after.
struct TemporaryFile: ~Copyable {
  let directory: OpenDirectory
  let descriptor: FileDescriptor
  /// Which file it is, whatever its name.
  let key: FileIdentity.Key
  /// The temporary name and the file that has it; nil once there is nothing to remove.
  var temporary: (name: FilePath, key: FileIdentity.Key)?

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
    let (descriptor, key, temporary) = try Self.create(directory.descriptor, name, permissions)
    self.directory = directory
    self.descriptor = descriptor
    self.key = key
    self.temporary = (temporary, key)
  }

  deinit {
    if let temporary { Self.remove(temporary.name, of: temporary.key, in: directory.descriptor) }
    Syscalls.close(descriptor)
  }

  /// Removes a name, if it is still that file's.
  static func remove(
    _ name: FilePath,
    of key: FileIdentity.Key,
    in directory: FileDescriptor
  ) {
    guard (try? Syscalls.status(name, in: directory, followingLinks: false))?.key == key else {
      return
    }
    try? Syscalls.unlink(name, in: directory)
  }

  private static func create(
    _ directory: FileDescriptor,
    _ name: FilePath.Component,
    _ permissions: UInt16
  ) throws(Errno) -> (FileDescriptor, FileIdentity.Key, FilePath) {
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
        do throws(Errno) {
          if let key = try hold(descriptor) { return (descriptor, key, temporary) }
        } catch {
          Syscalls.close(descriptor)
          try? Syscalls.unlink(temporary, in: directory)
          throw error
        }
        Syscalls.close(descriptor)
      } catch .fileExists {
        continue
      }
    }
    throw .fileExists
  }

  /// Locks a new file; nil if somebody took it for an abandoned one before that.
  private static func hold(_ descriptor: FileDescriptor) throws(Errno) -> FileIdentity.Key? {
    do throws(Errno) {
      try Syscalls.lock(descriptor)
    } catch .wouldBlock {
      return nil
    } catch {
      // A file system without locks, where nothing is removed either.
    }
    let identity = try Syscalls.status(descriptor)
    return identity.linkCount > 0 ? identity.key : nil
  }

  /// Removes a temporary file that no process works on any more.
  ///
  /// - Returns: Whether it was removed.
  static func removeAbandoned(_ name: FilePath, in directory: FileDescriptor) -> Bool {
    do throws(Errno) {
      let descriptor = try openAbandoned(name, directory)
      defer { Syscalls.close(descriptor) }
      let found = try Syscalls.status(descriptor)
      guard found.kind == .regular else { return false }
      try Syscalls.lock(descriptor)
      let named = try Syscalls.status(name, in: directory, followingLinks: false)
      guard named.key == found.key else { return false }
      try Syscalls.unlink(name, in: directory)
      return true
    } catch { return false }
  }

  private static func openAbandoned(
    _ name: FilePath,
    _ directory: FileDescriptor
  ) throws(Errno) -> FileDescriptor {
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking]
    do throws(Errno) {
      // For writing, because network file systems lock no others.
      return try Syscalls.open(name, in: directory, .readWrite, options: options)
    } catch .permissionDenied {
      // It has the mode of a write-protected original.
      return try Syscalls.open(name, in: directory, .readOnly, options: options)
    }
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

package import SystemPackage

/// A file under a temporary name in its final directory; removed unless it is renamed to its final name.
///
/// It is locked while its process works on it, so that the next run can recognize files of killed runs.
struct TemporaryFile: ~Copyable {
  let directory: OpenDirectory
  let descriptor: FileDescriptor
  /// The key of the file, whatever its name.
  let key: FileIdentity.Key
  /// The temporary name and the file that has it; nil if there is nothing to remove.
  var temporary: (name: FilePath, key: FileIdentity.Key)?

  /// Creates an empty file, open for writing.
  ///
  /// - Parameters:
  ///   - directory: The directory of the file.
  ///   - name: The intended final name.
  ///   - permissions: The mode to create it with, less the process's mask.
  /// - Throws: The system's error, if the file cannot be created.
  init(
    in directory: consuming OpenDirectory,
    for name: FilePath.Component,
    permissions: UInt16
  ) throws(Errno) {
    // No property is set before what may fail, because the deinitializer of half a value would not know which are.
    let (descriptor, key, temporary) = try Self.create(directory.descriptor, name, permissions)
    self.init(directory, descriptor, key, temporary)
  }

  private init(
    _ directory: consuming OpenDirectory,
    _ descriptor: FileDescriptor,
    _ key: FileIdentity.Key,
    _ temporary: FilePath
  ) {
    self.directory = directory
    self.descriptor = descriptor
    self.key = key
    self.temporary = (temporary, key)
  }

  deinit {
    if let temporary {
      // Some file systems give a file another number when its content is stored.
      let key = temporary.key == key ? (try? Syscalls.status(descriptor))?.key : nil
      Self.remove(temporary.name, of: key ?? temporary.key, in: directory.descriptor)
    }
    Syscalls.close(descriptor)
  }

  /// Removes a name if it still refers to the file.
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

  /// Locks a new file; nil if another process took it for an abandoned one before.
  private static func hold(_ descriptor: FileDescriptor) throws(Errno) -> FileIdentity.Key? {
    do throws(Errno) {
      try Syscalls.lock(descriptor)
    } catch .wouldBlock {
      return nil
    } catch {
      // The file system has no locks; then files are not removed either.
    }
    let identity = try Syscalls.status(descriptor)
    return identity.linkCount > 0 ? identity.key : nil
  }

  /// Removes a temporary file that no process works on any more, and the reservation of its final name.
  ///
  /// - Returns: Whether it was removed.
  static func removeAbandoned(
    _ name: FilePath,
    in directory: FileDescriptor,
    at parent: FilePath
  ) -> Bool {
    do throws(Errno) {
      let descriptor = try openAbandoned(name, directory)
      defer { Syscalls.close(descriptor) }
      let found = try Syscalls.status(descriptor)
      guard found.kind == .regular else { return false }
      try Syscalls.lock(descriptor)
      let named = try Syscalls.status(name, in: directory, followingLinks: false)
      guard named.key == found.key, try isAbandoned(found, name, directory) else { return false }
      try removeReservation(by: name, in: directory, at: parent)
      try Syscalls.unlink(name, in: directory)
      return true
    } catch { return false }
  }

  /// Whether a file that could be locked has no process: some file systems grant a lock to everybody, and tell only by
  /// its age.
  private static func isAbandoned(
    _ file: FileIdentity,
    _ name: FilePath,
    _ directory: FileDescriptor
  ) throws(Errno) -> Bool {
    let other = try openAbandoned(name, directory)
    defer { Syscalls.close(other) }
    do throws(Errno) {
      try Syscalls.lock(other)
    } catch { return true }
    let hour: Int64 = 3600
    return file.changeTime.seconds + hour < Syscalls.secondsSince1970
  }

  private static func openAbandoned(
    _ name: FilePath,
    _ directory: FileDescriptor
  ) throws(Errno) -> FileDescriptor {
    let options: FileDescriptor.OpenOptions = [.noFollow, .nonBlocking]
    do throws(Errno) {
      // Opened for writing, because network file systems require it for locks.
      return try Syscalls.open(name, in: directory, .readWrite, options: options)
    } catch .permissionDenied {
      // The file has the mode of a write-protected original.
      return try Syscalls.open(name, in: directory, .readOnly, options: options)
    }
  }
}

/// Removes a file that an interrupted run left, unless another process still works on it.
///
/// - Parameter path: A file with a temporary name of Upright.
/// - Returns: Whether it was removed.
package func removeAbandonedFile(_ path: FilePath) -> Bool {
  let parent = path.removingLastComponent()
  guard let name = path.lastComponent, TemporaryName.matches(name),
    let directory = try? OpenDirectory(parent)
  else { return false }
  return TemporaryFile.removeAbandoned(FilePath(name), in: directory.descriptor, at: parent)
}

/// Removes the files that interrupted runs left in a directory, but not in its subdirectories.
package func removeAbandonedFiles(in directory: FilePath) {
  for entry in (try? Syscalls.list(directory)) ?? [] where TemporaryName.matches(entry.name) {
    guard let name = FilePath.Component(bytes: entry.name) else { continue }
    _ = removeAbandonedFile(directory.appending(name))
  }
}

/// A directory that is held open, so that names refer to the same directory even if it is renamed.
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
      // Some network file systems do not support fsync of directories.
    }
  }
}

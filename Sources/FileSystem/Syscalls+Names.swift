import CFileSystem
package import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Calls on names, and locks.
extension Syscalls {
  /// Returns the absolute path without symbolic links; fails if the file does not exist.
  package static func resolve(_ path: FilePath) throws(Errno) -> FilePath {
    var resolved: FilePath?
    _ = try unsafe path.withPlatformString { name in
      attempt("realpath") {
        guard let absolute = unsafe realpath(name, nil) else { return -1 }
        resolved = unsafe FilePath(platformString: absolute)
        unsafe free(absolute)
        return 0
      }
    }.get()
    return resolved ?? path
  }

  /// Renames `old` to `new`, replacing a file with that name.
  static func rename(
    _ old: FilePath,
    to new: FilePath,
    in directory: FileDescriptor
  ) throws(Errno) {
    _ = try unsafe old.withPlatformString { old in
      unsafe new.withPlatformString { new in
        attempt("rename") {
          unsafe renameat(directory.rawValue, old, directory.rawValue, new)
        }
      }
    }.get()
  }

  /// Renames `old` to `new`, failing if a file has that name; ``Errno/invalidArgument`` or ``Errno/noFunction`` if
  /// the file system does not support it.
  static func renameExclusively(
    _ old: FilePath,
    to new: FilePath,
    in directory: FileDescriptor
  ) throws(Errno) {
    _ = try unsafe old.withPlatformString { old in
      unsafe new.withPlatformString { new in
        attempt("renameExclusively") {
          #if canImport(Darwin)
          unsafe renameatx_np(
            directory.rawValue,
            old,
            directory.rawValue,
            new,
            UInt32(RENAME_EXCL)
          )
          #else
          unsafe rename_exclusively(directory.rawValue, old, new)
          #endif
        }
      }
    }.get()
  }

  /// Exchanges the names of two files; ``Errno/invalidArgument`` or ``Errno/noFunction`` if the file system does
  /// not support it.
  static func exchange(
    _ one: FilePath,
    with other: FilePath,
    in directory: FileDescriptor
  ) throws(Errno) {
    _ = try unsafe one.withPlatformString { one in
      unsafe other.withPlatformString { other in
        attempt("exchange") {
          #if canImport(Darwin)
          unsafe renameatx_np(
            directory.rawValue,
            one,
            directory.rawValue,
            other,
            UInt32(RENAME_SWAP)
          )
          #else
          unsafe exchange_names(directory.rawValue, one, other)
          #endif
        }
      }
    }.get()
  }

  /// Gives a file a second name, failing if a file has that name.
  static func link(
    _ old: FilePath,
    as new: FilePath,
    in directory: FileDescriptor
  ) throws(Errno) {
    _ = try unsafe old.withPlatformString { old in
      unsafe new.withPlatformString { new in
        attempt("link") {
          unsafe linkat(directory.rawValue, old, directory.rawValue, new, 0)
        }
      }
    }.get()
  }

  package static func unlink(
    _ name: FilePath,
    in directory: FileDescriptor = workingDirectory
  ) throws(Errno) {
    _ = try unsafe name.withPlatformString { name in
      attempt("unlink") { unsafe unlinkat(directory.rawValue, name, 0) }
    }.get()
  }

  /// Locks an open file, or fails with ``Errno/wouldBlock`` if another process holds the lock; closing the file
  /// releases it, however the process ends.
  static func lock(_ file: FileDescriptor) throws(Errno) {
    _ = try attempt("flock") { flock(file.rawValue, LOCK_EX | LOCK_NB) }.get()
  }

  /// Takes a shared lock of a file, if the file system has locks.
  ///
  /// - Returns: Whether another program holds an exclusive one.
  static func isLockedExclusively(_ file: FileDescriptor) -> Bool {
    guard case .failure(let error) = attempt("flock", { flock(file.rawValue, LOCK_SH | LOCK_NB) })
    else { return false }
    return error == .wouldBlock
  }

  /// Takes a lease on a file that is open only for reading, until it is closed: a process that opens it for
  /// writing is delayed, which ``holdsLease(_:)`` reports.
  ///
  /// Throws ``Errno/wouldBlock`` if another process has it open for writing for longer than a tenth of a second, and
  /// other errors if leases are not supported. The time is for a program that has closed the file and is starting a
  /// process, which has all of its files open until it executes another program.
  package static func takeLease(_ file: FileDescriptor) throws(Errno) {
    #if os(Linux)
    let deadline = ContinuousClock.now + .milliseconds(100)
    while true {
      do throws(Errno) {
        _ = try attempt("lease") { take_lease(file.rawValue) }.get()
        return
      } catch {
        guard error == .wouldBlock, ContinuousClock.now < deadline else { throw error }
        usleep(5_000)
      }
    }
    #else
    throw .notSupported
    #endif
  }

  /// Whether no process has opened the file for writing since the lease was taken.
  static func holdsLease(_ file: FileDescriptor) -> Bool {
    #if os(Linux)
    holds_lease(file.rawValue) != 0
    #else
    false
    #endif
  }

  static func makeDirectory(_ path: FilePath) throws(Errno) {
    _ = try unsafe path.withPlatformString { name in
      attempt("mkdir") { unsafe mkdir(name, 0o777) }
    }.get()
  }

  /// Returns the entries of a directory, unordered, without `.` and `..`.
  package static func list(_ path: FilePath) throws(Errno) -> [DirectoryEntry] {
    try list(path, atMost: .max) ?? []
  }

  /// Returns the entries of a directory that a condition takes, or nil if it has more than `limit` in all.
  static func list(
    _ path: FilePath,
    atMost limit: Int,
    where isTaken: (DirectoryEntry) -> Bool = { _ in true }
  ) throws(Errno) -> [DirectoryEntry]? {
    var stream: OpaqueDirectory?
    _ = try unsafe path.withPlatformString { name in
      attempt("opendir") {
        unsafe stream = opendir(name)
        return unsafe stream == nil ? -1 : 0
      }
    }.get()
    guard let stream = unsafe stream else { return [] }
    defer { unsafe _ = closedir(stream) }
    var entries: [DirectoryEntry] = []
    var count = 0
    while true {
      let injected = injected("readdir")
      if injected > 0 { throw Errno(rawValue: injected) }
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw Errno(rawValue: errno) }
        return entries
      }
      let kind = unsafe FileKind(entryType: entry.pointee.d_type)
      // The name is read in place, because the entry may be shorter than the structure.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe [UInt8](UnsafeRawBufferPointer(start: name, count: strlen(name)))
      }
      if name != [dot], name != [dot, dot] {
        if count == limit { return nil }
        count += 1
        let found = DirectoryEntry(name: name, kind: kind)
        if isTaken(found) { entries.append(found) }
      }
    }
  }

  private static let dot = UInt8(ascii: ".")

  /// Whether a shell pattern matches the whole of `text`; see ``PathFilter``.
  static func matches(_ text: [UInt8], pattern: [UInt8]) -> Bool {
    unsafe fnmatch(terminated(pattern), terminated(text), 0) == 0
  }
}

/// An entry of a directory.
package struct DirectoryEntry: Sendable {
  /// The name's exact bytes, which need not be UTF-8.
  package let name: [UInt8]
  /// The kind of the file; `nil` if the directory does not contain it.
  package let kind: FileKind?
}

#if canImport(Darwin)
private typealias OpaqueDirectory = UnsafeMutablePointer<DIR>
#else
private typealias OpaqueDirectory = OpaquePointer
#endif

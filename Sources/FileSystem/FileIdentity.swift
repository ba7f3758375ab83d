package import SystemPackage

#if canImport(Darwin)
package import Darwin
#elseif canImport(Musl)
package import Musl
#else
package import Glibc
#endif

/// The status of a file at one moment: which file it is, and which version of it.
package struct FileIdentity: Sendable {
  /// The device that holds the file.
  package let device: UInt64
  /// The file's number on the device.
  package let inode: UInt64
  /// The size in bytes.
  package let size: Int
  /// The time of the last change of the content.
  package let modificationTime: Timestamp
  /// The time of the last change of content or metadata; programs cannot set it.
  package let changeTime: Timestamp
  /// The time of the last access, as far as the file system records it.
  package let accessTime: Timestamp
  /// The kind and the twelve permission bits, as in `st_mode`.
  package let mode: mode_t
  /// The owner's number.
  package let user: uid_t
  /// The group's number.
  package let group: gid_t
  /// The number of names (hard links) of the file.
  package let linkCount: Int

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int(status.st_size)
    #if canImport(Darwin)
    modificationTime = Timestamp(status.st_mtimespec)
    changeTime = Timestamp(status.st_ctimespec)
    accessTime = Timestamp(status.st_atimespec)
    #else
    modificationTime = Timestamp(status.st_mtim)
    changeTime = Timestamp(status.st_ctim)
    accessTime = Timestamp(status.st_atim)
    #endif
    mode = status.st_mode
    user = status.st_uid
    group = status.st_gid
    linkCount = Int(status.st_nlink)
  }

  /// Reads the status of the file at a path, following symbolic links.
  ///
  /// - Throws: ``FileError``.
  package init(of path: FilePath) throws(FileError) {
    self = try FileError.attributing(path, .open) { () throws(Errno) in
      try Syscalls.status(path, followingLinks: true)
    }
  }

  /// The kind of the file.
  package var kind: FileKind { FileKind(mode: mode) }

  /// The permission bits, including set-user-ID, set-group-ID and sticky.
  package var permissions: mode_t { mode & 0o7777 }

  /// The key of the file in any version: all names of one file have equal keys.
  package var key: Key { Key(device: device, inode: inode) }

  /// Whether the user of this process is the owner.
  package var isOfThisUser: Bool { user == geteuid() }

  /// Whether both describe the same file with the same content and metadata.
  package func isSameVersion(as other: FileIdentity) -> Bool {
    key == other.key && size == other.size && modificationTime == other.modificationTime
      && changeTime == other.changeTime
  }

  /// How many seconds ago a file must have been changed, so that its times show the next change on any file system.
  package static let settling: Int64 = 2

  /// Whether the last change was so long ago that the next one will be seen in the times.
  package func isSettled(after seconds: Int64 = settling) -> Bool {
    max(modificationTime.seconds, changeTime.seconds) + seconds < Syscalls.secondsSince1970
  }

  /// Whether both describe the same file with the same content, owner, group and mode, judged by size and
  /// modification time; the number of names may differ.
  func hasSameContent(as other: FileIdentity) -> Bool {
    key == other.key && size == other.size && modificationTime == other.modificationTime
      && mode == other.mode && user == other.user && group == other.group
  }

  /// Identifies a file on this machine.
  package struct Key: Hashable, Sendable {
    /// The device that holds the file.
    package let device: UInt64
    /// The file's number on the device.
    package let inode: UInt64
  }
}

/// A time stamp of a file system.
package struct Timestamp: Hashable, Sendable {
  /// Seconds since 1970, negative before.
  package var seconds: Int64
  /// Nanoseconds after `seconds`, 0 to 999 999 999.
  package var nanoseconds: Int64

  /// Creates a time from seconds since 1970 and nanoseconds after them.
  package init(seconds: Int64, nanoseconds: Int64) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}

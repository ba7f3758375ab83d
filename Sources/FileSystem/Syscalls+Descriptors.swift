package import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Calls on open files.
extension Syscalls {
  /// Opens a file with close-on-exec.
  static func open(
    _ path: FilePath,
    in directory: FileDescriptor = workingDirectory,
    _ mode: FileDescriptor.AccessMode,
    options: FileDescriptor.OpenOptions = [],
    permissions: mode_t = 0
  ) throws(Errno) -> FileDescriptor {
    let flags = mode.rawValue | options.rawValue | O_CLOEXEC
    return try unsafe path.withPlatformString { name in
      attempt("open") { unsafe openat(directory.rawValue, name, flags, permissions) }
    }.map { FileDescriptor(rawValue: $0) }.get()
  }

  /// Closes a file and ignores errors: written data is confirmed by ``sync(_:)``, and read data does not depend on
  /// it.
  static func close(_ file: FileDescriptor) {
    #if canImport(Darwin)
    _ = Darwin.close(file.rawValue)
    #elseif canImport(Musl)
    _ = Musl.close(file.rawValue)
    #else
    _ = Glibc.close(file.rawValue)
    #endif
  }

  /// Returns the status of an open file.
  static func status(_ file: FileDescriptor) throws(Errno) -> FileIdentity {
    var status = stat()
    _ = try attempt("fstat") { unsafe fstat(file.rawValue, &status) }.get()
    return FileIdentity(status)
  }

  /// Returns a file that was just opened, and its status; closes the file if that is unknown.
  static func identified(
    _ file: FileDescriptor
  ) throws(Errno) -> (FileDescriptor, FileIdentity) {
    do throws(Errno) {
      return (file, try status(file))
    } catch {
      close(file)
      throw error
    }
  }

  /// Returns the status of a file, or of the link itself if links are not followed.
  package static func status(
    _ path: FilePath,
    in directory: FileDescriptor = workingDirectory,
    followingLinks: Bool
  ) throws(Errno) -> FileIdentity {
    var status = stat()
    let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
    _ = try unsafe path.withPlatformString { name in
      attempt("fstatat") { unsafe fstatat(directory.rawValue, name, &status, flags) }
    }.get()
    return FileIdentity(status)
  }

  /// Reads up to `count` bytes at the offset; fewer only at the end of the file.
  static func read(
    _ file: FileDescriptor,
    at offset: Int,
    count: Int
  ) throws(Errno) -> [UInt8] {
    var failure: Errno?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = unsafe UnsafeMutableRawBufferPointer(
          UnsafeMutableBufferPointer(rebasing: buffer[filled...])
        )
        let position = off_t(offset + filled)
        switch attempt(
          "pread",
          { unsafe pread(file.rawValue, rest.baseAddress, rest.count, position) }
        )
        {
        case .success(0): return
        case .success(let read): filled += read
        case .failure(let error):
          failure = error
          return
        }
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads the bytes that a stream has available, at most `count`; nothing at its end.
  ///
  /// - Throws: ``Errno/canceled`` if `bell` is readable before there are any, ``Errno/timedOut`` if there are none at
  ///   the deadline.
  static func read(
    _ stream: FileDescriptor,
    count: Int,
    endingWith bell: FileDescriptor? = Interruption.bell,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(Errno) -> [UInt8] {
    while true {
      // A blocking read would restart after a signal.
      try wait(for: stream, POLLIN, endingWith: bell, until: deadline)
      var failure: Errno?
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        let start = UnsafeMutableRawPointer(buffer.baseAddress)
        switch attempt("read", { unsafe systemRead(stream.rawValue, start, count) }) {
        case .success(let read): filled = read
        case .failure(let error): failure = error
        }
      }
      guard let failure else { return bytes }
      guard failure == .wouldBlock else { throw failure }
    }
  }

  /// Writes all bytes, with as many calls as needed.
  static func write(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) {
    var start = 0
    while start < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
        return attempt("write") {
          unsafe systemWrite(file.rawValue, rest.baseAddress, rest.count)
        }
      }
      switch written {
      case .success(let count): start += count
      case .failure(.wouldBlock): try wait(for: file, POLLOUT)
      case .failure(let error): throw error
      }
    }
  }

  /// Waits until a descriptor is ready, until `bell` is readable, or until a deadline.
  ///
  /// - Throws: ``Errno/canceled`` in the second case, ``Errno/timedOut`` in the third.
  private static func wait<Events: BinaryInteger>(
    for file: FileDescriptor,
    _ events: Events,
    endingWith bell: FileDescriptor? = nil,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(Errno) {
    // poll ignores a negative descriptor.
    var requests = [
      pollfd(fd: file.rawValue, events: Int16(events), revents: 0),
      pollfd(fd: bell?.rawValue ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let ready = try attempt("poll") {
      // Rounded up, so that the deadline has passed after the wait.
      let time = deadline.map { max(0, ($0 - .now) / .milliseconds(1)).rounded(.up) } ?? -1
      return unsafe poll(&requests, nfds_t(requests.count), CInt(min(time, 1e9)))
    }.get()
    if requests[1].revents != 0 { throw .canceled }
    if ready == 0 { throw .timedOut }
  }

  /// Creates a pipe with close-on-exec; writing to it never blocks.
  static func pipe() throws(Errno) -> (output: FileDescriptor, input: FileDescriptor) {
    var ends: [CInt] = [-1, -1]
    _ = try attempt("pipe") { unsafe systemPipe(&ends) }.get()
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    return (FileDescriptor(rawValue: ends[0]), FileDescriptor(rawValue: ends[1]))
  }

  /// Writes a byte as a signal handler may: without allocating, and without changing errno.
  static func ring(_ bell: CInt) {
    let error = errno
    var byte: UInt8 = 1
    _ = unsafe systemWrite(bell, &byte, 1)
    errno = error
  }

  static func isTerminal(_ file: FileDescriptor) -> Bool { isatty(file.rawValue) == 1 }

  /// Occupies the descriptors 0 to 2 if they are closed, so that no file that is opened later gets one of them.
  ///
  /// `/dev/null` is opened in the unused direction: reading from such a standard input and writing to such an
  /// output remain errors.
  static func occupyStandardStreams() throws(Errno) {
    for (stream, mode) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ]
    where fcntl(stream, F_GETFD) == -1 {
      // The system assigns the lowest free number, which is this one.
      _ = try attempt("open") { unsafe openat(AT_FDCWD, "/dev/null", mode) }.get()
    }
  }

  /// Waits until content and metadata are on the disk.
  static func sync(_ file: FileDescriptor) throws(Errno) {
    #if canImport(Darwin)
    // On Darwin, fsync leaves the data in the drive's cache.
    if case .success = attempt("fsync", { fcntl(file.rawValue, F_FULLFSYNC) }) { return }
    #endif
    _ = try attempt("fsync") { fsync(file.rawValue) }.get()
  }
}

// The member names above hide the C functions of the same name.
#if canImport(Darwin)
private let systemPipe = unsafe Darwin.pipe
private let systemRead = unsafe Darwin.read
private let systemWrite = unsafe Darwin.write
#elseif canImport(Musl)
private let systemPipe = unsafe Musl.pipe
private let systemRead = unsafe Musl.read
private let systemWrite = unsafe Musl.write
#else
private let systemPipe = unsafe Glibc.pipe
private let systemRead = unsafe Glibc.read
private let systemWrite = unsafe Glibc.write
#endif

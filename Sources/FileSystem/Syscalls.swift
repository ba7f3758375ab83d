import CFileSystem
package import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system calls of the module, and its only unsafe code.
///
/// Each function is one call that is repeated when interrupted and throws the system's error number. ``FileError``
/// has the texts for these numbers.
package enum Syscalls {
  /// The descriptor that represents the working directory.
  package static let workingDirectory = FileDescriptor(rawValue: AT_FDCWD)

  /// Whether the process runs as root.
  static var isRoot: Bool { geteuid() == 0 }

  private static func attempt<I: FixedWidthInteger & SignedInteger>(
    _ call: StaticString,
    _ body: () -> I
  ) -> Result<I, Errno> {
    while true {
      let injected = injected(call)
      if injected < 0 {
        _ = body()
        return .failure(Errno(rawValue: -injected))
      }
      let value = injected == 0 ? body() : -1
      if value != -1 { return .success(value) }
      let error = Errno(rawValue: injected == 0 ? errno : injected)
      if error != .interrupted { return .failure(error) }
    }
  }

  /// Returns the error that a test injects into a system call, as `injected_error` does.
  private static func injected(_ call: StaticString) -> CInt {
    call.withUTF8Buffer { unsafe injected_error($0.baseAddress) }
  }
}

// MARK: - Descriptors

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

// MARK: - Names

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

// MARK: - Attributes

extension Syscalls {
  /// Changes owner and group; `nil` leaves one unchanged.
  static func changeOwner(
    _ file: FileDescriptor,
    user: uid_t?,
    group: gid_t?
  ) throws(Errno) {
    _ = try attempt("fchown") { fchown(file.rawValue, user ?? .max, group ?? .max) }.get()
  }

  static func changeMode(_ file: FileDescriptor, _ mode: mode_t) throws(Errno) {
    _ = try attempt("fchmod") { fchmod(file.rawValue, mode) }.get()
  }

  /// Whether the user of the process may write a file; also if the file system does not tell.
  static func mayWrite(_ path: FilePath) -> Bool {
    let result = unsafe path.withPlatformString { name in
      attempt("faccessat") {
        unsafe faccessat(workingDirectory.rawValue, name, W_OK, AT_EACCESS)
      }
    }
    guard case .failure(let error) = result else { return true }
    return error != .permissionDenied && error != .notPermitted
  }

  /// Whether the mount of a file decides whose the files there are, as far as that is known.
  static func mountAssignsOwners(_ path: FilePath) -> Bool {
    #if os(Linux)
    unsafe path.withPlatformString { unsafe mount_assigns_owners($0) } != 0
    #else
    false
    #endif
  }

  /// Drops what the system remembers of the status and the content of a file.
  static func forgetCached(_ file: FileDescriptor) {
    #if os(Linux)
    forget_cached(file.rawValue)
    #endif
  }

  /// Whether a program serves the file system of a file; some of them report an error of the disk for every call that they do
  /// not have.
  static func isServedByProgram(_ file: FileDescriptor) -> Bool {
    #if os(Linux)
    is_served_by_program(file.rawValue) != 0
    #else
    false
    #endif
  }

  /// The groups that the process can give to its files.
  static var groups: [gid_t] {
    let count = getgroups(0, nil)
    var groups = [gid_t](repeating: 0, count: max(0, Int(count)))
    let filled = unsafe getgroups(count, &groups)
    return Array(groups.prefix(max(0, Int(filled)))) + [getegid()]
  }

  /// Changes the times of last access and modification.
  package static func changeTimes(
    _ file: FileDescriptor,
    access: Timestamp,
    modification: Timestamp
  ) throws(Errno) {
    let times = [access, modification].map {
      timespec(tv_sec: .init($0.seconds), tv_nsec: .init($0.nanoseconds))
    }
    _ = try attempt("futimens") { unsafe futimens(file.rawValue, times) }.get()
  }

  /// Returns the names of a file's extended attributes as bytes, which need not be UTF-8; ACLs are among them on
  /// Linux.
  static func listAttributes(_ file: FileDescriptor) throws(Errno) -> [[UInt8]] {
    let names = try unsafe sized("flistxattr") { buffer, size in
      let buffer = unsafe buffer?.assumingMemoryBound(to: CChar.self)
      #if canImport(Darwin)
      return unsafe flistxattr(file.rawValue, buffer, size, 0)
      #else
      return unsafe flistxattr(file.rawValue, buffer, size)
      #endif
    }
    return names.split(separator: 0).map(Array.init)
  }

  /// Returns the value of an extended attribute.
  package static func attribute(
    _ name: [UInt8],
    of file: FileDescriptor
  ) throws(Errno) -> [UInt8] {
    let name = terminated(name)
    return try unsafe sized("fgetxattr") { buffer, size in
      #if canImport(Darwin)
      unsafe fgetxattr(file.rawValue, name, buffer, size, 0, 0)
      #else
      unsafe fgetxattr(file.rawValue, name, buffer, size)
      #endif
    }
  }

  /// Sets an extended attribute, whether or not it exists.
  package static func setAttribute(
    _ name: [UInt8],
    of file: FileDescriptor,
    to value: [UInt8]
  ) throws(Errno) {
    let name = terminated(name)
    _ = try attempt("fsetxattr") {
      #if canImport(Darwin)
      unsafe fsetxattr(file.rawValue, name, value, value.count, 0, 0)
      #else
      unsafe fsetxattr(file.rawValue, name, value, value.count, 0)
      #endif
    }.get()
  }

  static func removeAttribute(_ name: [UInt8], of file: FileDescriptor) throws(Errno) {
    let name = terminated(name)
    _ = try attempt("fremovexattr") {
      #if canImport(Darwin)
      unsafe fremovexattr(file.rawValue, name, 0)
      #else
      unsafe fremovexattr(file.rawValue, name)
      #endif
    }.get()
  }

  /// Returns bytes as a C string.
  fileprivate static func terminated(_ bytes: [UInt8]) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }

  /// Asks for the size, then for the value; repeats if the value has grown in between.
  private static func sized(
    _ call: StaticString,
    _ body: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(Errno) -> [UInt8] {
    while true {
      let size = try attempt(call) { body(nil, 0) }.get()
      if size == 0 { return [] }
      var result: Result<Int, Errno> = .success(0)
      let value = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let start = UnsafeMutableRawPointer(buffer.baseAddress)
        result = attempt(call) { unsafe body(start, size) }
        if case .success(let filled) = result { count = filled }
      }
      switch result {
      case .success: return value
      case .failure(.outOfRange): continue
      case .failure(let error): throw error
      }
    }
  }
}

// MARK: - Signals

extension Syscalls {
  /// Makes a closed pipe and a file size limit errors of the write, instead of signals that end the process.
  package static func reportWriteSignalsAsErrors() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}

// MARK: - Processes

extension Syscalls {
  /// A process that this one started and has not ended.
  struct Process {
    fileprivate let identifier: pid_t
  }

  /// Starts this program with other arguments; returns the process, and the end of a pipe that is its standard output.
  static func startAgain(
    _ arguments: [String],
    input: FileDescriptor
  ) throws(Errno) -> (Process, FileDescriptor) {
    let ends = try pipe()
    defer { close(ends.input) }
    var identifier: pid_t = 0
    var words = unsafe (["upright"] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for word in unsafe words.indices { unsafe free(words[word]) } }
    // The reader's end never blocks; that of the process does.
    _ = fcntl(ends.input.rawValue, F_SETFL, 0)
    do throws(Errno) {
      _ = try attempt("spawn") {
        unsafe start_again(&identifier, &words, input.rawValue, ends.input.rawValue)
      }.get()
    } catch {
      close(ends.output)
      throw error
    }
    return (Process(identifier: identifier), ends.output)
  }

  /// Replaces this program by another one, with the arguments that follow the first; returns why that failed.
  static func become(_ name: String) -> Errno {
    var words = unsafe [strdup(name)]
    for index in 2..<max(2, Int(CommandLine.argc)) {
      unsafe words.append(CommandLine.unsafeArgv[index])
    }
    unsafe words.append(nil)
    _ = unsafe become_other(name, &words)
    return Errno(rawValue: errno)
  }

  /// Creates a file without a name that contains bytes; its position is at the beginning.
  static func unnamedFile(with bytes: [UInt8]) throws(Errno) -> FileDescriptor {
    let descriptor = FileDescriptor(rawValue: try attempt("create") { open_unnamed_file() }.get())
    do throws(Errno) {
      try write(bytes, to: descriptor)
      guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else { throw Errno(rawValue: errno) }
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Ends a process if it has not ended.
  static func end(_ process: Process) -> (signal: Int?, status: Int) {
    let status = end_process(process.identifier)
    let signal = Int(ending_signal(status))
    return (signal == 0 ? nil : signal, Int(exit_status(status)))
  }

  static func limitThisProcess(memory: Int, seconds: Int) {
    limit_process(UInt64(memory), UInt64(seconds))
  }
}

// MARK: - Bytes of names

extension Syscalls {
  /// Returns the CPU time of the calling thread; zero if the system does not report it.
  package static func threadTime() -> Duration {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) == 0 else { return .zero }
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
  }

  /// The seconds since 1970 of the clock of files' times.
  static var secondsSince1970: Int64 { Int64(time(nil)) }

  /// Returns the present date and time in UTC, such as `2026-01-31T23:59:59Z` (ISO 8601).
  package static func date() -> String {
    var (now, parts) = unsafe (time(nil), tm())
    guard unsafe gmtime_r(&now, &parts) != nil else { return "" }
    let numbers = unsafe [
      parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
      parts.tm_sec,
    ]
    let texts = numbers.map { ($0 < 10 ? "0" : "") + String($0) }
    return texts[..<3].joined(separator: "-") + "T" + texts[3...].joined(separator: ":") + "Z"
  }
}

/// The number of cores that the process may use, at least 1.
package var availableCores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

extension ProcessMemory {
  /// The memory of the machine in bytes; nil if the system does not report it.
  package static var ofMachine: Int? {
    let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
    return pages > 0 && size > 0 ? Int(pages) * Int(size) : nil
  }

  /// Fills all memory that is allocated from now on with one value, so that none of it is what was there before.
  ///
  /// One arena serves all threads: more of them would reserve addresses. Has an effect with the GNU C library only.
  static func fillAllocations(with value: UInt8) {
    #if canImport(Glibc)
    // The allocator writes the complement.
    _ = mallopt(M_PERTURB, Int32(~value))
    _ = mallopt(M_ARENA_MAX, 1)
    #endif
  }

  #if canImport(Glibc)
  /// Reserves the first 64 MiB of the heap, and requests huge pages there where Linux does not use them by
  /// default.
  ///
  /// One photo touches thousands of pages, and the first access to a page takes as long as coding several
  /// blocks. Where Linux has `madvise` as the setting of transparent huge pages, camera photos of 8 to 12 megapixels
  /// take 5 to 10 % less CPU time, and up to 4 MiB more memory.
  static func adviseHugePages() {
    let (reserve, hugePage) = (64 << 20, 2 << 20)
    // From now on, the heap grows by at least this much.
    _ = mallopt(M_TOP_PAD, Int32(reserve))
    guard let block = unsafe malloc(hugePage) else { return }
    let start = unsafe block + (hugePage - 1 - (Int(bitPattern: block) - 1) % hugePage)
    _ = unsafe madvise(start, reserve, MADV_HUGEPAGE)
    unsafe free(block)
  }
  #endif
}

extension FilePath {
  /// Creates a path of one component.
  init(_ name: Component) { self.init(root: nil, [name]) }

  /// The path's exact bytes, which need not be UTF-8.
  package var bytes: [UInt8] {
    unsafe withPlatformString { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: length)) }
  }
}

extension [UInt8] {
  /// Whether a name precedes another in byte order.
  func precedes(_ other: [UInt8]) -> Bool {
    let order = unsafe withUnsafeBytes { bytes in
      unsafe other.withUnsafeBytes { others in
        let count = Swift.min(bytes.count, others.count)
        guard count > 0, let first = bytes.baseAddress, let second = others.baseAddress else {
          return CInt(0)
        }
        return unsafe memcmp(first, second, count)
      }
    }
    return order == 0 ? count < other.count : order < 0
  }
}

extension FilePath {
  /// Creates a path from its exact bytes; `nil` if they contain a NUL.
  package init?(bytes: [UInt8]) {
    guard !bytes.contains(0) else { return nil }
    self = unsafe (bytes + [0]).withUnsafeBytes { bytes in
      // The array contains at least the terminator.
      guard let start = bytes.baseAddress else { return FilePath() }
      return unsafe FilePath(platformString: start.assumingMemoryBound(to: CChar.self))
    }
  }
}

extension FilePath.Component {
  /// The name's exact bytes, which need not be UTF-8.
  package var bytes: [UInt8] { FilePath(self).bytes }

  /// Creates a name from its exact bytes; `nil` if they are empty or contain a slash or a NUL.
  package init?(bytes: [UInt8]) {
    guard !bytes.contains(0) else { return nil }
    unsafe self.init(platformString: bytes.map { CChar(bitPattern: $0) } + [0])
  }
}

// The member names above hide the C functions of the same name.
#if canImport(Darwin)
private typealias OpaqueDirectory = UnsafeMutablePointer<DIR>
private let systemPipe = unsafe Darwin.pipe
private let systemRead = unsafe Darwin.read
private let systemWrite = unsafe Darwin.write
#elseif canImport(Musl)
private typealias OpaqueDirectory = OpaquePointer
private let systemPipe = unsafe Musl.pipe
private let systemRead = unsafe Musl.read
private let systemWrite = unsafe Musl.write
#else
private typealias OpaqueDirectory = OpaquePointer
private let systemPipe = unsafe Glibc.pipe
private let systemRead = unsafe Glibc.read
private let systemWrite = unsafe Glibc.write
#endif

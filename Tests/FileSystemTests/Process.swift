import FileSystem
import SystemPackage

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The problem that `body` throws; `nil` if it throws none.
func problem(_ body: () throws -> Void) -> FileError.Problem? {
  do {
    try body()
    return nil
  } catch {
    return (error as? FileError)?.problem
  }
}

/// Whether the tests run as root, which passes all permission checks.
let runsAsRoot = geteuid() == 0

/// Runs `body` as a user who owns no files; requires root, and a separate process.
func asNobody(_ body: () throws -> Void) throws {
  guard setgroups(0, nil) == 0, setegid(65_534) == 0, seteuid(65_534) == 0 else {
    throw Errno(rawValue: errno)
  }
  defer { if seteuid(0) != 0 || setegid(0) != 0 { fatalError("root again") } }
  try body()
}

/// Sets the size above which writes fail in this process.
func limitFileSize(to size: Int) throws {
  var limit = rlimit(rlim_cur: rlim_t(size), rlim_max: rlim_t(size))
  guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
    throw Errno(rawValue: errno)
  }
}

/// Ends the process without any cleanup, as after a power failure.
func killProcess() -> Never {
  kill(getpid(), SIGKILL)
  fatalError("SIGKILL does not return")
}

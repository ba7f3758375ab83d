import CFileSystem
package import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The system calls of the module; these files have its only unsafe code.
///
/// Each function is one call that is repeated when interrupted and throws the system's error number. ``FileError``
/// has the texts for these numbers.
package enum Syscalls {
  /// The descriptor that represents the working directory.
  package static let workingDirectory = FileDescriptor(rawValue: AT_FDCWD)

  /// Whether the process runs as root.
  static var isRoot: Bool { geteuid() == 0 }

  /// Makes a call again until it is not interrupted.
  static func attempt<I: FixedWidthInteger & SignedInteger>(
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
  static func injected(_ call: StaticString) -> CInt {
    call.withUTF8Buffer { unsafe injected_error($0.baseAddress) }
  }
}

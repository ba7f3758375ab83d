#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

enum SystemError {
  /// The words of the system for the number of an error.
  static func words(_ number: CInt) -> String { unsafe String(cString: strerror(number)) }
}

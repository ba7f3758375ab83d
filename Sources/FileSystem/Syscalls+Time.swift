import CFileSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Clocks.
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

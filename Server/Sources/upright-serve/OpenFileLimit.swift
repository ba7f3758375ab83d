#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The limit of the number of files that this process may have open.
enum OpenFileLimit {
  /// Raises the limit to a number, or as far as the system allows, and returns it.
  static func raise(to number: Int) -> Int {
    #if canImport(Glibc)
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let files = RLIMIT_NOFILE
    #endif
    var limit = rlimit()
    guard unsafe getrlimit(files, &limit) == 0 else { return number }
    let former = limit.rlim_cur
    guard former < rlim_t(number) else { return Int(clamping: former) }
    limit.rlim_cur = min(rlim_t(number), limit.rlim_max)
    return Int(clamping: unsafe setrlimit(files, &limit) == 0 ? limit.rlim_cur : former)
  }
}

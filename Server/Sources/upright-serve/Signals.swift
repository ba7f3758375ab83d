#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// The signals that end the service.
enum Signals {
  private static var ending: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    return signals
  }

  /// Holds the signals back from all threads that this one starts, for ``wait()``; a closed pipe is an error of the write.
  static func holdBack() {
    _ = signal(SIGPIPE, SIG_IGN)
    var signals = ending
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Waits for a signal that is held back.
  static func wait() {
    var (signals, number) = (ending, CInt(0))
    unsafe sigwait(&signals, &number)
  }

  /// Sends this process a signal, for ``wait()``.
  static func request() { _ = kill(getpid(), SIGTERM) }

  /// Ends the process.
  static func end(_ status: Int32) -> Never { exit(status) }
}

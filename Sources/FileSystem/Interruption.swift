import Synchronization
import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A request to end the process, delayed until files are in a consistent state.
///
/// The first SIGINT or SIGTERM is recorded; it ends waits for streams, and it ends the work before the next file
/// is renamed. The second one ends the process immediately.
package enum Interruption {
  /// The number of the first signal; 0 if there was none.
  private static let noted = Atomic<Int32>(0)
  /// A pipe that becomes readable when a signal arrives; -1 if there is none.
  ///
  /// Code that waits for a stream waits for this pipe, too. So a signal between a check of ``isPending`` and the
  /// wait is not missed, whichever thread receives it.
  private static let bellOutput = Atomic<Int32>(-1)
  private static let bellInput = Atomic<Int32>(-1)

  /// Installs the signal handlers; signals that the process was started to ignore remain ignored.
  package static func observe() {
    // Initialized here, because a signal handler must not be the first to access lazy globals.
    noted.store(0, ordering: .relaxed)
    Syscalls.ring(-1)
    if bellInput.load(ordering: .relaxed) < 0, let (output, input) = try? Syscalls.pipe() {
      bellOutput.store(output.rawValue, ordering: .relaxed)
      bellInput.store(input.rawValue, ordering: .relaxed)
    }
    for number in [SIGINT, SIGTERM] {
      let former = signal(number) { number in
        Interruption.note(number)
        _ = signal(number, SIG_DFL)
      }
      // Function pointers cannot be compared directly.
      let isIgnored =
        unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored { _ = signal(number, SIG_IGN) }
    }
    // Threads of libdispatch block signals, and child processes would inherit that.
    var signals = signals
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  private static var signals: sigset_t {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    return signals
  }

  private static func note(_ number: Int32) {
    noted.store(number, ordering: .relaxed)
    Syscalls.ring(bellInput.load(ordering: .relaxed))
  }

  /// The descriptor that becomes readable when the process is to end.
  static var bell: FileDescriptor? {
    let number = bellOutput.load(ordering: .relaxed)
    return number < 0 ? nil : FileDescriptor(rawValue: number)
  }

  /// Whether the process is to end.
  package static var isPending: Bool { noted.load(ordering: .relaxed) != 0 }

  /// The exit status of a process that was ended by the signal: 130 after SIGINT, 143 after SIGTERM; nil without a
  /// signal.
  package static var exitStatus: Int32? {
    let number = noted.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }
}

import Synchronization
import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Somebody's wish to end the process, kept until a file is whole.
///
/// The first SIGINT or SIGTERM is noted, ends the waiting for a stream, and ends the work before the next file takes
/// its name; the second ends the process at once.
package enum Interruption {
  /// The number of the signal that came; 0 while there was none.
  private static let noted = Atomic<Int32>(0)
  /// A pipe from which something can be read as soon as a signal came; -1 where there is none.
  ///
  /// Who waits for a stream waits for that, too: a signal that comes between a look at ``isPending`` and the waiting
  /// is not missed so, and it does not matter which thread the system gives it to.
  private static let bellOutput = Atomic<Int32>(-1)
  private static let bellInput = Atomic<Int32>(-1)

  /// Begins to note signals; those that the process was started to ignore stay ignored.
  package static func observe() {
    // Done here once, for a signal handler must not be the first to touch what these make.
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
      // Function pointers cannot be compared as they are.
      let isIgnored =
        unsafe unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
      if isIgnored { _ = signal(number, SIG_IGN) }
    }
    // Threads of libdispatch block signals, and the programs that they start inherit that.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe sigaddset(&signals, SIGTERM)
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func note(_ number: Int32) {
    noted.store(number, ordering: .relaxed)
    Syscalls.ring(bellInput.load(ordering: .relaxed))
  }

  /// From which something can be read once the process is to end.
  static var bell: FileDescriptor? {
    let number = bellOutput.load(ordering: .relaxed)
    return number < 0 ? nil : FileDescriptor(rawValue: number)
  }

  /// Whether the process is to end.
  package static var isPending: Bool { noted.load(ordering: .relaxed) != 0 }

  /// The exit status of a process that was ended by the signal: 130 after SIGINT, 143 after SIGTERM; nil while
  /// there was none.
  package static var exitStatus: Int32? {
    let number = noted.load(ordering: .relaxed)
    return number == 0 ? nil : 128 + number
  }
}

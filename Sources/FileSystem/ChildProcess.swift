package import SystemPackage

/// A second process of this program, for work that may crash, not end, or take all memory.
package enum ChildProcess {
  /// How the process ended.
  package struct End: Hashable, Sendable {
    /// What it wrote to standard output.
    package var output: [UInt8]
    /// The signal that ended it, if one did.
    package var signal: Int?
    /// Its exit status, if no signal ended it.
    package var status: Int
  }

  /// Why the process was ended.
  package enum Failure: Error, Hashable, Sendable {
    /// It took longer than the time limit.
    case timeLimit
    /// It wrote more than the limit.
    case tooMuchOutput
    /// This process was interrupted.
    case interrupted
    /// It could not be started, or its output not be read.
    case system(Errno)
  }

  /// Runs this program and waits for its end.
  ///
  /// The process is ended if it exceeds a limit, if this process is interrupted (``Interruption``), and on Linux if
  /// this process ends. Its standard error is discarded.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program.
  ///   - input: The file that is its standard input, read from its beginning.
  ///   - maxOutput: The maximum number of bytes of output.
  ///   - timeLimit: The maximum duration.
  /// - Returns: How it ended, and its output.
  /// - Throws: ``Failure``.
  package static func run(
    _ arguments: [String],
    input: borrowing FileReader,
    maxOutput: Int,
    timeLimit: Duration
  ) throws(Failure) -> End {
    let deadline = ContinuousClock.now + timeLimit
    let process: Syscalls.Process
    let output: FileDescriptor
    do throws(Errno) {
      (process, output) = try Syscalls.startAgain(arguments, input: input.descriptor)
    } catch { throw .system(error) }
    var bytes: [UInt8] = []
    var failure: Failure?
    do throws(Errno) {
      while failure == nil {
        let next = try Syscalls.read(output, count: 1 << 16, until: deadline)
        if next.isEmpty { break }
        bytes += next
        if bytes.count > maxOutput { failure = .tooMuchOutput }
      }
    } catch {
      failure =
        switch error {
        case .timedOut: .timeLimit
        case .canceled: .interrupted
        default: .system(error)
        }
    }
    Syscalls.close(output)
    // A process whose output ended has ended, or is of no use.
    let end = Syscalls.end(process)
    if let failure { throw failure }
    return End(output: bytes, signal: end.signal, status: end.status)
  }

  /// Limits this process, for the rest of its life.
  ///
  /// It cannot write files, and it ends with the process that started it, where the system supports that.
  ///
  /// - Parameters:
  ///   - memory: The bytes that it may allocate from now on; without effect on Darwin.
  ///   - time: The CPU time of all its threads.
  package static func limitThisProcess(memory: Int, time: Duration) {
    Syscalls.limitThisProcess(memory: memory, seconds: Int(time.components.seconds) + 1)
  }
}

import CFileSystem
internal import SystemPackage

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Calls on this process and those that it starts.
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

  /// Ends this process.
  package static func end(_ status: Int32) -> Never { exit(status) }

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

  /// Makes a closed pipe and a file size limit errors of the write, instead of signals that end the process.
  package static func reportWriteSignalsAsErrors() {
    _ = signal(SIGPIPE, SIG_IGN)
    _ = signal(SIGXFSZ, SIG_IGN)
  }
}

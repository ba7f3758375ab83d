package import SystemPackage

/// Standard input and output as whole files.
package enum StandardStreams {
  /// The name that stands for a standard stream on the command line and in errors.
  package static let path: FilePath = "-"

  private static let chunk = 1 << 16

  /// Makes the standard streams safe to use.
  ///
  /// A stream that is closed keeps its number, so that no file gets it and what is printed cannot get into one; to
  /// use the stream is the error `closed`. A pipe whose reader has closed it, and a file size limit, are errors
  /// instead of signals. To be called once, before the process opens anything.
  ///
  /// - Throws: The system's error, where a number cannot be kept; nothing must be opened then.
  package static func prepare() throws(Errno) {
    try Syscalls.occupyStandardStreams()
    Syscalls.reportWriteSignalsAsErrors()
  }

  /// Whether somebody looks at a stream.
  package static func isTerminal(_ stream: FileDescriptor) -> Bool { Syscalls.isTerminal(stream) }

  /// Reads standard input to its end.
  ///
  /// - Parameters:
  ///   - input: Where to read.
  ///   - limit: The most bytes to accept.
  ///   - beginning: What the input must begin with to be read any further.
  /// - Returns: All bytes; those that were read until then, where they do not begin so.
  /// - Throws: ``FileError`` if reading fails, the process is asked to end (`interrupted`), or there are more than
  ///   `limit` bytes.
  package static func read(
    from input: FileDescriptor = .standardInput,
    limit: Int = .max,
    while beginning: [UInt8] = []
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let next = try FileError.attributing(path, .read) { () throws(Errno) in
        try Syscalls.read(input, count: chunk)
      }
      if next.isEmpty { return bytes }
      guard next.count <= limit - bytes.count else { throw FileError(path, .read, .tooLarge) }
      bytes += next
      if bytes.count >= beginning.count, !bytes.starts(with: beginning) { return bytes }
    }
  }

  /// Writes all bytes to standard output.
  ///
  /// A reader that closed the pipe is the error `broken-pipe`, provided that the process called ``prepare()``; else
  /// it is a signal.
  package static func write(
    _ bytes: [UInt8],
    to output: FileDescriptor = .standardOutput
  ) throws(FileError) {
    try FileError.attributing(path, .write) { () throws(Errno) in
      try Syscalls.write(bytes, to: output)
    }
  }

  /// A file or standard input, read from its beginning to its end.
  package final class Input: Sendable {
    private let path: FilePath
    private let descriptor: FileDescriptor

    /// Opens a file; `-` is standard input.
    package init(_ path: FilePath) throws(FileError) {
      self.path = path
      guard path != StandardStreams.path else {
        descriptor = .standardInput
        return
      }
      // Non-blocking, for to open a named pipe would wait for its writer, where no interruption is noticed.
      descriptor = try FileError.attributing(path, .open) { () throws(Errno) in
        try Syscalls.open(path, .readOnly, options: .nonBlocking)
      }
    }

    deinit {
      if descriptor != .standardInput { Syscalls.close(descriptor) }
    }

    /// Reads what there is; nothing at the end.
    ///
    /// Waits for it until the process is asked to end, which is the error `interrupted`.
    package func read() throws(FileError) -> [UInt8] {
      try FileError.attributing(path, .read) { () throws(Errno) in
        try Syscalls.read(descriptor, count: StandardStreams.chunk)
      }
    }
  }
}

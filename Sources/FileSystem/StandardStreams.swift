package import SystemPackage

/// Standard input and output as whole files.
package enum StandardStreams {
  /// The path of a standard stream on the command line and in errors.
  package static let path: FilePath = "-"

  private static let chunk = 1 << 16

  /// Makes the standard streams safe to use.
  ///
  /// A stream that is closed keeps its number, so that no file that is opened later gets it; using the stream is
  /// the error `closed`. A pipe that its reader closed and a file size limit are errors instead of signals. Must
  /// be called once, before the process opens anything.
  ///
  /// - Throws: The system's error, if a number cannot be kept; nothing may be opened then.
  package static func prepare() throws(Errno) {
    try Syscalls.occupyStandardStreams()
    Syscalls.reportWriteSignalsAsErrors()
  }

  /// Whether a stream is a terminal.
  package static func isTerminal(_ stream: FileDescriptor) -> Bool { Syscalls.isTerminal(stream) }

  /// Reads standard input to its end.
  ///
  /// - Parameters:
  ///   - input: The stream to read.
  ///   - limit: The maximum number of bytes.
  ///   - isExpected: Returns whether the bytes that were read are the beginning of what is expected; otherwise reading
  ///     stops.
  /// - Returns: All bytes, or those read so far if they are not as expected.
  /// - Throws: ``FileError`` if reading fails, the process is interrupted (`interrupted`), or there are more than
  ///   `limit` bytes.
  package static func read(
    from input: FileDescriptor = .standardInput,
    limit: Int = .max,
    while isExpected: ([UInt8]) -> Bool = { _ in true }
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let next = try FileError.attributing(path, .read) { () throws(Errno) in
        try Syscalls.read(input, count: chunk)
      }
      if next.isEmpty { return bytes }
      guard next.count <= limit - bytes.count else { throw FileError(path, .read, .tooLarge) }
      bytes += next
      if !isExpected(bytes) { return bytes }
    }
  }

  /// Writes all bytes to standard output.
  ///
  /// A pipe that its reader closed is the error `broken-pipe` if the process called ``prepare()``, and a signal
  /// otherwise.
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
    /// The size of a regular file when it was opened; nil if there may be nothing to read yet, as in a pipe.
    private let size: Int?

    /// Opens a file; `-` is standard input.
    package init(_ path: FilePath) throws(FileError) {
      self.path = path
      guard path != StandardStreams.path else {
        descriptor = .standardInput
        size = nil
        return
      }
      let (file, identity) = try FileError.attributing(path, .open) { () throws(Errno) in
        // Non-blocking, because opening a named pipe would wait for its writer without noticing an interruption.
        try Syscalls.identified(Syscalls.open(path, .readOnly, options: .nonBlocking))
      }
      descriptor = file
      size = identity.kind == .regular ? identity.size : nil
    }

    deinit {
      if descriptor != .standardInput { Syscalls.close(descriptor) }
    }

    /// Reads the bytes that are available after those read so far.
    ///
    /// Waits for them until the process is interrupted, which is the error `interrupted`. A regular file is read to its
    /// end in any case, because what a run reports at its end depends on it.
    ///
    /// - Parameter count: The number of bytes read so far.
    /// - Returns: The bytes; none at the end.
    /// - Throws: ``FileError``, also of `changed`, if a regular file ends before it did when it was opened.
    package func read(after count: Int) throws(FileError) -> [UInt8] {
      let bytes = try FileError.attributing(path, .read) { () throws(Errno) in
        try Syscalls.read(
          descriptor,
          count: StandardStreams.chunk,
          endingWith: size == nil ? Interruption.bell : nil
        )
      }
      if bytes.isEmpty, let size, count < size { throw FileError(path, .read, .changed) }
      return bytes
    }
  }
}

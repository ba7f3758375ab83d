package import SystemPackage

/// Standard input and output as whole files.
package enum StandardStreams {
  /// The name that stands for a standard stream on the command line and in errors.
  package static let path: FilePath = "-"

  private static let chunk = 1 << 16

  /// Reads standard input to its end.
  ///
  /// - Throws: ``FileError`` if reading fails or there are more than `limit` bytes.
  package static func read(
    from input: FileDescriptor = .standardInput,
    limit: Int = .max
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let next = try FileError.attributing(path, .read) { () throws(Errno) in
        try Syscalls.read(input, count: chunk)
      }
      if next.isEmpty { return bytes }
      guard next.count <= limit - bytes.count else { throw FileError(path, .read, .tooLarge) }
      bytes += next
    }
  }

  /// Writes all bytes to standard output.
  ///
  /// A reader that closed the pipe is the error `broken-pipe`, provided that the process called
  /// ``Syscalls/reportWriteSignalsAsErrors()``; else it is a signal.
  package static func write(
    _ bytes: [UInt8],
    to output: FileDescriptor = .standardOutput
  ) throws(FileError) {
    try FileError.attributing(path, .write) { () throws(Errno) in
      try Syscalls.write(bytes, to: output)
    }
  }
}

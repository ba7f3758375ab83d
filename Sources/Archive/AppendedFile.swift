package import SystemPackage

/// A file of lines that are only ever appended, each safe on the disk before the next step.
package final class AppendedFile {
  private let path: FilePath
  private let descriptor: FileDescriptor
  /// Whether the file ends within a line: that of a run that was killed, or of a disk that was full.
  private var endsWithinLine: Bool

  /// Opens a file for appending, or creates it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - first: The byte that every such file begins with, so that no other file is appended to.
  /// - Throws: ``FileError``.
  package init(_ path: FilePath, beginning first: UInt8) throws(FileError) {
    self.path = path
    let (descriptor, isNew) = try FileError.attributing(path, .append) { () throws(Errno) in
      try Self.open(path)
    }
    self.descriptor = descriptor
    endsWithinLine = false
    let (identity, start) = try FileError.attributing(path, .append) { () throws(Errno) in
      let identity = try Syscalls.status(descriptor)
      guard identity.kind == .regular else { return (identity, [UInt8]()) }
      return (identity, try Syscalls.read(descriptor, at: 0, count: min(1, identity.size)))
    }
    if let problem = identity.kind.problem { throw FileError(path, .append, problem) }
    guard start.allSatisfy({ $0 == first }) else { throw FileError(path, .append, .notRecord) }
    endsWithinLine = try FileError.attributing(path, .append) { () throws(Errno) in
      if isNew { try OpenDirectory(path.removingLastComponent()).sync() }
      guard identity.size > 0 else { return false }
      let last = try Syscalls.read(descriptor, at: identity.size - 1, count: 1)
      return last != [UInt8(ascii: "\n")]
    }
  }

  deinit { Syscalls.close(descriptor) }

  /// Appends a line and waits until it is on the disk.
  ///
  /// - Parameter line: The line with its line end.
  /// - Throws: ``FileError``; a part of the line may have been written.
  package func append(_ line: [UInt8]) throws(FileError) {
    try FileError.attributing(path, .append) { () throws(Errno) in
      let bytes = endsWithinLine ? [UInt8(ascii: "\n")] + line : line
      endsWithinLine = true
      try Syscalls.write(bytes, to: descriptor)
      endsWithinLine = false
      try Syscalls.sync(descriptor)
    }
  }

  private static func open(_ path: FilePath) throws(Errno) -> (FileDescriptor, isNew: Bool) {
    do throws(Errno) {
      let options: FileDescriptor.OpenOptions = [.append, .create, .exclusiveCreate]
      return (try Syscalls.open(path, .readWrite, options: options, permissions: 0o666), true)
    } catch .fileExists {
      let options: FileDescriptor.OpenOptions = [.append, .nonBlocking]
      return (try Syscalls.open(path, .readWrite, options: options), false)
    }
  }
}

/// The absolute path of the working directory.
///
/// - Throws: ``FileError``, where it was removed.
package func workingDirectory() throws(FileError) -> FilePath {
  try FileError.attributing(".", .open) { () throws(Errno) in try Syscalls.resolve(".") }
}

internal import Synchronization
package import SystemPackage

/// A file of lines that are only ever appended, each safe on the disk before the next step where that is asked for.
///
/// Lines of several threads follow each other whole. A new file is its owner's alone, because it tells of
/// photographs that may be private.
package final class AppendedFile: Sendable {
  private let path: FilePath
  private let descriptor: FileDescriptor
  /// Whether the file ends within a line: that of a run that was killed, or of a disk that was full.
  private let endsWithinLine: Mutex<Bool>

  /// Opens a file for appending, or creates it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - first: What every such file begins with, so that no other file is appended to.
  ///   - writesBeginning: Whether a new file gets its beginning here; otherwise its first line has it.
  /// - Throws: ``FileError``.
  package init(
    _ path: FilePath,
    beginning first: [UInt8],
    writesBeginning: Bool = false
  ) throws(FileError) {
    self.path = path
    let (descriptor, isNew) = try FileError.attributing(path, .append) { () throws(Errno) in
      try Self.open(path)
    }
    self.descriptor = descriptor
    let (identity, start) = try FileError.attributing(path, .append) { () throws(Errno) in
      let identity = try Syscalls.status(descriptor)
      guard identity.kind == .regular else { return (identity, [UInt8]()) }
      return (
        identity, try Syscalls.read(descriptor, at: 0, count: min(first.count, identity.size))
      )
    }
    if let problem = identity.kind.problem { throw FileError(path, .append, problem) }
    guard first.starts(with: start) else { throw FileError(path, .append, .notRecord) }
    let endsWithinLine = try FileError.attributing(path, .append) { () throws(Errno) in
      if isNew { try OpenDirectory(path.removingLastComponent()).sync() }
      guard identity.size > 0 else {
        if writesBeginning { try Syscalls.write(first, to: descriptor) }
        return false
      }
      let last = try Syscalls.read(descriptor, at: identity.size - 1, count: 1)
      return last != [UInt8(ascii: "\n")]
    }
    self.endsWithinLine = Mutex(endsWithinLine)
  }

  deinit { Syscalls.close(descriptor) }

  /// Appends a line.
  ///
  /// - Parameters:
  ///   - line: The line with its line end.
  ///   - waits: Whether to wait until it is on the disk.
  /// - Throws: ``FileError``; a part of the line may have been written.
  package func append(_ line: [UInt8], waits: Bool = true) throws(FileError) {
    try FileError.attributing(path, .append) { () throws(Errno) in
      try endsWithinLine.withLock { (endsWithinLine) throws(Errno) in
        let bytes = endsWithinLine ? [UInt8(ascii: "\n")] + line : line
        endsWithinLine = true
        try Syscalls.write(bytes, to: descriptor)
        endsWithinLine = false
      }
      if waits { try Syscalls.sync(descriptor) }
    }
  }

  private static func open(_ path: FilePath) throws(Errno) -> (FileDescriptor, isNew: Bool) {
    do throws(Errno) {
      let options: FileDescriptor.OpenOptions = [.append, .create, .exclusiveCreate]
      return (try Syscalls.open(path, .readWrite, options: options, permissions: 0o600), true)
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

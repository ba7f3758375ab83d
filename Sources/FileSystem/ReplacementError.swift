import SystemPackage

/// Why a file did not get its final name.
enum ReplacementError: Error, Equatable {
  /// The file that was to be replaced changed after it was read.
  case changed
  /// The file that was to be replaced is another output.
  case collision
  /// The process was interrupted before the name was given.
  case interrupted
  /// The file system does not report which file has the name; nothing was removed.
  case outcomeUnknown
  /// A system call failed.
  case system(Errno)

  /// Runs system calls.
  static func ofSystem<Value: ~Copyable>(
    _ calls: () throws(Errno) -> Value
  ) throws(ReplacementError) -> Value {
    do throws(Errno) { return try calls() } catch { throw .system(error) }
  }
}

extension FileError {
  /// Gives a file its final name, and converts errors to errors about this path.
  static func naming<Value: ~Copyable>(
    _ path: FilePath,
    _ operation: Operation,
    _ body: () throws(ReplacementError) -> Value
  ) throws(FileError) -> Value {
    do throws(ReplacementError) { return try body() } catch { throw of(error, path, operation) }
  }

  /// Returns the error of a path that did not get its file.
  static func of(_ error: ReplacementError, _ path: FilePath, _ operation: Operation) -> FileError {
    switch error {
    case .changed: FileError(path, operation, .changed)
    case .collision: FileError(path, operation, .outputCollision)
    case .interrupted: FileError(path, operation, .interrupted)
    case .outcomeUnknown: FileError(path, operation, .outcomeUnknown)
    case .system(let errno): of(errno, path, operation)
    }
  }
}

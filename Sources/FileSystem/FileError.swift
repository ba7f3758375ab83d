package import SystemPackage

/// The error of an operation on a file.
package struct FileError: Error, Hashable, Sendable {
  /// The operation that failed.
  package enum Operation: String, Sendable {
    case open
    case read
    case list
    case write
    case create
    case replace
    case append
  }

  /// The file or directory, as the user named it or the walk found it.
  package let path: FilePath
  /// The operation that failed.
  package let operation: Operation
  /// The problem.
  package let problem: Problem
  /// The system's error, or `nil` if this module reported the problem.
  package let errno: Errno?
  /// The other input with the same output path, if that is the problem.
  package let rival: FilePath?

  init(
    _ path: FilePath,
    _ operation: Operation,
    _ problem: Problem,
    errno: Errno? = nil,
    rival: FilePath? = nil
  ) {
    self.path = path
    self.operation = operation
    self.problem = problem
    self.errno = errno
    self.rival = rival
  }

  /// Returns the error of a file whose output path is that of another input.
  package static func collision(_ path: FilePath, with rival: FilePath) -> FileError {
    FileError(path, .create, .outputCollision, rival: rival)
  }

  /// Returns the error of a file whose work was ended by a signal to the process.
  package static func interrupted(_ path: FilePath) -> FileError {
    FileError(path, .read, .interrupted)
  }

  /// Returns the error of a file that is to be read as a record, and is none.
  package static func notRecord(_ path: FilePath) -> FileError {
    FileError(path, .read, .notRecord)
  }

  /// Returns the error of a file that another program, or another run, changes.
  package static func changed(_ path: FilePath) -> FileError {
    FileError(path, .replace, .changed)
  }

  /// Creates the error of an operation from the system's error.
  ///
  /// The label distinguishes it from a problem of the same name: ``Problem/interrupted`` is a signal that ends the
  /// run, `Errno.interrupted` a call to repeat.
  package init(_ path: FilePath, _ operation: Operation, system errno: Errno) {
    self.init(path, operation, Problem(errno), errno: errno)
  }

  /// Runs system calls and converts their errors to errors about this path.
  static func attributing<Value: ~Copyable>(
    _ path: FilePath,
    _ operation: Operation,
    _ body: () throws(Errno) -> Value
  ) throws(FileError) -> Value {
    do throws(Errno) {
      return try body()
    } catch {
      throw of(error, path, operation)
    }
  }

  /// Returns the error about a path that a system call reports.
  static func of(_ error: Errno, _ path: FilePath, _ operation: Operation) -> FileError {
    error == .noSuchFileOrDirectory && isSymbolicLink(path)
      ? FileError(path, operation, .danglingLink, errno: error)
      : FileError(path, operation, system: error)
  }

  private static func isSymbolicLink(_ path: FilePath) -> Bool {
    (try? Syscalls.status(path, followingLinks: false))?.kind == .symbolicLink
  }

  /// The stable identifier of the problem, such as `no-space`.
  package var identifier: String { problem.rawValue }

  /// What happened and what to do, as text without the path.
  package var message: String {
    if problem == .unconfirmed || problem == .outcomeUnknown { return problem.text }
    return "\(operation.failure): \(reason)"
  }

  /// What happened and what to do.
  ///
  /// The message on an output begins with the path of its input, so the text names the output.
  private var reason: String {
    switch (problem, operation) {
    case (.notFound, .create) where path.isEmpty: "the path of the output is empty."
    case (.notFound, _) where path.isEmpty: "the path is empty."
    case (.notFound, _) where path == ".":
      "the working directory does not exist any more. Change to one that does."
    case (.notRecord, .read): "the file is not a record."
    case (.system, _): errno.map { "\($0.description). \(problem.text)" } ?? problem.text
    case (.outputCollision, _):
      "\(rival.map { "\($0)" } ?? "another input") has the same output path. \(problem.text)"
    case (.isDirectory, .create): "the output is a directory."
    case (.notFound, .create):
      "the directory of the output does not exist. Create it, or write elsewhere."
    case (.notDirectory, .create):
      "a component of the output's path is not a directory. Write elsewhere."
    case (.permissionDenied, .create):
      "permission denied. Check the permissions of the output's directory, or write elsewhere."
    case (.exists, .write): "the file exists. Choose another name."
    default: problem.text
    }
  }
}

extension FileError: CustomStringConvertible {
  /// The path and the message, on one line.
  package var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

extension FileError.Operation {
  fileprivate var failure: String {
    switch self {
    case .open: "cannot open"
    case .read: "cannot read"
    case .list: "cannot list the directory"
    case .write: "cannot write"
    case .create: "not created"
    case .replace: "not replaced, the original is unchanged"
    case .append: "cannot append"
    }
  }
}

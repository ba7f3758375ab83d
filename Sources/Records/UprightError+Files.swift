package import FileSystem
public import Upright

extension UprightError.Code {
  /// The file does not exist.
  public static let notFound = UprightError.Code(.notFound)
  /// The file to write exists.
  public static let exists = UprightError.Code(.exists)
  /// The file changed while it was read or processed.
  public static let changed = UprightError.Code(.changed)
  /// The disk is full, or the quota is exceeded.
  public static let noSpace = UprightError.Code(.noSpace)
  /// The file exists and is not a record file.
  public static let notRecord = UprightError.Code(.notRecord)

  /// The code of a problem of the file system.
  package init(_ problem: FileError.Problem) { self.init(rawValue: problem.rawValue) }
}

extension UprightError {
  /// Creates the error of the file system about a file that the caller knows.
  package init(_ error: FileError) {
    self.init(error.problem, message: error.message, remedies: error.remedies)
  }

  /// Creates the error of the file system; the message names the file.
  package init(naming error: FileError) {
    self.init(error)
    message = "\(error.path.escaped): \(message)"
  }

  /// Creates the error of a problem of the file system from its parts.
  package init(_ problem: FileError.Problem, message: String, remedies: [Remedy] = []) {
    self.init(Code(problem), problem.cause, message, remedies: remedies)
  }
}

extension FileError.Problem {
  fileprivate var cause: UprightError.Cause {
    switch self {
    case .notFound, .danglingLink, .linkLoop, .permissionDenied, .readOnly, .writeProtected,
      .isDirectory, .notDirectory, .isFIFO, .isSocket, .isDevice, .nameTooLong, .notPath, .tooLarge,
      .hardLinked, .notRecord:
      .file
    case .exists, .outputIsInput, .outputCollision, .backupExists: .request
    case .noSpace, .tooManyOpenFiles, .changed, .brokenPipe, .closed, .inputOutput, .deviceGone,
      .unconfirmed, .outcomeUnknown, .replaced, .locked, .interrupted, .system:
      .work
    }
  }
}

extension Remedy.Action {
  /// Search directories.
  package static let searchDirectories = Remedy.Action(rawValue: "search-directories")
  /// Write into a directory.
  package static let writeToDirectory = Remedy.Action(rawValue: "write-to-directory")
  /// Read paths that end with NUL.
  package static let readNULPaths = Remedy.Action(rawValue: "read-nul-paths")
  /// Replace an existing output.
  package static let overwrite = Remedy.Action(rawValue: "overwrite")
}

extension Remedy {
  package static let breakHardLinks = Remedy(.policy("hard-links", "break"), "replace it anyway")
}

extension FileError {
  /// What prevents the error.
  fileprivate var remedies: [Remedy] {
    switch (problem, operation) {
    case (.isDirectory, .open): [Remedy(.action(.searchDirectories), "search directories")]
    case (.isDirectory, .create): [Remedy(.action(.writeToDirectory), "write into it")]
    case (.notPath, _): [Remedy(.action(.readNULPaths), "read paths that end with NUL")]
    case (.exists, .create): [Remedy(.action(.overwrite), "replace it")]
    case (.writeProtected, _): [Remedy(.policy("read-only", "rewrite"), "overwrite it")]
    case (.hardLinked, _): [.breakHardLinks]
    default: []
    }
  }
}

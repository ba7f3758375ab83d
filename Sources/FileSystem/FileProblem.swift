import SystemPackage

extension FileError {
  /// What stood in the way; the raw values are stable identifiers.
  package enum Problem: String, CaseIterable, Sendable {
    case notFound = "not-found"
    case danglingLink = "dangling-link"
    case linkLoop = "link-loop"
    case permissionDenied = "permission-denied"
    case readOnly = "read-only"
    case isDirectory = "is-directory"
    case notDirectory = "not-directory"
    case isFIFO = "is-fifo"
    case isSocket = "is-socket"
    case isDevice = "is-device"
    case nameTooLong = "name-too-long"
    case notPath = "not-path"
    case tooLarge = "too-large"
    case noSpace = "no-space"
    case tooManyOpenFiles = "too-many-open-files"
    case hardLinked = "hard-linked"
    case changed = "changed"
    case exists = "exists"
    case outputIsInput = "output-is-input"
    case outputCollision = "output-collision"
    case brokenPipe = "broken-pipe"
    case closed = "closed"
    case inputOutput = "input-output"
    case unconfirmed = "unconfirmed"
    case outcomeUnknown = "outcome-unknown"
    case notRecord = "not-record"
    case backupExists = "backup-exists"
    case interrupted = "interrupted"
    case system = "system"
  }
}

extension FileError.Problem {
  init(_ errno: Errno) {
    self =
      switch errno {
      case .noSuchFileOrDirectory: .notFound
      case .permissionDenied, .notPermitted: .permissionDenied
      case .readOnlyFileSystem: .readOnly
      case .isDirectory: .isDirectory
      case .notDirectory: .notDirectory
      case .tooManySymbolicLinkLevels: .linkLoop
      case .fileNameTooLong: .nameTooLong
      case .fileTooLarge: .tooLarge
      case .noSpace, .diskQuotaExceeded: .noSpace
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem: .tooManyOpenFiles
      // Also what a network file system says when the file went away under an open descriptor.
      case .staleNFSFileHandle: .changed
      // What ``TemporaryFile`` throws where nobody can tell what has a name.
      case .notRecoverable: .outcomeUnknown
      case .fileExists: .exists
      case .brokenPipe: .brokenPipe
      case .badFileDescriptor: .closed
      case .ioError: .inputOutput
      case .canceled: .interrupted
      default: .system
      }
  }

  /// What happened, then what to do about it.
  var text: String {
    switch self {
    case .notFound:
      "there is no such file or directory. Check the path."
    case .danglingLink:
      "it is a symbolic link to something that does not exist. Repair or remove the link."
    case .linkLoop:
      "its symbolic links lead in a circle. Repair or remove them."
    case .permissionDenied:
      "permission is missing. Check the permissions of the file and of its directory."
    case .readOnly:
      "the file system is read-only. Mount it for writing, or write to another directory."
    case .isDirectory:
      "it is a directory. Name a file; normalize, undo and convert walk directories with -r."
    case .notDirectory:
      "a part of the path is a file, not a directory. Check the path."
    case .isFIFO:
      "it is a named pipe, not a file. Use standard input for streams."
    case .isSocket:
      "it is a socket, not a file. Name a file."
    case .isDevice:
      "it is a device, not a file. Name a file."
    case .nameTooLong:
      "the name or path is too long for the file system. Use shorter names."
    case .notPath:
      "the line holds a NUL byte, which no path does. Read a list whose paths end with NUL with -0."
    case .tooLarge:
      "it is larger than a limit allows. Raise the limit if the file is meant to be that large."
    case .noSpace:
      "the disk is full or the quota used up. Make room and run again."
    case .tooManyOpenFiles:
      "too many files are open. Raise the limit (ulimit -n)."
    case .hardLinked:
      "it has more than one name (hard links), and replacing it would change this one alone. "
        + "Run with --hard-links break if that is wanted."
    case .changed:
      "the file changed while it was being processed, or another program has it open for writing. "
        + "Run again when nothing else writes to it."
    case .exists:
      "the output exists already. Run with --overwrite, or choose another name."
    case .outputIsInput:
      "the output is the input. Choose another name, or replace the file in place."
    case .outputCollision:
      "another input has the same output. Process them into separate directories."
    case .brokenPipe:
      "the reader of the output has closed it."
    case .closed:
      "the standard stream is closed. Redirect it to a file or to /dev/null instead of closing it."
    case .inputOutput:
      "the disk or network reported an error. Check its health before anything else."
    case .unconfirmed:
      "the new file is in place, but the disk did not confirm that this would survive a power "
        + "failure. Check the disk."
    case .outcomeUnknown:
      "the file system reported an error and does not say whether the new file has the name. Nothing was "
        + "removed: look at the file, and at temporary files beside it, before anything else."
    case .notRecord:
      "it is not empty, and does not begin like a file of records. Choose another name."
    case .backupExists:
      "the name of its backup is taken. Move that file away, or choose another suffix."
    case .interrupted:
      "the process was asked to end."
    case .system:
      "Check the file and its file system, then run again."
    }
  }
}

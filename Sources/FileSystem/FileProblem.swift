import SystemPackage

extension FileError {
  /// The problem; the raw values are stable identifiers.
  package enum Problem: String, CaseIterable, Sendable {
    case notFound = "not-found"
    case danglingLink = "dangling-link"
    case linkLoop = "link-loop"
    case permissionDenied = "permission-denied"
    case readOnly = "read-only"
    case writeProtected = "write-protected"
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
    case deviceGone = "device-gone"
    case unconfirmed = "unconfirmed"
    case outcomeUnknown = "outcome-unknown"
    case notRecord = "not-record"
    case replaced = "replaced"
    case locked = "locked"
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
      // Network file systems report this, too, if the file was removed while it was open.
      case .staleNFSFileHandle: .changed
      case .fileExists: .exists
      case .brokenPipe: .brokenPipe
      case .badFileDescriptor: .closed
      case .ioError: .inputOutput
      case .canceled: .interrupted
      case .socketNotConnected, .socketShutdown, .operationNotSupportedByDevice,
        .noSuchAddressOrDevice, .hostIsDown,
        .connectionAbort, .connectionReset, .timedOut:
        .deviceGone
      default: .system
      }
  }

  /// The text of the problem: what happened, then what to do.
  var text: String {
    switch self {
    case .notFound:
      "no such file or directory. Check the path."
    case .danglingLink:
      "the symbolic link points to a file that does not exist. Repair or remove the link."
    case .linkLoop:
      "the symbolic links form a loop. Repair or remove them."
    case .permissionDenied:
      "permission denied. Check the permissions of the file and of its directory."
    case .readOnly:
      "the file system is mounted read-only. Mount it for writing, or write elsewhere."
    case .writeProtected:
      "the existing file is read-only or belongs to somebody else. Choose another name."
    case .isDirectory:
      "it is a directory. Name a file in it."
    case .notDirectory:
      "a component of the path is not a directory. Check the path."
    case .isFIFO:
      "it is a named pipe, not a regular file. To read a stream, use standard input."
    case .isSocket:
      "it is a socket, not a regular file. Name a regular file."
    case .isDevice:
      "it is a device, not a regular file. Name a regular file."
    case .nameTooLong:
      "the name or path is too long for the file system. Use a shorter name."
    case .notPath:
      "the line contains a NUL byte, so it is not a path."
    case .tooLarge:
      "it is larger than the limit. If that size is intended, raise the limit."
    case .noSpace:
      "no space left on the disk, or the quota is exceeded. Free space and run again."
    case .tooManyOpenFiles:
      "too many open files. Raise the limit (ulimit -n)."
    case .hardLinked:
      "the file has several hard links, and replacing it would change only this name."
    case .changed:
      "the file changed while it was processed, or another program has it open for writing. "
        + "Run again when no other program writes to it."
    case .exists:
      "the output file already exists. Choose another name."
    case .outputIsInput:
      "the output is the input file. Choose another name, or replace the file in place."
    case .outputCollision:
      "Use separate output directories."
    case .brokenPipe:
      "the program that reads the output closed it."
    case .closed:
      "the standard stream is closed. Redirect it to a file or to /dev/null instead of closing it."
    case .inputOutput:
      "the disk or the network reported an input/output error. Check it before you continue."
    case .deviceGone:
      "the device or the server of the file does not answer any more. Connect it again, and run again."
    case .unconfirmed:
      "the new file is in place, but it may not survive a power failure, because the disk did not "
        + "confirm the write. Check the disk."
    case .outcomeUnknown:
      "renaming reported an error, so the path may have the old or the new content. Nothing was "
        + "removed: compare the file with the temporary files next to it before you continue."
    case .notRecord:
      "the file exists, but is not one that this option writes. Choose another name."
    case .replaced:
      "the file was removed or replaced during the run, so nothing more is recorded in it. "
        + "Put it back if you have it, and run again."
    case .locked:
      "another program is packing or replacing the file. Run again when it has finished."
    case .backupExists:
      "a file with the name of the backup exists. Move that file, or choose another suffix."
    case .interrupted:
      "interrupted by a signal."
    case .system:
      "Check the file and its file system, and run again."
    }
  }
}

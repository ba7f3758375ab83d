internal import FileSystem

extension FileError.Problem {
  /// What it means, as sentences with Markdown for a page of docs; settings are in braces, as in `{overwrite}`.
  var meaning: String {
    switch self {
    case .notFound: "There is no such file."
    case .danglingLink: "The target of a symbolic link does not exist."
    case .linkLoop: "Symbolic links form a loop."
    case .permissionDenied: "Permission is missing."
    case .readOnly: "The file system is read-only."
    case .writeProtected:
      "The existing output is read-only or belongs to somebody else. Choose another name, or use "
        + "{read-only rewrite}."
    case .isDirectory: "The path is a directory."
    case .notDirectory: "A part of the path is a file."
    case .isFIFO: "The path is a pipe."
    case .isSocket: "The path is a socket."
    case .isDevice: "The path is a device."
    case .nameTooLong: "The name or path is too long for the file system."
    case .notPath:
      "A line of a list holds a NUL byte. The paths of a list may end with NUL instead ({null})."
    case .tooLarge:
      "The file is above a limit of the file system or of sidecars, or a line of a record is "
        + "longer than 16 MiB."
    case .noSpace: "The disk or quota is full."
    case .tooManyOpenFiles: "Too many files are open."
    case .hardLinked: "The file has several names. Use {hard-links break} or {output-dir}."
    case .changed:
      "The file changed while it was processed, or another program has it open for writing."
    case .exists: "The output exists. Use {overwrite} or another name."
    case .outputIsInput: "The output is the input."
    case .outputCollision: "The output is also that of another input."
    case .brokenPipe: "The reader of the output closed it."
    case .closed: "The standard stream is closed."
    case .inputOutput: "The disk or network reported an error."
    case .deviceGone:
      "The device was removed, or the server or program that serves it does not answer. "
        + "The run ends; files that are not counted were not started."
    case .unconfirmed:
      "The new file is in place, but the disk did not confirm that it would survive a power "
        + "failure."
    case .outcomeUnknown:
      "The file system reported an error, and it is not known whether the name refers to the old "
        + "file or the new one. Nothing was removed: check the file and the temporary files beside it."
    case .notRecord: "The file to append records to, or to restore from, holds something else."
    case .replaced:
      "The record or journal was removed or replaced during the run. A photo with this error was not "
        + "changed. The text of a record with it has the number of photos whose lines are lost."
    case .locked: "Another program is packing the record. The photo was not changed."
    case .backupExists: "The name of the backup is taken."
    case .interrupted:
      "A signal arrived while the command waited for a list or read a record. A photo that was not "
        + "replaced has the status [`interrupted`](output.md#status)."
    case .system: "Another system error, which the text names."
    }
  }
}

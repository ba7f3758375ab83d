package import FileSystem
package import Upright

extension Remedy.Action {
  /// Keep undo data in a record.
  package static let record = Remedy.Action(rawValue: "record")
  /// Rename the file.
  package static let rename = Remedy.Action(rawValue: "rename")
  /// Search directories.
  package static let searchDirectories = Remedy.Action(rawValue: "search-directories")
  /// Write into a directory.
  package static let writeToDirectory = Remedy.Action(rawValue: "write-to-directory")
  /// Read paths that end with NUL.
  package static let readNULPaths = Remedy.Action(rawValue: "read-nul-paths")
  /// Reset the Orientation of a sidecar.
  package static let resetSidecar = Remedy.Action(rawValue: "reset-sidecar")
  /// Name the new path of a file that was moved.
  package static let nameMovedFile = Remedy.Action(rawValue: "name-moved-file")
  /// Undo a file where it was rewritten.
  package static let undoInPlace = Remedy.Action(rawValue: "undo-in-place")
  /// Undo only the last rewrite of a file.
  package static let undoLast = Remedy.Action(rawValue: "undo-last")
  /// Restore a file from its record.
  package static let restoreFromRecord = Remedy.Action(rawValue: "restore-from-record")
  /// Replace an existing output.
  package static let overwrite = Remedy.Action(rawValue: "overwrite")
}

extension Remedy {
  package static let breakHardLinks = Remedy(.policy("hard-links", "break"), "replace it anyway")
}

extension FileError {
  /// What prevents the error.
  package var remedies: [Remedy] {
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

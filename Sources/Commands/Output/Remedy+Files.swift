internal import FileSystem
internal import Upright

extension Remedy.Action {
  /// Keep undo data in a record.
  static let record = Remedy.Action(rawValue: "record")
  /// Rename the file.
  static let rename = Remedy.Action(rawValue: "rename")
  /// Search directories.
  static let searchDirectories = Remedy.Action(rawValue: "search-directories")
  /// Write into a directory.
  static let writeToDirectory = Remedy.Action(rawValue: "write-to-directory")
  /// Read paths that end with NUL.
  static let readNULPaths = Remedy.Action(rawValue: "read-nul-paths")
  /// Reset the Orientation of a sidecar.
  static let resetSidecar = Remedy.Action(rawValue: "reset-sidecar")
  /// Replace an existing output.
  static let overwrite = Remedy.Action(rawValue: "overwrite")
}

extension Remedy {
  static let breakHardLinks = Remedy(.policy("hard-links", "break"), "replace it anyway")
}

extension FileError {
  /// What prevents the error.
  var remedies: [Remedy] {
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

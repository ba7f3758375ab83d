internal import FileSystem
package import Records
package import Upright

extension UprightError {
  /// The error of a file that the record names and that does not exist.
  package static let moved = UprightError(
    .notFound,
    message: "the path comes from the record, and the file does not exist.",
    remedies: [Remedy(.action(.nameMovedFile), "restore a file that was moved")]
  )

  /// The error of a file outside of the working directory that is not a photo.
  package static let noPhoto = UprightError(
    .outside,
    message:
      "the path comes from the record and is outside of the working directory, and the file is not an image file."
      + " To restore the file, name it."
  )

  package static let recordChanged = UprightError(
    .changed,
    message:
      "the record file changed while it was read. Run undo again when no other program writes to it."
  )

  /// Creates the error for the remaining damaged lines of a record file.
  package init(furtherLines count: Int) {
    self.init(
      .damaged,
      message:
        "\(count) more lines are damaged or are not records. Use an intact copy of the record file."
    )
  }

  /// Creates the error for a line of a record file.
  package init(line: Int, _ problem: RecordLine.Problem) {
    switch problem {
    case .cut:
      self.init(
        .cut,
        message:
          "line \(line) is not a complete record: this is not a record file, or a run was killed while it wrote the line, "
          + "and its photo was not replaced."
      )
    case .damaged:
      self.init(
        .damaged,
        message:
          "line \(line) is damaged or is not a record. Use an intact copy of the record file."
      )
    case .unusablePath:
      self.init(
        .path,
        message:
          "line \(line) has invalid paths and is ignored: base must be absolute, path and output not empty."
      )
    case .unknownVersion(let version):
      self.init(
        .version,
        message:
          "line \(line) has the version \(version.escaped), which requires a newer version of Upright."
      )
    case .formerVersion:
      self.init(
        .version,
        message:
          "line \(line) was written by Upright 0.2.0, whose format was not final. Restore from it with that version."
      )
    }
  }
}

internal import FileSystem
internal import PhotoFiles
internal import Records
internal import SystemPackage
internal import Upright

extension UprightError {
  /// Creates the error for recorded files of which nobody knows where they are.
  init(unplaced count: Int, of total: Int, record: String) {
    self.init(
      .path,
      message:
        "\(count) of \(total) recorded files were not looked for: the line with their directory is missing in the record."
        + " To restore them, name their directory: upright undo --record \(TextFormat.escaped(record)) -r FOLDER"
    )
  }

  /// Creates the error for the files that a record names outside of the working directory.
  init(outside places: [FilePath], of count: Int, record: String) {
    var folder = places[0].removingLastComponent()
    for place in places {
      while !place.starts(with: folder) { _ = folder.removeLastComponent() }
    }
    self.init(
      .outside,
      message:
        "\(places.count) of \(count) recorded files are outside of the working directory and were not restored. "
        + "To restore them, name their directory: upright undo --record \(TextFormat.escaped(record)) -r \(TextFormat.path(folder))"
    )
  }
}

internal import FileSystem
package import Reports
internal import Upright

/// A problem that neither the library nor the file system has; the raw values are stable identifiers.
package enum FileProblem: String, CaseIterable {
  case `internal`
  case journalDiffers = "journal-differs"
  case recordDamaged = "record-damaged"
  case recordCut = "record-cut"
  case recordVersion = "record-version"
  case recordPath = "record-path"
  case outside

  /// Whether it is about a record.
  package var isOfRecord: Bool {
    switch self {
    case .internal, .journalDiffers: false
    case .recordDamaged, .recordCut, .recordVersion, .recordPath, .outside: true
    }
  }

  /// What it means, as sentences with Markdown for a page of docs.
  package var meaning: String {
    switch self {
    case .internal: "An unexpected error of Upright; please report it. The file was not changed."
    case .journalDiffers:
      "An earlier run with the same journal did something else with the photo, such as a rotation "
        + "by another angle. Undo it, or use a new journal."
    case .recordDamaged: "A line of the record was changed."
    case .recordCut: "A line of the record ends early."
    case .recordVersion: "A line of the record has another version."
    case .recordPath: "A line of the record has paths that Upright never records."
    case .outside:
      "The record names files outside the working directory, and is not a private file of the "
        + "user. The text has the command that restores them."
    }
  }
}

extension FileFailure {
  /// Creates the failure of a problem.
  package init(_ problem: FileProblem, message: String) {
    self.init(identifier: problem.rawValue, message: message)
  }
}

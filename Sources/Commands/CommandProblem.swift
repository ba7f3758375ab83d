internal import FileSystem
internal import Reports
internal import Upright

/// A problem that neither the library nor the file system has; the raw values are stable identifiers.
enum CommandProblem: String, CaseIterable {
  case `internal`
  case journalDiffers = "journal-differs"
  case recordDamaged = "record-damaged"
  case recordCut = "record-cut"
  case recordVersion = "record-version"
  case recordPath = "record-path"
  case outside

  /// Whether it is about a record.
  var isOfRecord: Bool {
    switch self {
    case .internal, .journalDiffers: false
    case .recordDamaged, .recordCut, .recordVersion, .recordPath, .outside: true
    }
  }

  /// What it means, as sentences with Markdown for a page of docs.
  var meaning: String {
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
  init(_ problem: CommandProblem, message: String) {
    self.init(identifier: problem.rawValue, message: message)
  }
}

extension Description.Term {
  /// The identifiers of all errors.
  static var errors: [Description.Term] {
    UprightError.Code.Known.allCases.map {
      .init($0.rawValue, $0.meaning, of: $0.isOfImage ? "image" : "processing")
    }
      + CommandProblem.allCases.map {
        .init($0.rawValue, $0.meaning, of: $0.isOfRecord ? "records" : "processing")
      }
      + FileError.Problem.allCases.map {
        .init($0.rawValue, $0.meaning, of: $0 == .notRecord ? "records" : "file system")
      }
  }
}

package import Upright

/// A problem that neither the library, nor a record, nor the file system has; the raw values are stable identifiers.
package enum FileProblem: String, CaseIterable {
  case `internal`
  case journalDiffers = "journal-differs"
  case outside

  /// Whether it is about a record.
  package var isOfRecord: Bool {
    switch self {
    case .internal, .journalDiffers: false
    case .outside: true
    }
  }

  fileprivate var cause: UprightError.Cause {
    switch self {
    case .internal: .work
    case .journalDiffers, .outside: .request
    }
  }

  /// What it means, as sentences with Markdown for a page of docs.
  package var meaning: String {
    switch self {
    case .internal: "An unexpected error of Upright; please report it. The file was not changed."
    case .journalDiffers:
      "An earlier run with the same journal did something else with the photo, such as a rotation "
        + "by another angle. Undo it, or use a new journal."
    case .outside:
      "The record names files outside the working directory, and is not a private file of the "
        + "user. The text has the command that restores them."
    }
  }
}

extension UprightError {
  /// Creates the error of a problem.
  package init(_ problem: FileProblem, message: String) {
    self.init(Code(rawValue: problem.rawValue), problem.cause, message)
  }
}

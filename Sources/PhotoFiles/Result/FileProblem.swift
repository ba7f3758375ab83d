package import Upright

/// A problem that neither the library, nor a record, nor the file system has; the raw values are stable identifiers.
package enum FileProblem: String, CaseIterable {
  case `internal`
  case journalDiffers = "journal-differs"
  case outside

  fileprivate var cause: UprightError.Cause {
    switch self {
    case .internal: .work
    case .journalDiffers, .outside: .request
    }
  }
}

extension UprightError {
  /// Creates the error of a problem.
  package init(_ problem: FileProblem, message: String) {
    self.init(Code(rawValue: problem.rawValue), problem.cause, message)
  }
}

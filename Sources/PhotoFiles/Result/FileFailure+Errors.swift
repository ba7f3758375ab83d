package import FileSystem
internal import Records
package import Reports
package import SystemPackage
internal import Upright

extension FileReport.Result {
  /// Creates the result of a file from any error that the work on it throws.
  package init(any error: any Error) {
    let problem = (error as? SidecarError)?.error.problem ?? (error as? FileError)?.problem
    self = problem == .interrupted ? .interrupted : .failed(FileFailure(any: error))
  }

  /// Creates the result of a file from any error that the work on it throws; the message names another file that cannot be
  /// examined, or whose disk is full or broken.
  package init(any error: any Error, of path: FilePath) {
    self.init(any: error)
    guard case .failed = self, let error = error as? FileError, error.path != path,
      [.append, .read].contains(error.operation)
        || [.noSpace, .readOnly, .inputOutput, .deviceGone, .system].contains(error.problem)
    else { return }
    self = .failed(FileFailure(naming: error))
  }
}

extension FileFailure {
  package init(_ error: FileError) {
    self.init(identifier: error.identifier, message: error.message)
    remedies = error.remedies
  }

  /// Creates a failure whose message names the file that the error is about.
  package init(naming error: any Error) {
    self.init(any: error)
    if let error = error as? FileError {
      message = "\(error.path.escaped): \(message)"
    }
  }

  /// Creates a failure from any error that planning, normalizing or the file system throws.
  package init(any error: any Error) {
    switch error {
    case let error as UprightError: self.init(error)
    case let error as FileError: self.init(error)
    case let error as SidecarError:
      self.init(error.error)
      // The error is about the sidecar, so the message does not say whether the photo is in place.
      if error.error.problem == .unconfirmed {
        identifier = FileError.Problem.inputOutput.rawValue
      }
      let path = error.error.path
      let kind = path.extension == PairFile.ending ? "sidecar's temporary file" : "sidecar"
      message = "the \(kind) \(path.escaped): \(message)"
    case is RecordIndex.Changed: self = .recordChanged
    case let failure as FileFailure: self = failure
    default:
      self.init(.internal, message: "unexpected error, please report it: \(error)")
    }
  }
}

internal import FileSystem
internal import Records
package import SystemPackage
package import Upright

extension FileReport.Result {
  /// Creates the result of a file from any error that the work on it throws.
  package init(any error: any Error) {
    let problem = (error as? SidecarError)?.error.problem ?? (error as? FileError)?.problem
    self = problem == .interrupted ? .interrupted : .failed(UprightError(any: error))
  }

  /// Creates the result of a file from any error that the work on it throws; the message names another file that cannot be
  /// examined, or whose disk is full or broken.
  package init(any error: any Error, of path: FilePath) {
    self.init(any: error)
    if case .failed(let failure) = self, let explained = failure.explained(ofSidecar: path) {
      self = .failed(explained)
    }
    guard case .failed = self, let error = error as? FileError, error.path != path,
      [.append, .read].contains(error.operation)
        || [.noSpace, .readOnly, .inputOutput, .deviceGone, .system].contains(error.problem)
    else { return }
    self = .failed(UprightError(naming: error))
  }
}

extension UprightError {
  /// Creates an error from any that planning, normalizing or the file system throws; the message names the file.
  package init(namingFileOf error: any Error) {
    if let error = error as? FileError {
      self.init(naming: error)
    } else {
      self.init(any: error)
    }
  }

  /// Creates an error from any that planning, normalizing or the file system throws.
  package init(any error: any Error) {
    switch error {
    case let error as UprightError: self = error
    case let error as FileError: self.init(error)
    case let error as SidecarError: self.init(error.error, ofSidecar: error.error.path)
    case is RecordIndex.Changed: self = .recordChanged
    default:
      self.init(.internal, message: "unexpected error, please report it: \(error)")
    }
  }

  /// Returns the error of a file that is no photo, but has the name of a sidecar, with the photo to name; nil if it is another.
  fileprivate func explained(ofSidecar path: FilePath) -> UprightError? {
    guard code == .notJPEG, SidecarFile.isName(path), let photo = SidecarFile.photo(of: path)
    else { return nil }
    return UprightError(
      code,
      "this is a sidecar, which is updated with its photo: name \(photo.escaped)"
    )
  }

  private init(_ error: FileError, ofSidecar path: FilePath) {
    self.init(error)
    // The error is about the sidecar, so the message does not say whether the photo is in place.
    if error.problem == .unconfirmed { code = Code(.inputOutput) }
    let kind = path.extension == PairFile.ending ? "sidecar's temporary file" : "sidecar"
    message = "the \(kind) \(path.escaped): \(message)"
  }
}

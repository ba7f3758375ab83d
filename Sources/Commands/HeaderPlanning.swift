internal import Archive
internal import Upright

extension Normalizer {
  /// Plans from a file's header, reading no more of it than that takes.
  ///
  /// - Throws: ``FileError`` or ``UprightError``.
  func plan(_ file: borrowing FileReader) throws -> Plan {
    var length = 64 << 10
    while true {
      let beginning = try file.read(at: 0, count: length)
      if let plan = try plan(beginning: beginning) { return plan }
      guard length < file.identity.size else {
        throw UprightError(
          .truncated,
          at: beginning.count,
          "the file ends before the first scan of its picture"
        )
      }
      length *= 4
    }
  }
}

extension FileReport.Failure {
  /// A failure from any error that planning, normalizing or the file system throws.
  init(any error: any Error) {
    switch error {
    case let error as UprightError: self.init(error)
    case let error as FileError: self.init(error)
    case RestorationError.recordChanged: self = .recordChanged
    default: preconditionFailure("unexpected error \(error)")
    }
  }
}

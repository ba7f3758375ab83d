internal import FileSystem
package import Records
package import Upright

extension RecordLog {
  /// What another program did to a record during a run.
  package struct Loss: Sendable {
    /// The number of rewritten files whose lines are not in it any more; nil if that is not known.
    package let count: Int?
    /// The failure, which is not of a photo.
    package let failure: UprightError
  }

  /// Reads the file, and returns what became of the lines that were appended; nil if they are in it.
  package var loss: Loss? {
    switch state() {
    case .complete: nil
    case .missing(let count): Loss(count: count, failure: .recordLost(lines: count))
    case .unreadable(let error):
      Loss(
        count: nil,
        failure: UprightError(
          error.problem,
          message: "its lines cannot be checked: \(error.message)"
            + " Read it before you remove a copy of the originals."
        )
      )
    }
  }
}

extension UprightError {
  /// The error of a record that lost lines during a run.
  fileprivate static func recordLost(lines count: Int) -> UprightError {
    let lines =
      count == 1
      ? "the line of 1 rewritten file is" : "the lines of \(count) rewritten files are"
    return UprightError(
      FileError.Problem.replaced,
      message: "\(lines) not in the file any more: another program removed or replaced it"
        + " during the run. Look for a copy of it; without its lines these originals cannot be restored."
    )
  }
}

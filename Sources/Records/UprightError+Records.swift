public import Upright

/// A problem of a record; the raw values are stable identifiers.
package enum RecordProblem: String, CaseIterable, Sendable {
  case damaged = "record-damaged"
  case cut = "record-cut"
  case version = "record-version"
  case path = "record-path"
}

extension UprightError.Code {
  /// A line of a record file is incomplete, for example because a run was killed while it wrote the line.
  public static let recordCut = UprightError.Code(.cut)
  /// A line of a record file was changed, or is not a record.
  public static let recordDamaged = UprightError.Code(.damaged)
  /// A line of a record file has paths that are not valid in a record.
  public static let recordPath = UprightError.Code(.path)
  /// A line of a record file has an unknown version.
  public static let recordVersion = UprightError.Code(.version)
  /// The record has no undo data.
  public static let noUndoData = UprightError.Code(rawValue: Reason.Code.noUndoData.rawValue)

  fileprivate init(_ problem: RecordProblem) { self.init(rawValue: problem.rawValue) }
}

extension UprightError {
  /// Creates the error of a record.
  package init(_ problem: RecordProblem, message: String) {
    self.init(Code(problem), .file, message)
  }

  init(_ problem: RecordLine.Problem) {
    switch problem {
    case .cut: self.init(.cut, message: "the line is incomplete")
    case .damaged: self.init(.damaged, message: "the line is damaged or is not a record")
    case .unusablePath: self.init(.path, message: "the line has invalid paths")
    case .unknownVersion(let version):
      self.init(.version, message: "the line has the unknown version \(version)")
    case .formerVersion:
      self.init(
        .version,
        message: "the line is one of Upright 0.2.0, which alone can use it"
      )
    }
  }
}

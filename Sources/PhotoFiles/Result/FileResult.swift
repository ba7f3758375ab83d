internal import FileSystem
public import Records
public import Reports
public import Upright

/// What became of a file and of the files beside it, or would.
public struct FileResult: Sendable {
  /// The report, with what only the command prints.
  package let report: FileReport

  package init(_ report: FileReport) { self.report = report }

  /// Creates the result of a file that could not be processed.
  package init(_ path: RecordedPath, failed error: UprightError) {
    self.init(FileReport(path: path.path, result: .failed(error)))
  }

  /// The file.
  public var path: RecordedPath { RecordedPath(report.path) }

  /// Where the result was written, if not in place.
  public var output: RecordedPath? { report.output.map { RecordedPath($0) } }

  /// What was done, or would be done.
  public var status: Status { report.status }

  /// The plan of the photo; nil if it failed, and after an undo.
  public var plan: Plan? { report.plan }

  /// The new file with its changes and its check; nil if the photo was not rewritten.
  public var rewrite: Rewrite? { report.rewrite }

  /// Why the file was left as it is; nil if it was not, or failed.
  public var reason: Reason? {
    if case .unchanged(let reason)? = report.plan?.action { return reason }
    if case .undo(let undo) = report.result { return undo.reason }
    return report.reasonToSkip
  }

  /// Why the file could not be processed; nil if it could.
  public var error: UprightError? {
    switch report.result {
    case .failed(let error): error
    case .interrupted:
      UprightError(
        .interrupted,
        message: "the work was interrupted, and the file is as it was"
      )
    case .planned, .done, .undo, .conversion: nil
    }
  }

  /// What became of each file beside it.
  public var companions: [CompanionResult] { report.companions }

  /// What the new file lacks although the photo was processed, such as an owner that the system refused to copy.
  public var warnings: [Note] { report.warnings }

  /// The result as a JSON object, as the command prints it in NDJSON.
  public var json: String { JSONReport(report).json }
}

extension FileResult: CustomStringConvertible {
  /// The file and what was done with it, or would be, as a line for people: `a.jpg: rotated 90° clockwise, lossless (96×64 → 64×96)`.
  public var description: String { "\(report.path.escaped): \(report.text.escaped)" }
}

extension CompanionResult {
  /// The file.
  public var file: RecordedPath { RecordedPath(path) }

  /// Where it was written, if not in place.
  public var outputFile: RecordedPath? { output.map { RecordedPath($0) } }
}

internal import Reports
internal import Upright

/// The result of a call, in memory that C can read during the lifetime of the result.
final class CallResult: Sendable {
  let bytes: CBytes?
  let undo: CBytes?
  let report: CBytes
  let code: CBytes?
  let message: CBytes?
  let offset: Int64

  private init(
    report: [UInt8],
    bytes: [UInt8]? = nil,
    undo: [UInt8]? = nil,
    error: UprightError? = nil
  ) {
    self.bytes = bytes.map { CBytes($0) }
    self.undo = undo.map { CBytes($0) }
    self.report = CBytes(report + [0])
    code = error.map { CBytes(Array($0.code.rawValue.utf8) + [0]) }
    message = error.map { CBytes(Array($0.message.utf8.filter { $0 != 0 }) + [0]) }
    offset = error?.offset.map(Int64.init) ?? -1
  }

  /// Creates the result of a processed file.
  convenience init(_ outcome: Outcome, path: String) {
    let report = JSONReport(path: path, done: outcome).jsonBytes
    switch outcome {
    case .unchanged, .skipped: self.init(report: report)
    case .rewritten(let rewrite):
      self.init(report: report, bytes: rewrite.bytes, undo: rewrite.undo?.serialized)
    }
  }

  /// Creates the result of a plan.
  convenience init(_ plan: Plan, facts: Facts? = nil, path: String) {
    self.init(report: JSONReport(path: path, planned: plan, facts: facts).jsonBytes)
  }

  /// Creates the result of a restored original.
  convenience init(restored original: [UInt8], path: String) {
    var report = JSONReport(path: path, status: .restored)
    report.size = original.count
    self.init(report: report.jsonBytes, bytes: original)
  }

  /// Creates the result of an error.
  convenience init(_ error: UprightError, _ call: CallOptions?) {
    let report = JSONReport(path: call?.path ?? "-", failed: error)
    self.init(report: report.jsonBytes, error: error)
  }

  /// Creates the result of a comparison.
  convenience init(_ verdict: Verdict, _ call: CallOptions) {
    let report = JSONVerification(
      original: call.path,
      result: call.resultPath,
      compared: verdict
    )
    self.init(report: report.jsonBytes)
  }

  /// Creates the result of a comparison that failed.
  convenience init(_ error: UprightError, in file: Verifier.File?, _ call: CallOptions?) {
    let report = JSONVerification(
      original: call?.path ?? "-",
      result: call?.resultPath ?? "-",
      unreadable: .init(id: error.code.rawValue, text: error.description, file: file)
    )
    self.init(report: report.jsonBytes, error: error)
  }
}

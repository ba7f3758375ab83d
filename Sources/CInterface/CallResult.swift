internal import ImageFormats
internal import ImageOrientation
internal import Reports
internal import Upright
internal import Verification

/// The result of a call, in memory that C can read during the lifetime of the result.
final class CallResult: Sendable {
  let bytes: CBytes?
  let undo: CBytes?
  let report: CBytes
  let code: CBytes?
  let message: CBytes?
  let offset: Int64
  let status: CBytes
  let transform: CBytes?
  let format: CBytes?
  let mediaType: CBytes?
  /// The size of the image in the new file or, if there is none, in the given one; 0 if it is unknown.
  let size: (width: Int64, height: Int64)

  private init(
    report: [UInt8],
    status: String,
    transform: String?,
    format: ImageFormat? = nil,
    size: (width: Int, height: Int)? = nil,
    bytes: [UInt8]? = nil,
    undo: [UInt8]? = nil,
    error: UprightError? = nil
  ) {
    self.bytes = bytes.map { CBytes($0) }
    self.undo = undo.map { CBytes($0) }
    self.report = CBytes(report + [0])
    self.status = CBytes(string: status)
    self.transform = transform.map { CBytes(string: $0) }
    self.format = format.map { CBytes(string: $0.rawValue) }
    mediaType = format.map { CBytes(string: $0.mediaType) }
    self.size = (Int64(size?.width ?? 0), Int64(size?.height ?? 0))
    code = error.map { CBytes(string: $0.code.rawValue) }
    // Callers get the offset as a number.
    message = error.map { CBytes(string: $0.message) }
    offset = error?.offset.map(Int64.init) ?? -1
  }

  convenience init(
    _ report: JSONReport,
    bytes: [UInt8]? = nil,
    undo: [UInt8]? = nil,
    error: UprightError? = nil
  ) {
    self.init(
      report: report.jsonBytes,
      status: report.status.rawValue,
      transform: report.transform?.rawValue,
      format: report.format,
      size: report.resultingSize,
      bytes: bytes,
      undo: undo,
      error: error
    )
  }

  private convenience init(_ report: JSONVerification, error: UprightError? = nil) {
    self.init(
      report: report.jsonBytes,
      status: report.status.rawValue,
      transform: report.verdict?.transform.rawValue,
      error: error
    )
  }

  /// Creates the result of a processed file.
  convenience init(_ outcome: Outcome, path: String) {
    let report = JSONReport(path: path, done: outcome)
    let rewrite = outcome.rewrite
    self.init(report, bytes: rewrite?.bytes, undo: rewrite?.undo?.serialized)
  }

  /// Creates the result of a plan.
  convenience init(_ plan: Plan, facts: Facts? = nil, path: String) {
    self.init(JSONReport(path: path, planned: plan, facts: facts))
  }

  /// Creates the result of a restored original.
  convenience init(restored original: [UInt8], path: String) {
    var report = JSONReport(path: path, status: .restored)
    report.size = original.count
    report.format = ImageFormat(beginning: original.span)
    self.init(report, bytes: original)
  }

  /// Creates the result of an error.
  convenience init(_ error: UprightError, _ call: CallOptions?) {
    self.init(JSONReport(path: call?.path ?? "-", failed: error), error: error)
  }

  /// Creates the result of a comparison.
  convenience init(_ verdict: Verdict, _ call: CallOptions) {
    let report = JSONVerification(
      original: call.path,
      result: call.resultPath,
      compared: verdict
    )
    self.init(report)
  }

  /// Creates the result of a comparison that failed.
  convenience init(comparing error: UprightError, _ call: CallOptions?) {
    let report = JSONVerification(
      original: call?.path ?? "-",
      result: call?.resultPath ?? "-",
      unreadable: error
    )
    self.init(report, error: error)
  }
}

extension JSONReport {
  /// The size of the image in the new file, or in the given one if there is none; nil if it is unknown.
  fileprivate var resultingSize: (width: Int, height: Int)? {
    if let crop { return (crop.result.width, crop.result.height) }
    guard let width, let height else { return nil }
    let (columns, rows) = (width - (trimmed?.columns ?? 0), height - (trimmed?.rows ?? 0))
    // Other files store the image as before.
    return (format == .jpeg ? transform ?? .none : .none).size(width: columns, height: rows)
  }
}

internal import Archive
internal import Reports
internal import SystemPackage
internal import Upright

extension JSONReport {
  /// One line of NDJSON.
  init(_ report: FileReport) {
    let path = report.path.string
    switch report.result {
    case .planned(let plan): self.init(path: path, planned: plan, facts: report.facts)
    case .done(let outcome): self.init(path: path, done: outcome)
    case .failed(let failure):
      self.init(path: path, status: .failed)
      error = Reason(id: failure.identifier, text: failure.message, offset: failure.offset)
    case .undo(let undo):
      self.init(path: path, status: undo.status)
      reason = undo.reason.map { Reason(id: $0.identifier, text: $0.explanation) }
      size = undo.original?.size
      sha256 = undo.original?.sha256
    }
    if String(validating: report.path) == nil {
      pathBytes = report.path.bytes.map { String($0, radix: 16).leftPadded(to: 2) }.joined()
    }
    output = report.output?.string
    sidecar = report.sidecar
    if !report.warnings.isEmpty { warnings = report.warnings }
  }
}

internal import Reports
internal import SystemPackage
internal import Upright

extension JSONVerification {
  /// Creates the object of one line of NDJSON.
  init(_ report: VerificationReport) {
    let (original, result) = (report.original.string, report.result.string)
    switch report.outcome {
    case .status(let status): self.init(original: original, result: result, status: status)
    case .restored(let text), .unchecked(let text):
      self.init(original: original, result: result, status: report.status, text: text)
    case .unreadable(let error):
      self.init(original: original, result: result, unreadable: error)
    case .compared(let verdict):
      self.init(original: original, result: result, compared: verdict)
    }
  }
}

internal import Reports
internal import SystemPackage

/// Makes the printouts of compared pairs.
struct VerificationPrinter: Sendable {
  var format: VerifyCommand.Format
  var quiet: Bool
  var verbose: Bool
  /// The colors on standard output.
  var palette = Palette(.standardOutput)

  /// Counts a report and appends its output.
  func print(_ report: VerificationReport, to printout: inout Printout) {
    printout.pairs.count(report)
    guard !quiet || report.exitStatus != 0 else { return }
    switch format {
    case .ndjson: printout.output.append(line: JSONVerification(report).jsonLine)
    case .text:
      for line in report.lines(verbose: verbose, palette) { printout.output.append(line: line) }
    }
  }
}

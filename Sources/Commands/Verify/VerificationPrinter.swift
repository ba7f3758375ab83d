internal import Reports
internal import Synchronization
internal import Upright

/// Prints the results of pairs, on any thread, and their summary.
final class VerificationPrinter: Sendable {
  private struct State: Sendable {
    var status: Int32 = 0
    var tally = VerificationTally()
  }

  private let console = Console()
  private let format: VerifyCommand.Format
  private let quiet: Bool
  private let verbose: Bool
  private let state = Mutex(State())

  init(format: VerifyCommand.Format, quiet: Bool, verbose: Bool) {
    self.format = format
    self.quiet = quiet
    self.verbose = verbose
  }

  /// Counts a report and prints it.
  func print(_ report: VerificationReport) {
    state.withLock {
      $0.status = max($0.status, report.exitStatus)
      $0.tally.count(report)
    }
    guard !quiet || report.exitStatus != 0 else { return }
    switch format {
    case .ndjson: console.line(JSONVerification(report).jsonLine)
    case .text: for line in report.lines(verbose: verbose) { console.line(line) }
    }
  }

  /// Prints the summary, if requested, and ends the command with its exit status.
  ///
  /// - Throws: `ExitCode`, if it is not 0.
  func finish(sumsUp: Bool) throws {
    let state = state.withLock { $0 }
    if sumsUp, !quiet, case .text = format { console.line(state.tally.summary) }
    try console.end(state.status)
  }
}

internal import Archive
internal import ArgumentParser
internal import Reports
internal import SystemPackage
internal import Upright

/// How results are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, ndjson
}

/// Where results and messages go: data to standard output, trouble to standard error.
final class Console {
  private let format: OutputFormat
  /// Whether standard output carries a picture, so that reports go to standard error.
  private let outputIsPicture: Bool
  private let quiet: Bool
  private let verbose: Bool
  /// Whether a record of the rewrites is kept.
  private let keepsRecord: Bool
  private var tally = Tally()
  /// Why results could not be printed.
  private var failure: FileError?

  init(
    format: OutputFormat = .text,
    outputIsPicture: Bool = false,
    quiet: Bool = false,
    verbose: Bool = false,
    keepsRecord: Bool = false
  ) {
    self.keepsRecord = keepsRecord
    self.format = format
    self.outputIsPicture = outputIsPicture
    self.quiet = quiet
    self.verbose = verbose
  }

  /// Counts a report and prints it.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - row: The line for people; by default what was done.
  func print(_ report: FileReport, row: ((FileReport) -> String)? = nil) {
    tally.count(report)
    if case .ndjson = format {
      if !quiet || report.status == .failed { line(JSONReport(report).line) }
      return
    }
    if let row {
      if !quiet { line(row(report)) }
      return
    }
    for warning in report.warnings { error("\(TextFormat.path(report.path)): \(warning)") }
    let text = "\(TextFormat.path(report.path)): \(TextFormat.action(report))"
    switch report.status {
    case .failed: error(text)
    case .left: if !quiet { line(text) }
    case .nothing: if !quiet, verbose || report.isNamed { line(text) }
    case .planned, .turned, .reset, .restored, .restorable:
      guard !quiet else { return }
      line(text)
      if case .done(.rewritten(let rewrite)) = report.result, let redraw = rewrite.redraw,
        verbose || report.isNamed
      {
        line("  note: \(TextFormat.redraw(redraw))")
      }
      if let sidecar = report.sidecar { line("  note: \(sidecar)") }
      for note in report.plan?.notes ?? [] where verbose || report.isNamed {
        line("  note: \(note)")
      }
    }
  }

  /// Prints the summary and ends the command with its exit status.
  ///
  /// - Parameter always: Whether to sum up a single file, and when nothing else is printed.
  /// - Throws: `ExitCode`, where it is not 0.
  func finish(always: Bool = false) throws {
    if case .text = format, always || !quiet && tally.total != 1 {
      line(tally.summary)
      if keepsRecord { line(tally.restorableSummary) }
    }
    if let failure { error(failure.message) }
    let status = failure == nil ? tally.exitStatus : 2
    if status != 0 { throw ExitCode(status) }
  }

  /// Prints a line of results.
  func line(_ text: String) {
    put(text, to: outputIsPicture ? .standardError : .standardOutput)
  }

  /// Prints a line about trouble.
  func error(_ text: String) { put(text, to: .standardError) }

  private func put(_ text: String, to stream: FileDescriptor) {
    do throws(FileError) {
      try StandardStreams.write(Array((text + "\n").utf8), to: stream)
    } catch {
      // A reader that has gone away wants no more lines; the work goes on.
      if error.identifier != "broken-pipe" { failure = failure ?? error }
    }
  }
}

internal import Archive
internal import ArgumentParser
internal import SystemPackage
internal import Upright

/// How results are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, ndjson
}

/// Where results and messages go: data to standard output, trouble to standard error.
struct Console {
  var format = OutputFormat.text
  /// Whether standard output carries a picture, so that reports go to standard error.
  var outputIsPicture = false
  var quiet = false
  var verbose = false

  /// Prints a report and counts it.
  func print(_ report: FileReport, _ tally: inout Tally) {
    tally.count(report)
    if case .ndjson = format {
      line(JSONReport(report).line)
      return
    }
    for warning in report.warnings { error("\(TextFormat.path(report.path)): \(warning)") }
    let text = "\(TextFormat.path(report.path)): \(TextFormat.action(report))"
    switch report.status {
    case .failed: error(text)
    case .left: if !quiet { line(text) }
    case .nothing: if !quiet, verbose || report.isNamed { line(text) }
    case .planned, .turned, .reset:
      guard !quiet else { return }
      line(text)
      if let sidecar = report.sidecar { line("  note: \(sidecar)") }
      for note in report.plan?.notes ?? [] where verbose || report.isNamed {
        line("  note: \(note)")
      }
    }
  }

  /// Prints the summary, where there is more than one file to sum up.
  func finish(_ tally: Tally) {
    if case .text = format, !quiet, tally.total != 1 { line(tally.summary) }
  }

  /// Prints a line of results.
  func line(_ text: String) {
    put(text, to: outputIsPicture ? .standardError : .standardOutput)
  }

  /// Prints a line about trouble.
  func error(_ text: String) { put(text, to: .standardError) }

  private func put(_ text: String, to stream: FileDescriptor) {
    // A reader that has gone away wants no more lines; the work goes on.
    try? StandardStreams.write(Array((text + "\n").utf8), to: stream)
  }
}

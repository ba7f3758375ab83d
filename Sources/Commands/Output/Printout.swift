internal import Reports
internal import Upright

/// What is printed of one file, made on the thread that worked on it.
struct Printout: Sendable {
  /// What goes to standard output; whole lines, or an object of a JSON document.
  var output: [UInt8] = []
  /// What goes to standard error: whole lines.
  var error: [UInt8] = []
  /// The file's part of the totals.
  var tally = Tally()
  /// The file's part of the tables.
  var entry: SurveyEntry?
}

/// Makes printouts of reports.
struct Printer: Sendable {
  var format = OutputFormat.text
  var quiet = false
  var verbose = false
  /// The line of a file in text format; by default what was done.
  var row: (@Sendable (FileReport) -> String)?
  /// Whether the files are looked at in tables.
  var surveys = false

  /// What is printed of a file.
  func printout(_ report: FileReport) -> Printout {
    var printout = Printout()
    printout.tally.count(report)
    if surveys || format == .table { printout.entry = SurveyEntry(report) }
    switch format {
    case .text: describe(report, &printout)
    case .table: if report.status == .failed { printout.error.append(line: text(report)) }
    case .csv: if isWanted(report) { printout.output.append(line: CSVReport(report).row) }
    case .ndjson: if isWanted(report) { printout.output.append(line: JSONReport(report).line) }
    case .json: if isWanted(report) { printout.output += Array(JSONReport(report).line.utf8) }
    }
    return printout
  }

  private func isWanted(_ report: FileReport) -> Bool { !quiet || report.status == .failed }

  private func text(_ report: FileReport) -> String {
    "\(TextFormat.path(report.path)): \(TextFormat.action(report))"
  }

  private func describe(_ report: FileReport, _ printout: inout Printout) {
    if let row {
      if !quiet { printout.output.append(line: row(report)) }
      return
    }
    for warning in report.warnings {
      printout.error.append(line: "\(TextFormat.path(report.path)): \(warning)")
    }
    let isDetailed = verbose || report.isNamed
    switch report.status {
    case .failed: printout.error.append(line: text(report))
    case .left: if !quiet { printout.output.append(line: text(report)) }
    case .nothing: if !quiet, isDetailed { printout.output.append(line: text(report)) }
    case .planned, .turned, .cropped, .reset, .tagged, .restored, .restorable, .converted,
      .convertible:
      guard !quiet else { return }
      printout.output.append(line: text(report))
      if case .done(.rewritten(let rewrite)) = report.result, let redraw = rewrite.redraw,
        isDetailed
      {
        printout.output.append(line: "  note: \(TextFormat.redraw(redraw))")
      }
      if case .conversion(let conversion) = report.result {
        let notes = isDetailed ? conversion.notes : []
        for note in conversion.losses + notes { printout.output.append(line: "  note: \(note)") }
      }
      if let sidecar = report.sidecar { printout.output.append(line: "  note: \(sidecar)") }
      for note in report.plan?.notes ?? [] where isDetailed {
        printout.output.append(line: "  note: \(note)")
      }
    }
  }
}

extension [UInt8] {
  /// Appends a text and a line end.
  mutating func append(line: String) {
    append(contentsOf: line.utf8)
    append(UInt8(ascii: "\n"))
  }
}

internal import FileSystem
internal import Reports
internal import SystemPackage
internal import Upright

/// What is printed of some files, made on the thread that worked on them.
struct Printout: Sendable {
  /// What goes to standard output; whole lines, or objects of a JSON document.
  var output: [UInt8] = []
  /// What goes to standard error: whole lines.
  var error: [UInt8] = []
  /// Their part of the totals.
  var tally = Tally()
  /// Their part of the tables.
  var survey = Survey()
  /// Their rows of the page.
  var rows: [AuditPage.Row] = []
}

/// Makes printouts of reports.
struct Printer: Sendable {
  var format = OutputFormat.text
  var quiet = false
  var verbose = false
  /// The line of a file in text format; by default, and where it is nil, what was done.
  var row: (@Sendable (FileReport) -> String?)?
  /// Whether files that are already upright are left out, even where they were named.
  var findingsOnly = false
  /// A page that shows the files, too.
  var page: AuditPage?

  /// What stands between two objects of a JSON document.
  static let jsonSeparator = Array(",\n".utf8)

  /// Appends what is printed of a file.
  func print(_ report: FileReport, to printout: inout Printout) {
    printout.tally.count(report)
    if let page { printout.rows.append(page.row(report)) }
    switch format {
    case .text: describe(report, &printout)
    case .table:
      printout.survey.add(SurveyEntry(report))
      // The table has it, with others of its kind.
      if report.status == .failed, quiet || verbose { printout.error.append(text: text(report)) }
    case .csv: if isRequested(report) { printout.output.append(line: CSVReport(report).row) }
    case .ndjson:
      if isRequested(report) { printout.output.append(line: JSONReport(report).jsonLine) }
    case .json:
      guard isRequested(report) else { return }
      if !printout.output.isEmpty { printout.output += Self.jsonSeparator }
      printout.output += JSONReport(report).jsonBytes
    }
  }

  /// Counts something that is not worked on, and says so to those who want to know more.
  func ignore(_ path: FilePath, _ reason: Walk.Reason, in printout: inout Printout) {
    printout.tally.countIgnored(reason)
    mention("\(TextFormat.path(path)): ignored (\(reason.rawValue))", in: &printout)
  }

  /// Says something to those who want to know more.
  func mention(_ text: String, in printout: inout Printout) {
    guard verbose, !quiet else { return }
    printout.error.append(line: text)
  }

  private func isRequested(_ report: FileReport) -> Bool { !quiet || report.status == .failed }

  private func text(_ report: FileReport) -> String {
    "\(TextFormat.path(report.path)): \(TextFormat.action(report))"
  }

  private func describe(_ report: FileReport, _ printout: inout Printout) {
    if let row = row?(report) {
      if !quiet {
        printout.output.append(text: row)
      } else if report.status == .failed {
        printout.error.append(text: text(report))
      }
      return
    }
    for warning in report.warnings {
      printout.error.append(text: "\(TextFormat.path(report.path)): \(warning)")
    }
    if let sidecar = report.sidecar, report.sidecarFailed {
      printout.error.append(text: "\(TextFormat.path(report.path)): \(sidecar)")
    }
    let isDetailed = verbose || report.isNamed && !findingsOnly
    switch report.status {
    case .failed: printout.error.append(text: text(report))
    case .skipped: if !quiet { printout.output.append(text: text(report)) }
    case let status where status.isUnchanged && !isDetailed && report.sidecar == nil: break
    case .alreadyUpright, .unchanged, .planned, .normalized, .rotated, .flipped, .cropped, .reset,
      .tagged, .restored, .restorable, .converted, .convertible:
      guard !quiet else { return }
      printout.output.append(text: text(report))
      if let redraw = report.redraw, isDetailed {
        printout.output.append(text: "  note: \(TextFormat.redraw(redraw))")
      }
      if case .conversion(let conversion) = report.result {
        let notes = isDetailed ? conversion.notes : []
        for note in conversion.losses + notes { printout.output.append(text: "  note: \(note)") }
      }
      if let sidecar = report.sidecar, !report.sidecarFailed {
        printout.output.append(text: "  note: \(sidecar)")
      }
      for note in report.plan?.notes ?? [] where isDetailed && !report.status.isUnchanged {
        printout.output.append(text: "  note: \(note)")
      }
    }
  }
}

extension [UInt8] {
  /// Appends a line for people; what came from a file cannot steer their terminal.
  mutating func append(text: String) { append(line: TextFormat.escaped(text)) }

  /// Appends a text and a line end.
  mutating func append(line: String) {
    append(contentsOf: line.utf8)
    append(UInt8(ascii: "\n"))
  }
}

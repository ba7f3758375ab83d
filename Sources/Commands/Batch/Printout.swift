internal import FileSystem
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

/// The output for some files, made on the thread that processed them.
struct Printout: Sendable {
  /// The bytes for standard output: whole lines, or objects of a JSON document.
  var output: [UInt8] = []
  /// What remains of `output` without the files that are done as requested.
  var findings: [UInt8] = []
  /// The number of files that are done as requested, and have lines.
  var routine = 0
  /// The bytes for standard error: whole lines.
  var error: [UInt8] = []
  /// The counts of these files.
  var tally = Tally()
  /// The tables of these files, if they are printed.
  var survey: Survey?
  /// The counts of compared pairs.
  var pairs = VerificationTally()
  /// The rows of these files on the page.
  var rows: [Page.Row] = []
}

/// Makes the printouts of reports.
struct Printer: Sendable {
  var format = OutputFormat.text
  var quiet = false
  var verbose = false
  /// Whether only the first files that are done as requested have lines.
  var isBrief = false
  /// The colors on standard output and on standard error.
  var palettes = (output: Palette.plain, error: Palette.plain)
  /// Returns the line of a file in text format, escaped; if nil, the action is printed.
  var row: (@Sendable (FileReport, Palette) -> String?)?
  /// Whether plans are what the command was asked for.
  ///
  /// If not, they are no findings, are not summed up, and name no option, because the command takes none that changes them.
  var reportsPlans = true
  /// Whether files that are already upright are omitted, even if the user named them.
  var findingsOnly = false
  /// The options of the run that keep the originals, which commands in advice have, too.
  var keeping: [String] = []
  /// The page that also lists the files.
  var page: Page?

  /// The bytes between two objects of a JSON document.
  static let jsonSeparator = Array(",\n".utf8)

  /// Appends the output for a file.
  func print(_ report: FileReport, to printout: inout Printout) {
    if reportsPlans {
      add(report, to: &printout)
    } else {
      add(report.withoutOptionRemedies, to: &printout)
    }
  }

  /// Appends the output for a file, whose remedies are those of the command.
  private func add(_ report: FileReport, to printout: inout Printout) {
    printout.tally.count(report)
    if verbose, format == .table || row != nil {
      for text in report.neighbourTexts + report.obeyedSidecarTexts {
        mention("\(TextFormat.path(report.path)): \(text)", in: &printout)
      }
    }
    guard report.mayNeedAdvice else { return printAdvised(report, of: report, to: &printout) }
    printAdvised(report.advised(keeping: keeping), of: report, to: &printout)
  }

  /// Appends the output for a file, whose texts name the options that help; the page has others.
  private func printAdvised(
    _ report: FileReport,
    of original: FileReport,
    to printout: inout Printout
  ) {
    if format == .table || page != nil {
      // What the tables and the page count of a file.
      let entry = SurveyEntry(report)
      if format == .table {
        if printout.survey == nil { printout.survey = Survey() }
        printout.survey?.add(entry)
      }
      if let page { printout.rows.append(page.row(original, entry)) }
    }
    switch format {
    case .text: describe(report, &printout)
    case .table:
      // The table lists the failure together with others of its kind.
      if quiet || verbose, report.status == .failed {
        printout.error.append(line: Self.line(report, palettes.error))
      }
    case .csv: if isRequested(report) { printout.output.append(line: CSVReport(report).row) }
    case .ndjson:
      guard isRequested(report) else { return }
      JSONReport(report).append(to: &printout.output)
      printout.output.append(UInt8(ascii: "\n"))
    case .json:
      guard isRequested(report) else { return }
      if !printout.output.isEmpty { printout.output += Self.jsonSeparator }
      JSONReport(report).append(to: &printout.output)
    }
  }

  /// Counts an ignored file or directory, and prints it if `verbose`.
  func ignore(_ path: FilePath, _ reason: Walk.Reason, in printout: inout Printout) {
    printout.tally.countIgnored(path, reason)
    mention("\(TextFormat.path(path)): ignored (\(reason.rawValue))", in: &printout)
  }

  /// Prints a text if `verbose`.
  func mention(_ text: String, in printout: inout Printout) {
    guard verbose, !quiet else { return }
    printout.error.append(line: text)
  }

  private func isRequested(_ report: FileReport) -> Bool { !quiet || report.status == .failed }

  /// Returns the path of a file and what is or was done with it, escaped.
  static func line(_ report: FileReport, _ palette: Palette) -> String {
    let action = TextFormat.escaped(report.text)
    return "\(TextFormat.path(report.path)): \(palette.marked(action, report.status))"
  }

  private func describe(_ report: FileReport, _ printout: inout Printout) {
    if let row = row?(report, palettes.output) {
      if !quiet {
        printout.output.append(line: row)
      } else if report.status == .failed {
        printout.error.append(line: Self.line(report, palettes.error))
      }
      return
    }
    for warning in report.warnings {
      printout.error.append(text: "\(TextFormat.path(report.path)): \(warning.text)")
    }
    let companions = report.companionTexts
    if report.companionFailed {
      for text in companions {
        printout.error.append(text: "\(TextFormat.path(report.path)): \(text)")
      }
    }
    let unchecked = report.plan?.notes.filter { $0.code == .imageNotChecked } ?? []
    let isDetailed = verbose || report.isNamed && !findingsOnly
    switch report.status {
    case .failed: printout.error.append(line: Self.line(report, palettes.error))
    case .skipped, .interrupted:
      guard !quiet else { return }
      let line = Self.line(report, palettes.output)
      printout.output.append(line: line)
      printout.findings.append(line: line)
    case let status
    where status.isUnchanged && !isDetailed && companions.isEmpty && unchecked.isEmpty:
      break
    case .alreadyUpright, .unchanged, .planned, .normalized, .rotated, .flipped, .cropped, .reset,
      .tagged, .restored, .restorable, .stripped, .converted, .convertible:
      guard !quiet else { return }
      printout.routine += 1
      printout.output.append(line: Self.line(report, palettes.output))
      if let redraw = report.redraw, isDetailed {
        printout.output.append(text: "  note: \(TextFormat.redraw(redraw))")
      }
      if case .conversion(let conversion) = report.result {
        let notes = isDetailed ? conversion.notes.map(\.text) : []
        for text in conversion.losses + notes { printout.output.append(text: "  note: \(text)") }
      }
      for text in companions where !report.companionFailed {
        printout.output.append(text: "  note: \(text)")
      }
      for text in report.neighbourTexts where isDetailed {
        printout.output.append(text: "  note: \(text)")
      }
      let notes = report.status.isUnchanged ? unchecked : isDetailed ? report.plan?.notes ?? [] : []
      for note in notes {
        // Most phones write a subject area, so it is counted instead.
        if !verbose, note.code == .subjectKept { continue }
        printout.output.append(text: "  note: \(note)")
      }
    }
  }
}

extension [UInt8] {
  /// Appends a line of text with control characters escaped.
  mutating func append(text: String) { append(line: TextFormat.escaped(text)) }

  /// Appends a text and a line end.
  mutating func append(line: String) {
    append(contentsOf: line.utf8)
    append(UInt8(ascii: "\n"))
  }
}

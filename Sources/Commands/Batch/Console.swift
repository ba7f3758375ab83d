internal import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import Records
internal import Reports
internal import Synchronization
internal import SystemPackage
internal import Upright

/// Prints results to standard output, and errors, warnings and progress to standard error.
final class Console: Sendable {
  private struct State: Sendable {
    var tally = Tally()
    var survey: Survey?
    var pairs = VerificationTally()
    var progress: Progress?
    /// Whether the beginning of a table or document was printed.
    var hasBegun = false
    /// The number of files that are done as requested, and have lines.
    var routine = 0
    /// Whether further ones are only counted.
    var isBrief = false
    /// The text to print after the summary.
    var closing: String?
    /// The error of writing the results.
    var failure: FileError?
    /// Whether something other than an input failed.
    var hasFailed = false
  }

  let printer: Printer
  /// Whether an image is written to standard output, so that reports go to standard error.
  private let outputIsImage: Bool
  /// Whether rewrites are recorded.
  private let keepsRecord: Bool
  /// Whether results hold their undo data.
  private let embedsUndo: Bool
  /// The warning at a terminal if files were replaced that do not hold their undo data.
  private let warning: String?
  private let state = Mutex(State())

  init(
    _ printer: Printer = Printer(),
    outputIsImage: Bool = false,
    keepsRecord: Bool = false,
    embedsUndo: Bool = false,
    warning: String? = nil
  ) {
    var printer = printer
    if outputIsImage { printer.palettes.output = printer.palettes.error }
    self.printer = printer
    self.outputIsImage = outputIsImage
    self.keepsRecord = keepsRecord
    self.embedsUndo = embedsUndo
    self.warning = warning
  }

  /// The counts so far.
  var tally: Tally { state.withLock { $0.tally } }

  /// The counts of compared pairs so far.
  var pairs: VerificationTally { state.withLock { $0.pairs } }

  /// Whether the progress is shown.
  var showsProgress: Bool { !printer.quiet && StandardStreams.isTerminal(.standardError) }

  /// Shows the progress of the work on some files.
  func showProgress(of files: WalkAhead) { state.withLock { $0.progress = Progress(of: files) } }

  /// Counts a report and prints it.
  func print(_ report: FileReport) {
    var printout = Printout()
    printer.print(report, to: &printout)
    put(printout)
  }

  /// The number of files that are done as requested and have lines on a terminal; more hide what needs attention.
  private static let maxRoutine = 20

  /// Counts and prints the results of some files in one piece.
  func put(_ printout: Printout) {
    state.withLock { state in
      let printout = shortened(printout, &state)
      state.tally += printout.tally
      if let survey = printout.survey {
        if state.survey == nil { state.survey = Survey() }
        state.survey? += survey
      }
      state.pairs += printout.pairs
      printer.page?.append(printout.rows)
      if !printout.output.isEmpty || !printout.error.isEmpty { state.progress?.clear() }
      if !printout.output.isEmpty {
        put(separator(state.hasBegun) + printout.output, to: results, &state)
        state.hasBegun = true
      }
      if !printout.error.isEmpty { put(printout.error, to: .standardError, &state) }
      state.progress?.advance(by: printout.tally.total, state.tally)
    }
  }

  /// Returns what is printed of some files, if only the first that are done as requested have lines.
  private func shortened(_ printout: Printout, _ state: inout State) -> Printout {
    guard printer.isBrief, printout.routine > 0 else { return printout }
    state.routine += printout.routine
    guard state.routine > Self.maxRoutine else { return printout }
    var brief = printout
    brief.output = printout.findings
    if !state.isBrief {
      state.isBrief = true
      brief.output.append(
        line: "…: of further files only those that need attention are listed; -v lists all"
      )
    }
    return brief
  }

  /// The bytes to print before the next files.
  private func separator(_ hasBegun: Bool) -> [UInt8] {
    switch printer.format {
    case .text, .table, .ndjson: []
    case .csv: hasBegun ? [] : Array((CSVReport.heading + "\n").utf8)
    case .json: hasBegun ? Printer.jsonSeparator : Array(JSONSummary.opening.utf8)
    }
  }

  /// Sets the text that is printed after the summary.
  func close(with text: String) { state.withLock { $0.closing = text } }

  /// Prints the summary and ends the command with its exit status.
  ///
  /// - Throws: `ExitCode`, if it is not 0.
  func finish(always: Bool = false, check: Bool = false) throws {
    let interruption = Interruption.exitStatus
    finishPage(isInterrupted: interruption != nil)
    let (tally, hasFailed) = state.withLock { state in
      state.progress?.finish(state.tally)
      state.progress = nil
      var end: [UInt8] = []
      switch printer.format {
      case .text where !printer.reportsPlans: break
      case .text:
        let sumsUp =
          !printer.quiet
          && (always || interruption != nil || state.tally.total != 1
            || !state.tally.ignored.isEmpty)
        // For a named file, notes say what does not fit, but for subject areas.
        let namesMisfits =
          sumsUp || !printer.quiet && (state.tally.hasFoundFile || state.tally.keepsSubjects)
        let lines = [
          sumsUp ? state.tally.summary(printer.palettes.output) : nil,
          sumsUp ? state.tally.credentialSummary : nil,
          namesMisfits ? state.tally.misfitSummary : nil,
          sumsUp && keepsRecord ? state.tally.restorableSummary : nil,
          sumsUp && embedsUndo ? state.tally.embeddedSummary : nil,
          printer.quiet ? nil : state.closing,
        ]
        for case let line? in lines { end.append(line: line) }
      case .table:
        if !printer.quiet { end += Array((state.survey ?? Survey()).table(state.tally).utf8) }
      case .csv: if !state.hasBegun { end += separator(false) }
      case .ndjson: break
      case .json:
        end +=
          (state.hasBegun ? [] : separator(false)) + Array(JSONSummary.ending(state.tally).utf8)
      }
      if !end.isEmpty { put(end, to: results, &state) }
      return (state.tally, state.hasFailed)
    }
    if interruption != nil {
      error(
        "interrupted; each file is either unchanged or completely rewritten, and files that are not counted were not started"
      )
    }
    if let warning, tally.replacesForGood, !printer.quiet,
      StandardStreams.isTerminal(.standardError)
    {
      error(warning)
    }
    let findings: Int32 = check && tally.planned > 0 ? 1 : 0
    let status = max(tally.exitStatus, findings)
    try end(interruption ?? (hasFailed ? 2 : status == 1 && !printer.reportsPlans ? 0 : status))
  }

  private func finishPage(isInterrupted: Bool) {
    guard let page = printer.page, !isInterrupted || page.isWrittenWhenInterrupted else { return }
    do throws(FileError) {
      try page.finish(tally, isInterrupted: isInterrupted)
      if !printer.quiet, let place = page.place { error(place) }
    } catch {
      fail(error)
    }
  }

  /// Ends the command with an exit status, or with 2 if output could not be written.
  ///
  /// - Throws: `ExitCode`, if it is not 0.
  func end(_ status: Int32) throws {
    let status = self.status(status)
    if status != 0 { throw ExitCode(status) }
  }

  /// Returns the exit status of a command that prints nothing more: `status`, or 2 if that is higher and output
  /// could not be written.
  func status(_ status: Int32) -> Int32 {
    guard let failure = state.withLock({ $0.failure }) else { return status }
    error("output is incomplete: \(failure.message)")
    return max(status, 2)
  }

  /// Prints that plans were made from headers only, if a file would be changed.
  func qualifyPlans() {
    switch printer.format {
    case .text, .table: break
    case .csv, .ndjson, .json: return
    }
    guard !printer.quiet, tally[.planned] > 0 else { return }
    error("only headers were read; --deep also finds what they do not show, such as damaged scans")
  }

  /// Prints a line of results.
  func line(_ text: String) { state.withLock { put(Array((text + "\n").utf8), to: results, &$0) } }

  /// Prints a line to standard error.
  func error(_ text: String) {
    state.withLock { state in
      state.progress?.clear()
      put(Array((text + "\n").utf8), to: .standardError, &state)
    }
  }

  /// Prints the error of something other than an input, and makes the command fail.
  func fail(_ failure: FileError) {
    fail(failure.path, UprightError(failure).advised().text)
  }

  /// Prints what is wrong with something other than a photo, and makes the command fail.
  func fail(_ path: FilePath, _ text: String) {
    state.withLock { $0.hasFailed = true }
    error("\(TextFormat.path(path)): \(text)")
  }

  /// Reports rewritten files whose lines are not in the record any more, or that it cannot be read, and makes the command
  /// fail.
  func check(_ record: RecordLog, at path: FilePath) {
    guard let loss = record.loss else { return }
    state.withLock { state in
      state.tally.loseRecords(loss.count)
      state.hasFailed = true
    }
    error("\(TextFormat.path(path)): \(loss.failure.message)")
  }

  private var results: FileDescriptor { outputIsImage ? .standardError : .standardOutput }

  private func put(_ bytes: [UInt8], to stream: FileDescriptor, _ state: inout State) {
    do throws(FileError) {
      try StandardStreams.write(bytes, to: stream)
    } catch {
      // The work goes on after the reader of the output closed the pipe.
      if error.identifier != "broken-pipe" { state.failure = state.failure ?? error }
    }
  }
}

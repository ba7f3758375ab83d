internal import Archive
internal import ArgumentParser
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// `upright audit`: what would be done, and why; nothing is written.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    abstract: "Tell for each file what a normalization would do, and why; write nothing.",
    discussion: """
      Reads little more than the headers. Directories are walked. \
      For files it prints a line each: stored size, sampling, coding, orientation, path, and what would be \
      done. For directories and lists it prints a table of totals. --format chooses otherwise.
      """
  )

  @Argument(help: "Files and directories.", completion: .file())
  var paths: [String] = []

  @OptionGroup(title: "Files") var files: SelectionOptions

  @Flag(help: "Exit with status 1 if a file is to be turned: for data sets that must not have any.")
  var check = false

  @Option(
    help: ArgumentHelp(
      """
      Also write a page for a browser to this file: totals as plots, and the files that need attention with \
      their thumbnails. A page from before is replaced.
      """,
      valueName: "file"
    ),
    completion: .file(extensions: ["html"])
  )
  var html: String?

  @OptionGroup(title: "Policies") var policy: PolicyOptions

  @OptionGroup(title: "Output") var batch: BatchOptions

  func validate() throws {
    try files.check(paths)
    if html == "-" { throw ValidationError("--html takes the name of a file.") }
    try OwnFiles(files: [("--html", html)])
      .check(inputs: paths + [files.filesFrom], takesSidecars: true)
  }

  func run() throws {
    Interruption.observe()
    ProcessMemory.reuse(isShared: false)
    var printer = Printer(
      format: batch.format ?? (namesFilesOnly ? .text : .table),
      quiet: batch.quiet,
      verbose: batch.verbose
    )
    printer.row = Self.row
    let console = Console(printer)
    let page: AuditPage?
    do throws(FileError) {
      page = try html.map { name throws(FileError) in try AuditPage(ArgumentPath.path(name)) }
    } catch {
      console.fail(error)
      throw ExitCode(2)
    }
    let selection = files.selection(paths, recursive: true)
    console.showProgress(of: selection)
    var options = policy.options
    options.maxBytes = files.limit.maxBytes
    let normalizer = Normalizer(options: options)
    let met = MetFiles(remembersAll: selection.repeats)
    let printing = printer
    let detail = printer.format == .table && page == nil ? Audit.Detail.totals : .everything
    Batch(jobs: batch.jobs, stride: 32).forEach(selection) { items in
      var printout = Printout()
      var rows: [AuditPage.Row] = []
      for item in items {
        switch Self.finding(item, normalizer, met, detail) {
        case .nothing: break
        case .skipped(let path, let reason): printing.skip(path, reason, in: &printout)
        case .file(let report):
          printing.print(report, to: &printout)
          if let row = page?.row(report) { rows.append(row) }
        }
      }
      return (printout: printout, rows: rows)
    } then: {
      console.put($0.printout)
      page?.append($0.rows)
    }
    if Interruption.exitStatus == nil {
      do throws(FileError) {
        try page?.finish(skipped: JSONSummary.skipped(console.tally))
      } catch {
        console.fail(error)
      }
    }
    try console.finish(always: true, check: check, interruption: Interruption.exitStatus)
  }

  /// Whether a line for each file is what people expect.
  private var namesFilesOnly: Bool {
    files.filesFrom == nil
      && paths.allSatisfy {
        (try? Syscalls.status(ArgumentPath.path($0), followingLinks: true))?.kind != .directory
      }
  }

  /// What there is to say of something that the walk met.
  enum Finding {
    case nothing
    case skipped(FilePath, Walk.Reason)
    case file(FileReport)
  }

  /// Looks at something that the walk met.
  ///
  /// - Parameters:
  ///   - item: What the walk met.
  ///   - normalizer: Plans what would be done.
  ///   - met: The files that the run has met, where each is counted once.
  ///   - detail: How much is looked for.
  /// - Returns: What there is to say.
  static func finding(
    _ item: Walk.Item,
    _ normalizer: Normalizer,
    _ met: MetFiles? = nil,
    _ detail: Audit.Detail = .everything
  ) -> Finding {
    switch item {
    case .skipped(let path, let reason): return .skipped(path, reason)
    case .failed(let error):
      return .file(FileReport(path: error.path, result: .failed(.init(error))))
    case .file(let found), .candidate(let found):
      let path = found.path
      do {
        let reader = try FileReader(path, isKnown: found.isRegular)
        if case .candidate = item, try !reader.looksLikeJPEG() { return .nothing }
        if let met, !met.isNew(found, reader.identity) { return .skipped(path, .duplicate) }
        let audit = try normalizer.audit(reader, detail)
        var report = FileReport(path: path, result: .planned(audit.plan))
        report.facts = audit.facts
        report.isNamed = found.isNamed
        report.folder = found.directory
        if found.mayHaveSidecar { look(at: audit.plan, detail, &report) }
        return .file(report)
      } catch {
        return .file(FileReport(path: path, result: .failed(.init(any: error))))
      }
    }
  }

  /// Looks for the sidecar of a photograph; it is read where the photograph itself needs nothing.
  private static func look(
    at plan: Plan,
    _ detail: Audit.Detail,
    _ report: inout FileReport
  ) {
    if case .everything = detail, let sidecar = SidecarFile.path(beside: report.path) {
      report.sidecar = "there is a sidecar: \(TextFormat.path(sidecar))"
    }
    guard case .nothing = plan.action, let file = try? SidecarFile.find(beside: report.path),
      let reason = file.finding(PairFile(beside: report.path).state(of: file), plan)
    else { return }
    report.leave(for: reason)
  }

  /// A line of the table.
  @Sendable private static func row(_ report: FileReport) -> String {
    let picture = report.plan?.picture
    let columns = [
      (picture.map { "\($0.width)×\($0.height)" } ?? "-", 11),
      (picture?.sampling ?? "-", 9),
      (picture?.coding ?? "-", 11),
      (picture?.orientation.map { "\($0.rawValue)" } ?? "-", 1),
    ]
    return columns.map { TextFormat.column($0.0, $0.1) }.joined(separator: "  ")
      + "  \(TextFormat.path(report.path)): \(TextFormat.action(report))"
  }
}

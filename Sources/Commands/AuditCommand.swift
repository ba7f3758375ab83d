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

  @OptionGroup var files: SelectionOptions

  @OptionGroup var policy: PolicyOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    try files.check(paths)
    if html == "-" { throw ValidationError("--html takes the name of a file.") }
    try OwnFiles(files: [("--html", html)])
      .check(inputs: paths + [files.filesFrom], takesSidecars: true)
  }

  func run() throws {
    ProcessMemory.reuse(isShared: false)
    var printer = output.printer(namesFilesOnly ? .text : .table)
    printer.row = Self.row
    let begun = BatchRun(output, Console(printer))
    printer.page = try begun.open { () throws(FileError) in
      try html.map { (name) throws(FileError) in try AuditPage(ArgumentPath.path(name)) }
    }
    var run = BatchRun(output, Console(printer))
    run.stride = 32
    var options = policy.options
    options.maxBytes = files.limit.maxBytes
    let selection = files.selection(paths, recursive: true)
    let audit = FileAudit(
      normalizer: Normalizer(options: options),
      met: MetFiles(remembersAll: selection.repeats),
      detail: printer.format == .table && printer.page == nil ? .totals : .everything
    )
    run.work(audit, on: selection)
    try run.finish(always: true, check: check)
  }

  /// Whether a line for each file is what people expect.
  private var namesFilesOnly: Bool {
    files.filesFrom == nil
      && paths.allSatisfy {
        (try? Syscalls.status(ArgumentPath.path($0), followingLinks: true))?.kind != .directory
      }
  }

  /// A line of the table.
  @Sendable private static func row(_ report: FileReport) -> String? {
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

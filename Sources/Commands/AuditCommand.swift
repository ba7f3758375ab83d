internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import PhotoFiles
internal import Reports
internal import SystemPackage
internal import Upright

/// `upright audit`, which reports what would be done with each file and why, and writes nothing.
struct AuditCommand: ParsableCommand, DeclaredOptions {
  static let configuration = CommandConfiguration(
    commandName: "audit",
    _superCommandName: "upright",
    abstract: "Report what would be done with each file and why; write nothing.",
    discussion: """
      Reads little more than the file headers, which do not show damage after them. Directories are searched \
      recursively.

      For files, prints a line each: stored size, chroma subsampling, coding, orientation, path, and what \
      normalize would do. For directories and lists of files, prints a table of totals. --format selects another \
      output.

      EXAMPLES:
        upright audit photos
        upright audit --html audit.html photos
        upright audit --format csv photos > audit.csv
        upright audit --check photos
      """
  )

  var paths: [String] = []
  var check = false
  var deep = false
  var formats = FileFormats.all
  var html: String?
  var htmlImages: PageImages?
  var recursion = AlwaysRecursiveOption()
  var files = SelectionOptions()
  var policy = PolicyOptions()
  var readOnly = ReadOnlyOption()
  var sidecars = SidecarOption()
  var output = OutputOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.arguments(
      &paths,
      "paths",
      help: "Files and directories to audit. - reads standard input.",
      completion: .file()
    )
    try visitor.flag(
      &check,
      "check",
      help: """
        Exit with status 1 if a file is not upright. Prints only such files, and the command that normalizes them. They \
        are read completely, so that a file that cannot be normalized is reported as such. A directory without photos is \
        status 2. For checks of data sets in CI.
        """
    )
    try visitor.flag(
      &deep,
      "deep",
      help: """
        Read every file completely and rewrite it in memory, to find damage and limits that its header does not \
        show. Takes as long as normalize. Of the files that are already upright, only those with a thumbnail are \
        decoded, and reported if it shows the image in another orientation.
        """
    )
    try visitor.option(
      &formats,
      "formats",
      help: ArgumentHelp(
        """
        Formats to read, separated by commas: \(FileFormats.list); or all. Of formats other than JPEG, prints what the \
        file states about its orientation, and whether its parts agree.
        """,
        valueName: "formats"
      )
    )
    try visitor.page(
      &html,
      &htmlImages,
      help: """
        Also write a report for a browser to this file. It has totals, charts, and the files with their images, those \
        that need a decision first. An earlier report is replaced.
        """,
      rendered: "have no thumbnail or a tag that may be stale"
    )
    try visitor.group(&recursion, "recursion", title: "Files")
    try visitor.group(&files, "files")
    try visitor.group(&policy, "policy")
    try visitor.group(&readOnly, "readOnly", title: "Advanced")
    try visitor.group(&sidecars, "sidecars", title: "Advanced")
    try visitor.group(&output, "output", title: "Output")
  }

  func validate() throws {
    try files.check(paths)
    try Page.check(html, htmlImages, example: "audit.html")
    if paths.contains("-"), paths.count > 1 || files.filesFrom != nil || html != nil {
      throw ValidationError("- (standard input) must be the only input.")
    }
    try OwnFiles.check([("--html", html)], inputs: paths + [files.filesFrom], takesSidecars: true)
  }

  func run() throws {
    ProcessMemory.reuse(isShared: false)
    var printer = output.printer(namesFilesOnly || check ? .text : .table)
    if check { printer.findingsOnly = true } else { printer.row = Self.row }
    var run = BatchRun(output, Console(printer))
    printer.page = try run.open { () throws(FileError) in
      guard html != nil else { return nil }
      var settings = Page.Settings(.audit, of: "audit", policy.options)
      settings.nonDefault["--sidecars"] =
        sidecars.policy == .update ? nil : sidecars.policy.rawValue
      return try Page.opened(html, settings, htmlImages)
    }
    run.console = Console(printer)
    run.stride = 32
    var options = policy.options
    options.maxBytes = files.limit.maxBytes
    let selection = files.selection(
      paths,
      recursive: true,
      formats: formats.formats,
      distinguishesFormats: true
    )
    var requested = FilePolicy()
    requested.sidecars = sidecars.policy
    requested.protection = readOnly.rule
    var audit = FileAudit(
      Rewriter(options: options),
      requested,
      visited: VisitedFiles(remembersAll: selection.repeats)
    )
    audit.detail = printer.format == .table && printer.page == nil ? .totals : .everything
    audit.formats = formats
    audit.depth = deep ? .everything : check ? .planned : .headers
    audit.budget = options.maxMemory.map(Budget.init)
    if paths == ["-"] {
      run.console.print(FileReport(StandardStreams.path) { try audit.standardInputReport() })
    } else {
      run.work(audit, on: selection)
    }
    if check, Interruption.exitStatus == nil {
      for directory in directoriesWithoutFiles(selection, run.console.tally) {
        run.console.fail(directory, "no photo was found")
      }
    }
    if check, printer.format == .text, run.console.tally.planned > 0 {
      run.console.close(with: repair(hasLabels: run.console.tally.hasLabels))
    }
    try run.console.finish(always: true, check: check)
  }

  /// Returns the named directories in which nothing is selected, so that a check of them checks nothing.
  private func directoriesWithoutFiles(_ selection: Selection, _ tally: Tally) -> [FilePath] {
    guard selection.shard == nil else { return [] }
    return selection.walk.roots.filter { root in
      guard root.isDirectory else { return false }
      var walk = selection.walk
      walk.roots = [root]
      return tally.total == 0
        || !walk.contains { item in
          switch item {
          case .file, .candidate, .failed: true
          case .ignored: false
          }
        }
    }
  }

  /// Returns how to normalize the files.
  private func repair(hasLabels: Bool) -> String {
    if hasLabels {
      return
        "to normalize them with their labels: python3 -m upright.yolo, of the Python package upright-jpeg, or as docs/labels.md"
        + " says; upright normalize leaves labels as they are"
    }
    let folders = paths.contains { ArgumentPath.path($0).isDirectory } ? ["-r"] : []
    let list = files.filesFrom.map { ["--files-from", $0] } ?? []
    let shown = paths.count > 8 ? paths.prefix(8) + ["…"] : paths[...]
    return "to normalize them: "
      + TextFormat.commandLine(["upright", "normalize"] + folders + list + shown)
  }

  /// Whether the arguments are files only, so that a line for each file is printed.
  private var namesFilesOnly: Bool {
    files.filesFrom == nil
      && !paths.contains { ArgumentPath.path($0).isDirectory }
  }

  /// A line of the table.
  @Sendable private static func row(_ report: FileReport, _ palette: Palette) -> String? {
    let image = report.plan?.image
    let sampling = image?.jpeg?.sampling
    let coding = image?.jpeg?.process ?? image?.format.rawValue
    var size = "-"
    var number = "-"
    if let image {
      size = "\(image.size.width)×\(image.size.height)"
      if let orientation = image.orientation { number = "\(orientation.rawValue)" }
    }
    let columns: [(String, Int)] = [
      (size, 11), (sampling ?? "-", 9), (coding ?? "-", 11), (number, 1),
    ]
    var line = columns.map { TextFormat.column($0.0, $0.1) }.joined(separator: "  ")
    line += "  "
    line += Printer.line(report, palette)
    if report.reasonToSkip?.code.rawValue != "misnamed", let name = report.expectedName {
      line += "; the name should be \(TextFormat.escaped(name))"
    }
    if !report.pairedWith.isEmpty {
      line += "; a pair with "
      line += report.pairedWith.map(TextFormat.escaped).joined(separator: ", ")
    }
    if let transform = report.facts?.thumbnailTransform {
      line += "; the thumbnail shows the image in another orientation (\(transform) to match)"
    }
    return line
  }
}

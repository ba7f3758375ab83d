internal import ArgumentParser
internal import FileSystem
internal import ImageFormats
internal import PhotoFiles
internal import Records
internal import SystemPackage
internal import Upright

/// The arguments of all commands that rewrite files: the files, where results are written, and how they are
/// checked.
struct RewriteOptions: DeclaredOptions {
  var paths: [String] = []
  var destination = DestinationOptions()
  var originals = OriginalOptions()
  var journal = JournalOption()
  var report = ReportOptions()
  var recursion = RecursionOption()
  var files = SelectionOptions()
  var format = FormatOption()
  var output = OutputOptions()
  var replacement = ReplacementOptions()
  var checks = CheckOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.arguments(
      &paths,
      "paths",
      help: "Files and directories. - reads standard input and writes to standard output.",
      completion: .file()
    )
    try visitor.group(&destination, "destination", title: "Results")
    try visitor.group(&originals, "originals", title: "Results")
    try visitor.group(&journal, "journal", title: "Results")
    try visitor.group(&report, "report", title: "Results")
    try visitor.group(&recursion, "recursion", title: "Files")
    try visitor.group(&files, "files")
    try visitor.group(&format, "format", title: "Files")
    try visitor.group(&output, "output", title: "Output")
    try visitor.group(&replacement, "replacement", title: "Advanced")
    try visitor.group(&checks, "checks", title: "Advanced")
  }

  func validate() throws {
    try destination.check(paths, files)
    try report.check(isDry: destination.dryRun)
    if originals.deep, !destination.dryRun { throw ValidationError("--deep requires --dry-run.") }
    if paths.contains("-"),
      paths.count > 1 || destination.outputDir != nil || files.filesFrom != nil
    {
      throw ValidationError("- (standard input) must be the only input, without --output-dir.")
    }
    try journal.check(isSingle: paths == ["-"] || destination.output != nil)
    try checkFiles(record: nil)
  }

  /// Checks whether there are files to rewrite.
  func checkInputs(_ undo: UndoOptions? = nil) throws {
    try files.check(
      paths,
      taken: [
        ("--record", undo?.record), ("--journal", journal.journal), ("--backup", originals.backup),
        ("--report", report.report), ("--html", report.html),
      ]
    )
  }

  /// Checks the undo options against the others.
  func check(_ undo: UndoOptions, list: String? = nil) throws {
    if undo.requireUndo, checks.policy == .none {
      throw ValidationError("--require-undo and --no-verify cannot be combined.")
    }
    if undo.embedUndo, checks.policy == .none {
      throw ValidationError("--embed-undo and --no-verify cannot be combined.")
    }
    try checkFiles(record: undo.record, list: list)
  }

  private func checkFiles(record: String?, list: String? = nil) throws {
    try OwnFiles.check(
      [
        ("--record", record), ("--journal", journal.journal), ("--report", report.report),
        ("--html", report.html),
      ],
      inputs: paths + [files.filesFrom, list],
      output: destination.output,
      takesSidecars: true
    )
  }

  /// Rewrites the files.
  ///
  /// - Parameters:
  ///   - options: The policies of the request.
  ///   - request: What is done with each image.
  ///   - undo: The options for undo data, of commands that have them.
  ///   - angles: How each file is rotated besides, and which files there are.
  /// - Throws: `ExitCode`, unless all files are done or unchanged.
  func run(
    _ options: Options,
    _ request: Request,
    _ undo: UndoOptions? = nil,
    _ angles: AngleList? = nil
  ) throws {
    ProcessMemory.reuse()
    let isDry = destination.dryRun
    var run = BatchRun(output, console(undo))
    let record = try run.open { () throws(FileError) in isDry ? nil : try undo?.opened() }
    run.journal = try run.open { () throws(FileError) in isDry ? nil : try journal.opened() }
    run.reports = try run.open { () throws(FileError) in isDry ? nil : try report.opened() }
    let command = angles == nil ? request.command : "rotate"
    let page = try run.open { () throws(FileError) in
      try report.page(settings(options, command, undo))
    }
    if let page { run.console = console(undo, page) }
    // A list may be one part of several, and the output tree is not walked for each part.
    if !isDry, files.filesFrom == nil, angles == nil {
      BatchRun.removeAbandonedFiles(below: destination.directory)
    }
    let selection = selection(angles)
    var work = FileRewrite(
      rewriter(options, request, undo, of: selection),
      policy(undo, of: selection),
      places: Budget(run.jobs)
    )
    if let angles { work.transform = { angles.transform(of: $0) } }
    work.formats = format.formats
    work.isDeep = originals.deep
    work.log = record
    work.budget = options.maxMemory.map(Budget.init)
    if paths == ["-"] {
      run.console.print(FileReport(StandardStreams.path) { try work.standardInputReport() })
    } else {
      run.work(work, on: selection)
      if isDry, !originals.deep { run.console.qualifyPlans() }
    }
    if let record, let path = undo?.record {
      run.console.check(record, at: ArgumentPath.path(path))
    }
    try run.console.finish()
  }

  private func console(_ undo: UndoOptions?, _ page: Page? = nil) -> Console {
    let isDry = destination.dryRun
    var printer = output.printer()
    printer.page = page
    printer.keeping = keeping(undo)
    return Console(
      printer,
      outputIsImage: !isDry && destination.only.isStandardOutput(of: paths),
      keepsRecord: undo?.record != nil && !isDry,
      embedsUndo: undo?.embedUndo == true && !isDry,
      warning: kept(undo).warning
    )
  }

  /// Returns what the page says of the request.
  private func settings(
    _ options: Options,
    _ command: String,
    _ undo: UndoOptions?
  ) -> Page.Settings {
    var settings = Page.Settings(.report, of: command, options)
    settings.record = undo?.record.map { TextFormat.quoted($0) }
    settings.undo = kept(undo).undo
    settings.nonDefault["--sidecars"] =
      originals.sidecars == .update ? nil : originals.sidecars.rawValue
    settings.safeguards = safeguards(undo)
    return settings
  }

  /// The options that keep the originals.
  ///
  /// A journal would take another command for a repetition of this one.
  private func keeping(_ undo: UndoOptions?) -> [String] {
    [("--record", undo?.record), ("--backup", originals.backup)]
      .flatMap { name, value in value.map { [name, TextFormat.quoted($0)] } ?? [] }
      + (undo?.embedUndo == true ? ["--embed-undo"] : [])
  }

  /// The options that a command for a single file of this run takes over from it, so that it keeps as much and writes to the same
  /// place.
  private func safeguards(_ undo: UndoOptions?) -> [String] {
    let embeds = undo?.embedUndo == true
    let values: [(String, String?)] = [
      ("--record", undo?.record ?? (embeds ? nil : "record.ndjson")),
      ("--journal", journal.journal), ("--backup", originals.backup),
      ("--output-dir", destination.outputDir),
    ]
    let flags = [("--require-undo", undo?.requireUndo == true), ("--embed-undo", embeds)]
    return flags.filter(\.1).map(\.0)
      + values.flatMap { name, value in value.map { [name, TextFormat.quoted($0)] } ?? [] }
  }

  private func kept(_ undo: UndoOptions?) -> KeptOriginals {
    if !destination.isInPlace || destination.dryRun || paths == ["-"] { return .originals }
    if let record = undo?.record { return .record(TextFormat.quoted(record)) }
    if undo?.embedUndo == true {
      let inputs = recursion.recursive ? ["-r"] + paths : paths
      return .results(command: TextFormat.commandLine(["upright", "undo"] + inputs))
    }
    return originals.backup.map { .backups($0) } ?? .nothing
  }

  /// Whether each file gets one result; in an output directory, each name of a file does.
  private var isOnce: Bool { destination.outputDir == nil }

  private func selection(_ angles: AngleList?) -> Selection {
    var selection = files.selection(
      paths,
      recursive: recursion.recursive && destination.output == nil,
      outputDirectory: destination.directory,
      formats: format.formats.formats,
      distinguishesFormats: true,
      backup: originals.backup,
      meetsOnce: isOnce
    )
    if let angles { selection.list = PathList(angles.paths) }
    return selection
  }

  private func rewriter(
    _ options: Options,
    _ request: Request,
    _ undo: UndoOptions?,
    of selection: Selection
  ) -> Rewriter {
    var options = options
    options.verification = checks.policy
    options.makesUndo = undo?.keepsUndo ?? false
    options.requiresUndo = undo?.requireUndo ?? false
    options.maxBytes = files.limit.maxBytes
    var rewriter = Rewriter(request, options: options)
      .embeddingUndo(inAll: undo?.embedUndo ?? false)
    if selection.isSingle, output.workers > 1 { rewriter.useAllCores() }
    return rewriter
  }

  private func policy(_ undo: UndoOptions?, of selection: Selection) -> FilePolicy {
    var policy = FilePolicy()
    policy.sidecars = originals.sidecars
    policy.destinations = destination.destinations(of: selection)
    policy.replacement = replacement.atomic(
      remembersAll: isOnce ? selection.repeats : nil,
      backup: originals.backup
    )
    policy.creation = destination.creation(replacement.time, replacement.readOnly)
    policy.protection = replacement.readOnly.rule
    policy.keepsRecord = undo?.record != nil
    policy.isDry = destination.dryRun
    return policy
  }
}

/// The options for originals and their sidecars, and for how much of them a dry run reads.
struct OriginalOptions: DeclaredOptions {
  var deep = false
  var backup: String?
  var sidecarOption = SidecarOption()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(
      &deep,
      "deep",
      help: ArgumentHelp(
        """
        With --dry-run: read each file that would be changed completely and rewrite it in memory, to find damage \
        and limits that its header does not show.
        """,
        visibility: .hidden
      )
    )
    try visitor.option(&backup, "backup", help: .of("backup", valueName: "suffix"))
    try visitor.group(&sidecarOption, "sidecarOption")
  }

  /// What becomes of sidecars.
  var sidecars: SidecarPolicy { sidecarOption.policy }

  func validate() throws {
    if let backup, let problem = FilePolicy.problem(ofBackup: ArgumentPath.bytes(backup)) {
      throw ValidationError("--backup \(problem).")
    }
  }
}

/// The options for the check of results.
struct CheckOptions: DeclaredOptions {
  var verify = Options.VerificationPolicy.restore
  var noVerify = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&verify, "verify", help: .of("verify", valueName: "check"))
    try visitor.flag(
      &noVerify,
      "no-verify",
      help: ArgumentHelp("Same as --verify none.", visibility: .hidden)
    )
  }

  /// The policy for the check of results.
  var policy: Options.VerificationPolicy { noVerify ? .none : verify }
}

extension Destination {
  /// Whether an image is written to standard output, given the command's arguments.
  fileprivate func isStandardOutput(of paths: [String]) -> Bool {
    switch self {
    case .standardOutput: true
    case .inPlace: paths == ["-"]
    case .file: false
    }
  }
}

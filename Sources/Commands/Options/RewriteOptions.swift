internal import ArgumentParser
internal import FileSystem
internal import Records
internal import SystemPackage
internal import Upright

/// The arguments that all commands share which rewrite files: which files, where results go, and how carefully.
struct RewriteOptions: ParsableArguments {
  @Argument(
    help: "Files and directories; - reads standard input and writes standard output.",
    completion: .file()
  )
  var paths: [String] = []

  @OptionGroup(title: "Results") var destination: DestinationOptions

  @OptionGroup(title: "Results") var originals: OriginalOptions

  @OptionGroup(title: "Results") var journal: JournalOption

  @OptionGroup var files: SelectionOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  @OptionGroup(title: "Advanced") var hardLinks: HardLinkOption

  @OptionGroup(title: "Advanced") var time: TimeOption

  @OptionGroup(title: "Advanced") var checks: CheckOptions

  func validate() throws {
    try files.check(paths)
    try destination.check(paths, files)
    if paths.contains("-"),
      paths.count > 1 || destination.outputDir != nil || files.filesFrom != nil
    {
      throw ValidationError("- (standard input) goes alone, with -o or without.")
    }
    try journal.check(isSingle: paths == ["-"] || destination.output != nil)
    try checkFiles(record: nil)
  }

  /// Checks what is kept for an undo against the other options.
  ///
  /// - Throws: `ValidationError`, where options contradict each other.
  func check(_ undo: UndoOptions) throws {
    if undo.requireUndo, checks.policy == .none {
      throw ValidationError("--require-undo and --no-verify exclude each other.")
    }
    try checkFiles(record: undo.record)
  }

  private func checkFiles(record: String?) throws {
    try OwnFiles(files: [("--record", record), ("--journal", journal.journal)])
      .check(inputs: paths + [files.filesFrom], output: destination.output, takesSidecars: true)
  }

  /// Rewrites the files.
  ///
  /// - Parameters:
  ///   - options: What is done where there is a choice.
  ///   - undo: What is kept to undo it.
  ///   - operation: What is done with each file, given all options.
  /// - Throws: `ExitCode`, where it is not 0.
  func run(
    _ options: Options,
    _ undo: UndoOptions? = nil,
    _ operation: (Options) -> FileOperation
  ) throws {
    ProcessMemory.reuse()
    let isDry = destination.dryRun
    var options = options
    options.verification = checks.policy
    options.makesUndo = undo?.record != nil
    options.requiresUndo = undo?.requireUndo ?? false
    options.maxBytes = files.limit.maxBytes
    var run = BatchRun(
      output,
      Console(
        output.printer(),
        outputIsImage: !isDry && destination.only.isStandardOutput(of: paths),
        keepsRecord: undo?.record != nil && !isDry
      )
    )
    let record = try run.open { () throws(FileError) in isDry ? nil : try undo?.opened() }
    run.journal = try run.open { () throws(FileError) in isDry ? nil : try journal.opened() }
    run.removesAbandoned = !isDry
    // A list is a part of something larger, whose outputs should not be walked for each part.
    if files.filesFrom == nil { run.removeAbandonedFiles(below: destination.directory) }
    // Outputs elsewhere leave the originals as they are, and each name has its own.
    let isOnce = destination.outputDir == nil
    let selection = files.selection(
      paths,
      recursive: files.names.recursive && destination.output == nil,
      outputDirectory: destination.directory,
      backup: originals.backup,
      meetsOnce: isOnce
    )
    let operation = operation(options)
    let normalization = FileNormalization(
      operation: selection.isSingle && output.workers > 1 ? operation.onAllCores : operation,
      destinations: destination.destinations(of: selection),
      sidecars: originals.sidecars,
      dryRun: isDry,
      record: record,
      places: Budget(run.jobs),
      budget: options.maxMemory.map(Budget.init),
      replacement: AtomicReplacement(
        hardLinks: hardLinks.hardLinks,
        touch: time.touch,
        backupSuffix: originals.backup.map(ArgumentPath.bytes),
        visited: isOnce
          ? VisitedFiles(remembersAll: selection.repeats, hardLinks: hardLinks.hardLinks) : nil
      ),
      creation: destination.creation(touch: time.touch)
    )
    if paths == ["-"] {
      run.console.print(
        FileReport(StandardStreams.path) { try normalization.standardInputReport() }
      )
    } else {
      run.work(normalization, on: selection)
    }
    try run.finish()
  }
}

/// The options of what becomes of originals and of what belongs to them.
struct OriginalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Keep each original that is replaced, under its name with this suffix; never over another file.",
      valueName: "suffix"
    )
  )
  var backup: String?

  @Option(
    help: ArgumentHelp(
      "What to do with XMP files beside the photographs: report, update, or ignore them.",
      valueName: "policy"
    )
  )
  var sidecars = SidecarPolicy.report

  func validate() throws {
    if let backup, backup.isEmpty || backup.contains("/") {
      throw ValidationError("--backup takes the end of a name, such as .orig.")
    }
    // The next run would take such a backup for a photograph.
    if let backup, NameRule().verdict(ArgumentPath.bytes("x.jpg" + backup)) == .taken {
      throw ValidationError("--backup takes the end of a name that is not a photograph's.")
    }
  }
}

/// The options of how results are checked.
struct CheckOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      How to check each result before it is used: restore the original from it, or compare its coefficients with \
      the reference, TurboJPEG's transform of the original; or none.
      """,
      valueName: "check"
    )
  )
  var verify = Options.VerificationPolicy.restore

  @Flag(help: "The same as --verify none.")
  var noVerify = false

  /// How results are checked.
  var policy: Options.VerificationPolicy { noVerify ? .none : verify }
}

extension Destination {
  /// Whether standard output carries an image when these are the command's arguments.
  fileprivate func isStandardOutput(of paths: [String]) -> Bool {
    switch self {
    case .standardOutput: true
    case .inPlace: paths == ["-"]
    case .file: false
    }
  }
}

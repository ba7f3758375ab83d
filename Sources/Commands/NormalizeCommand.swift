internal import Archive
internal import ArgumentParser
internal import Records
internal import SystemPackage
internal import Upright

/// `upright normalize`: makes files upright.
struct NormalizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "normalize",
    abstract: "Make JPEG files upright, in place or into another file or directory.",
    discussion: """
      Without -o or --output-dir each file is replaced atomically, keeping its mode, owner, times and extended \
      attributes; a file that needs nothing, or is left alone, is not touched. With -o or --output-dir such a \
      file is copied byte for byte, so that the output is complete; a file that fails is not written.
      """
  )

  @Argument(help: "Files and directories; - reads standard input and writes standard output.")
  var paths: [String]

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the result here (one input only); - is standard output.",
      valueName: "file"
    )
  )
  var output: String?

  @Option(
    help: ArgumentHelp("Write the results into this directory, in the same tree.", valueName: "dir")
  )
  var outputDir: String?

  @Flag(name: .shortAndLong, help: "Walk directories.")
  var recursive = false

  @Flag(help: "Replace outputs that exist already.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "What to do with a file that has more names than one: refuse it, or break the link.",
      valueName: "policy"
    )
  )
  var hardLinks = HardLinks.refuse

  @Option(
    help: ArgumentHelp(
      "Keep each original that is replaced, under its name with this suffix; never over another file.",
      valueName: "suffix"
    )
  )
  var backup: String?

  @Flag(help: "Give the results the present time instead of the times of their originals.")
  var touch = false

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done; write nothing.")
  var dryRun = false

  @Flag(
    inversion: .prefixedNo,
    help: "Check each result before it is used, by restoring the original from it."
  )
  var verify = true

  @Flag(
    help: """
      Decode the files that need nothing, too, and report those that are damaged; that reads every file to its \
      end.
      """
  )
  var checkUnchanged = false

  @Option(
    help: ArgumentHelp(
      """
      Append a record of each rewrite to this file, before the rewrite takes its place; \
      upright undo gives the original back from it.
      """,
      valueName: "file"
    )
  )
  var record: String?

  @Flag(help: "Leave files alone whose original could not be restored identically.")
  var requireUndo = false

  @OptionGroup var policy: PolicyOptions

  @Option(
    help: ArgumentHelp(
      "What to do with XMP files beside the photographs: report, update, or ignore them.",
      valueName: "policy"
    )
  )
  var sidecars = SidecarPolicy.report

  @Option(help: "How to print: text for people, ndjson for programs.")
  var format = OutputFormat.text

  @Flag(name: .shortAndLong, help: "Print failures only.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print the files of directories that need nothing, too.")
  var verbose = false

  func validate() throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other.")
    }
    if output != nil, paths.count != 1 {
      throw ValidationError("-o takes one input; use --output-dir for several.")
    }
    if paths.contains("-"), paths.count > 1 || outputDir != nil {
      throw ValidationError("- (standard input) goes alone, with -o or without.")
    }
    if requireUndo, record == nil {
      throw ValidationError("--require-undo needs --record, which keeps the way back.")
    }
    if requireUndo, !verify {
      throw ValidationError("--require-undo and --no-verify exclude each other.")
    }
    if let backup, backup.isEmpty || backup.contains("/") {
      throw ValidationError("--backup takes the end of a name, such as .orig.")
    }
  }

  func run() throws {
    Syscalls.reportWriteSignalsAsErrors()
    Interruption.observe()
    let writesToStandardOutput = !dryRun && (output == "-" || (output == nil && paths == ["-"]))
    let console = Console(
      format: format,
      outputIsPicture: writesToStandardOutput,
      quiet: quiet,
      verbose: verbose,
      keepsRecord: record != nil && !dryRun
    )
    let normalization: FileNormalization
    do throws(FileError) {
      normalization = try makeNormalization()
    } catch {
      console.error(error.description)
      throw ExitCode(2)
    }
    if paths == ["-"] {
      console.print(normalization.standardInputReport(to: target))
    } else {
      walk(normalization, console)
    }
    if let status = Interruption.exitStatus {
      console.error("interrupted; every file is whole, the old one or the new one")
      throw ExitCode(status)
    }
    try console.finish()
  }

  private func walk(_ normalization: FileNormalization, _ console: Console) {
    let roots = paths.map { ArgumentPath.path($0) }
    let directory = outputDir.map { ArgumentPath.path($0) }
    let tree = directory.map { OutputTree(directory: $0, roots: roots) }
    if let directory { removeAbandoned(below: directory, console) }
    for item in Walk(
      roots: roots,
      recursive: recursive && output == nil,
      outputDirectory: directory
    ) {
      if Interruption.isPending { return }
      switch item {
      case .failed(let error):
        console.print(FileReport(path: error.path, result: .failed(.init(error))))
      case .skipped(let path, .output) where roots.contains(path):
        console.print(FileReport(path: path, result: .failed(.outputIsInput)))
      case .skipped(let path, .temporary) where !dryRun && removeAbandonedFile(path):
        if verbose, !quiet { console.error("\(TextFormat.path(path)): removed (temporary)") }
      case .skipped(let path, let reason):
        if verbose, !quiet {
          console.error("\(TextFormat.path(path)): passed over (\(reason.rawValue))")
        }
      case .file(let path, let root):
        var report = normalization.report(path) { () throws in
          guard let tree else { return target }
          return .file(try tree.output(for: path, root: root))
        }
        report.isNamed = path == root
        console.print(report)
      }
    }
  }

  /// Removes what interrupted runs left among the outputs.
  private func removeAbandoned(below directory: FilePath, _ console: Console) {
    guard !dryRun else { return }
    for case .skipped(let path, .temporary) in Walk(roots: [directory], recursive: true) {
      _ = removeAbandonedFile(path)
    }
  }

  private var target: FileNormalization.Target {
    switch output {
    case nil: .inPlace
    case "-"?: .standardOutput
    case let path?: .file(ArgumentPath.path(path))
    }
  }

  private func makeNormalization() throws(FileError) -> FileNormalization {
    var options = policy.options
    options.verifies = verify
    options.checksUnchanged = checkUnchanged
    options.requiresUndo = requireUndo
    var log: RecordLog?
    if let record, !dryRun {
      log = try RecordLog(
        ArgumentPath.path(record),
        tool: "upright \(UprightCommand.version)"
      )
    }
    return FileNormalization(
      normalizer: Normalizer(options: options),
      sidecars: sidecars,
      dryRun: dryRun,
      record: log,
      replacement: AtomicReplacement(hardLinks: hardLinks, touch: touch, backupSuffix: backup),
      creation: AtomicCreation(
        overwrite: overwrite,
        createDirectories: outputDir != nil,
        touch: touch
      )
    )
  }
}

extension HardLinks: ExpressibleByArgument {}

internal import Archive
internal import ArgumentParser
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

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var policy: PolicyOptions

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
  }

  func run() throws {
    Syscalls.reportWriteSignalsAsErrors()
    let writesToStandardOutput = !dryRun && (output == "-" || (output == nil && paths == ["-"]))
    let console = Console(
      format: format,
      outputIsPicture: writesToStandardOutput,
      quiet: quiet,
      verbose: verbose
    )
    var tally = Tally()
    if paths == ["-"] {
      console.print(standardInputReport(), &tally)
    } else {
      try walk(console, &tally)
    }
    console.finish(tally)
    if tally.exitStatus != 0 { throw ExitCode(tally.exitStatus) }
  }

  private func walk(_ console: Console, _ tally: inout Tally) throws {
    let roots = paths.map { FilePath($0) }
    let directory = outputDir.map { FilePath($0) }
    let tree = directory.map { OutputTree(directory: $0, roots: roots) }
    let walk = Walk(roots: roots, recursive: recursive, outputDirectory: directory)
    for item in walk {
      switch item {
      case .failed(let error):
        console.print(FileReport(path: error.path, result: .failed(.init(error))), &tally)
      case .skipped(let path, let reason):
        if verbose, !quiet {
          console.error("\(TextFormat.path(path)): passed over (\(reason.rawValue))")
        }
      case .file(let path, let root):
        var report = FileReport(path: path, isNamed: path == root, result: .failed(.notStarted))
        do {
          let target: Target =
            if let tree { .file(try tree.output(for: path, root: root)) } else { target }
          (report.result, report.warnings) = try process(path, to: target)
          if case .file(let output) = target { report.output = output }
        } catch {
          report.result = .failed(.init(any: error))
        }
        console.print(report, &tally)
      }
    }
  }

  /// Where a result goes.
  private enum Target {
    case inPlace
    case file(FilePath)
    case standardOutput
  }

  private var target: Target {
    switch output {
    case nil: .inPlace
    case "-"?: .standardOutput
    case let path?: .file(FilePath(path))
    }
  }

  private func process(
    _ path: FilePath,
    to target: Target
  ) throws -> (FileReport.Result, warnings: [String]) {
    let normalizer = Normalizer(options: policy.options)
    let reader = try FileReader(path)
    // A plan takes the header alone, and most files of a tidy archive need nothing more.
    var isComplete = dryRun
    if case .inPlace = target { isComplete = true }
    if isComplete {
      let plan = try normalizer.plan(reader)
      if dryRun { return (.planned(plan), []) }
      if !plan.action.rewrites { return (.done(.unchanged(plan)), []) }
    }
    let file = try reader.readAll()
    let outcome = try normalizer.normalize(file)
    switch (outcome, target) {
    case (.unchanged, .inPlace): break
    case (.rewritten(let rewrite), .inPlace):
      let lost = try AtomicReplacement().replace(
        path,
        readAs: reader.identity,
        with: rewrite.bytes
      )
      return (.done(outcome), lost.map { "\($0.text) could not be kept" })
    case (_, .file(let output)):
      try AtomicCreation(overwrite: overwrite, createDirectories: outputDir != nil)
        .create(output, like: reader.identity, with: outcome.bytes(original: file))
    case (_, .standardOutput): try StandardStreams.write(outcome.bytes(original: file))
    }
    return (.done(outcome), [])
  }

  private func standardInputReport() -> FileReport {
    var report = FileReport(path: "-", result: .failed(.notStarted))
    do {
      let file = try StandardStreams.read()
      let outcome = try Normalizer(options: policy.options).normalize(file)
      report.result = dryRun ? .planned(outcome.plan) : .done(outcome)
      guard !dryRun else { return report }
      if case .file(let path) = target {
        try AtomicCreation(overwrite: overwrite)
          .create(path, like: nil, with: outcome.bytes(original: file))
        report.output = path
      } else {
        try StandardStreams.write(outcome.bytes(original: file))
      }
    } catch {
      report.result = .failed(.init(any: error))
    }
    return report
  }
}

extension Outcome {
  /// The complete file: the new one, or the original.
  fileprivate func bytes(original: [UInt8]) -> [UInt8] {
    guard case .rewritten(let rewrite) = self else { return original }
    return rewrite.bytes
  }
}

extension LostAttribute {
  /// The attribute in words.
  fileprivate var text: String {
    switch self {
    case .owner: "the file's owner"
    case .group: "the file's group"
    case .extendedAttribute(let name): "the extended attribute \(name)"
    }
  }
}

extension FileReport.Failure {
  /// What stands in a report until there is a result.
  fileprivate static let notStarted = FileReport.Failure(
    UprightError(.init(rawValue: "internal"), "nothing was done")
  )
}

internal import Archive
internal import ArgumentParser
internal import Records
internal import SystemPackage
internal import Upright

/// A run of a command that rewrites files, from its options to its exit status.
struct Rewriting {
  var paths: [String]
  var target: TargetOptions
  var files: SelectionOptions
  var policy: PolicyOptions
  var batch: BatchOptions
  /// Whether files that need nothing are decoded as well.
  var checksUnchanged = false
  /// What is done with each file, given the options.
  var operation: (Options) -> FileOperation = { .normalize(Normalizer(options: $0)) }

  /// Rewrites the files.
  ///
  /// - Throws: `ExitCode`, where it is not 0.
  func run() throws {
    Syscalls.reportWriteSignalsAsErrors()
    Interruption.observe()
    ProcessMemory.reuse()
    let printer = Printer(
      format: batch.format ?? .text,
      quiet: batch.quiet,
      verbose: batch.verbose
    )
    let console = Console(
      printer,
      outputIsPicture: target.writesToStandardOutput(paths),
      keepsRecord: target.record != nil && !target.dryRun
    )
    let normalization: FileNormalization
    let journal: Journal?
    do throws(FileError) {
      normalization = try makeNormalization()
      journal =
        try target.dryRun
        ? nil
        : target.journal.map { (path) throws(FileError) in
          try Journal(ArgumentPath.path(path))
        }
    } catch {
      console.error(error.description)
      throw ExitCode(2)
    }
    if paths == ["-"] {
      console.print(normalization.standardInputReport(to: target.target))
    } else {
      work(normalization, journal, printer, console)
    }
    try console.finish(interruption: Interruption.exitStatus)
  }

  private func work(
    _ normalization: FileNormalization,
    _ journal: Journal?,
    _ printer: Printer,
    _ console: Console
  ) {
    let directory = target.outputDir.map { ArgumentPath.path($0) }
    // A list is a part of something larger, whose outputs should not be walked for each part.
    if let directory, files.filesFrom == nil { removeAbandoned(below: directory) }
    let selection = files.selection(
      paths,
      recursive: target.recursive && target.output == nil,
      outputDirectory: directory
    )
    console.showProgress(of: selection)
    let job = Job(
      normalization: normalization,
      target: target.target,
      tree: directory.map { OutputTree(directory: $0, roots: selection.walk.roots) },
      journal: journal,
      roots: selection.walk.roots,
      removesAbandoned: !target.dryRun,
      printer: printer
    )
    Batch(jobs: batch.jobs).forEach(selection, work: job.printout) {
      console.put($0.compactMap(\.self))
    }
  }

  /// Removes what interrupted runs left among the outputs.
  private func removeAbandoned(below directory: FilePath) {
    guard !target.dryRun else { return }
    for case .skipped(let path, .temporary) in Walk(roots: [directory], recursive: true) {
      _ = removeAbandonedFile(path)
    }
  }

  private func makeNormalization() throws(FileError) -> FileNormalization {
    var options = policy.options
    options.verifies = target.verify
    options.checksUnchanged = checksUnchanged
    options.requiresUndo = target.requireUndo
    var log: RecordLog?
    if let record = target.record, !target.dryRun {
      log = try RecordLog(ArgumentPath.path(record), tool: "upright \(UprightCommand.version)")
    }
    return FileNormalization(
      operation: operation(options),
      sidecars: target.sidecars,
      dryRun: target.dryRun,
      record: log,
      budget: options.maxMemory.map(MemoryBudget.init),
      replacement: AtomicReplacement(
        hardLinks: target.hardLinks,
        touch: target.touch,
        backupSuffix: target.backup
      ),
      creation: AtomicCreation(
        overwrite: target.overwrite,
        createDirectories: target.outputDir != nil,
        touch: target.touch
      )
    )
  }
}

/// What is done with each thing that a selection has, on any thread.
private struct Job: Sendable {
  let normalization: FileNormalization
  let target: FileNormalization.Target
  let tree: OutputTree?
  let journal: Journal?
  let roots: [FilePath]
  let removesAbandoned: Bool
  let printer: Printer

  /// What is printed of it; nil where that is nothing.
  @Sendable func printout(_ item: Walk.Item) -> Printout? {
    switch item {
    case .failed(let error):
      return printer.printout(FileReport(path: error.path, result: .failed(.init(error))))
    case .skipped(let path, .output) where roots.contains(path):
      return printer.printout(FileReport(path: path, result: .failed(.outputIsInput)))
    case .skipped(let path, .temporary) where removesAbandoned && removeAbandonedFile(path):
      return passedOver("\(TextFormat.path(path)): removed (temporary)")
    case .skipped(let path, let reason):
      return passedOver("\(TextFormat.path(path)): passed over (\(reason.rawValue))")
    case .candidate(let path, let root):
      guard let reader = try? FileReader(path), (try? reader.looksLikeJPEG()) == true else {
        return nil
      }
      return printout(path, root)
    case .file(let path, let root):
      return printout(path, root)
    }
  }

  private func passedOver(_ text: String) -> Printout? {
    guard printer.verbose, !printer.quiet else { return nil }
    var printout = Printout()
    printout.error.append(line: text)
    return printout
  }

  private func printout(_ path: FilePath, _ root: FilePath) -> Printout {
    if journal?.isDone(path) == true {
      var printout = Printout()
      printout.tally.countEarlier()
      return printout
    }
    var report = normalization.report(path) { () throws in
      guard let tree else { return target }
      return .file(try tree.output(for: path, root: root))
    }
    report.isNamed = path == root
    do throws(FileError) {
      try journal?.note(report.status, of: path)
    } catch {
      report.warnings.append("the journal could not be written: \(error.message)")
    }
    return printer.printout(report)
  }
}

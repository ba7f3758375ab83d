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
    if let directory, files.filesFrom == nil, !target.dryRun {
      removeAbandonedFiles(below: directory)
    }
    let selection = files.selection(
      paths,
      recursive: target.recursive && target.output == nil,
      outputDirectory: directory
    )
    console.showProgress(of: selection)
    let roots = selection.walk.roots
    let tree = directory.map { OutputTree(directory: $0, roots: roots) }
    let items = ItemPrinter(
      printer: printer,
      roots: roots,
      removesAbandoned: !target.dryRun,
      journal: journal
    )
    let place = target.target
    Batch(jobs: batch.jobs).forEach(selection) { group in
      items.printout(group) { file, isCandidate in
        !isCandidate || FileReader.findsJPEG(at: file.path)
      } work: { file in
        normalization.report(file.path) { () throws in
          guard let tree else { return place }
          return .file(try tree.output(for: file.path, root: file.root))
        }
      }
    } then: {
      console.put($0)
    }
  }

  private func makeNormalization() throws(FileError) -> FileNormalization {
    var options = policy.options
    options.verifies = target.verify
    options.checksUnchanged = checksUnchanged
    options.requiresUndo = target.requireUndo
    options.maxBytes = files.limit.maxBytes
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

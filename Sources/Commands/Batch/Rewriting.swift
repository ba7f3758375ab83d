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
      throw ExitCode(Interruption.exitStatus ?? 2)
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
    // Outputs elsewhere leave the originals as they are, and each name has its own.
    let selection = files.selection(
      paths,
      recursive: target.recursive && target.output == nil,
      outputDirectory: directory,
      backup: target.backup,
      meetsOnce: directory == nil
    )
    console.showProgress(of: selection)
    let walk = selection.walk
    let outputs = directory.map {
      OutputNames(
        OutputTree(directory: $0, roots: walk.roots, names: walk.names),
        repeats: selection.repeats
      )
    }
    var normalization = normalization
    if directory == nil {
      normalization.replacement.met = MetFiles(
        remembersAll: selection.repeats,
        hardLinks: target.hardLinks
      )
    }
    let items = ItemPrinter(
      printer: printer,
      roots: walk.roots,
      removesAbandoned: !target.dryRun,
      journal: journal,
      met: normalization.replacement.met
    )
    let place = target.target
    Batch(jobs: batch.jobs).forEach(selection) { [normalization] group in
      items.printout(group) { file, isCandidate in
        !isCandidate || FileReader.mayBeJPEG(at: file.path)
      } work: { file in
        normalization.report(file) { () throws in
          guard let outputs else { return place }
          return try outputs.output(for: file.path, root: file.root).map { .file($0) }
        }
      }
    } then: {
      console.put($0)
    }
  }

  private func makeNormalization() throws(FileError) -> FileNormalization {
    var options = policy.options
    options.verification = target.verification
    options.makesUndo = target.record != nil
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
        backupSuffix: target.backup.map(ArgumentPath.bytes)
      ),
      creation: AtomicCreation(
        overwrite: target.overwrite,
        createDirectories: target.outputDir != nil,
        touch: target.touch
      )
    )
  }
}

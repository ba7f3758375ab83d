internal import Archive
internal import ArgumentParser
internal import Records
internal import SystemPackage
internal import Upright

/// `upright undo`: gives back the originals, byte for byte.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Give back the original files, byte for byte, from a record of their normalization.",
    discussion: """
      Without paths, every file that the record names is restored in place, if it is below the working \
      directory. With paths, the files there are, \
      wherever they were moved to: a record is found by the file's hash. Directories are walked. Nothing is \
      written unless the file is the one that the record was made for, and what comes back has the hash of \
      the original.
      """
  )

  @Option(
    help: ArgumentHelp("The records that normalize --record has written.", valueName: "file")
  )
  var record: String

  @Argument(help: "Files and directories; by default all that the record names.")
  var paths: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the original here (one path only).", valueName: "file")
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write the originals into this directory, in the same tree.",
      valueName: "dir"
    )
  )
  var outputDir: String?

  @Flag(help: "Of directories, take files with any name that begin like a JPEG, too.")
  var allNames = false

  @Flag(help: "Replace outputs that exist already.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "What to do with a file that has more names than one: refuse it, or break the link.",
      valueName: "policy"
    )
  )
  var hardLinks = HardLinks.refuse

  @Flag(
    name: [.customShort("n"), .long],
    help: "Say what would come back, having tried; write nothing."
  )
  var dryRun = false

  @Option(help: ArgumentHelp("Leave pictures alone that claim more pixels.", valueName: "count"))
  var maxPixels = Options().maxPixels

  @OptionGroup var limit: SizeLimit

  @OptionGroup(title: "Output") var batch: BatchOptions

  func validate() throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other.")
    }
    if output != nil, paths.count != 1 {
      throw ValidationError("-o takes one path; use --output-dir for several.")
    }
    try OwnFiles(files: [("--record", record)]).check(inputs: [], output: output)
  }

  func run() throws {
    Interruption.observe()
    ProcessMemory.reuse()
    let printer = Printer(format: batch.format ?? .text, quiet: batch.quiet, verbose: batch.verbose)
    let console = Console(printer)
    let recordPath = ArgumentPath.path(record)
    do throws(FileError) {
      let restoration = FileRestoration(
        index: try RecordIndex(recordPath),
        base: try workingDirectory(),
        dryRun: dryRun,
        maxPixels: maxPixels,
        limit: limit,
        replacement: AtomicReplacement(
          hardLinks: hardLinks,
          met: output == nil && outputDir == nil
            ? MetFiles(remembersAll: paths.count != 1, hardLinks: hardLinks) : nil
        ),
        creation: AtomicCreation(overwrite: overwrite, createDirectories: outputDir != nil),
        takesSidecars: output == nil
      )
      for (line, problem) in restoration.index.problems {
        console.print(FileReport(path: recordPath, result: .failed(.init(line: line, problem))))
      }
      if restoration.index.furtherProblems > 0 {
        let failure = FileReport.Failure(furtherLines: restoration.index.furtherProblems)
        console.print(FileReport(path: recordPath, result: .failed(failure)))
      }
      if let outputDir, !dryRun { removeAbandonedFiles(below: ArgumentPath.path(outputDir)) }
      if paths.isEmpty {
        restoreAll(restoration, printer, console)
      } else {
        walk(restoration, printer, console)
      }
    } catch {
      console.print(FileReport(path: recordPath, result: .failed(.init(error))))
    }
    try console.finish(interruption: Interruption.exitStatus)
  }

  /// Restores what the record names, in its order.
  private func restoreAll(
    _ restoration: FileRestoration,
    _ printer: Printer,
    _ console: Console
  ) {
    let places = Self.places(restoration.index)
    let directory = outputDir.map { ArgumentPath.path($0) }
    if directory == nil, !dryRun {
      for folder in Set(places.map { $0.removingLastComponent() }) {
        removeAbandonedFiles(in: folder)
      }
    }
    let base = restoration.base
    Batch(jobs: batch.jobs).forEach(places) { places in
      var printout = Printout()
      for place in places {
        var path = place
        let isInside = path.removePrefix(base)
        // Absolute paths keep their components, below the directory; none of them leads upwards.
        let output = directory?.appending(path.components)
        guard isInside || output != nil else {
          printer.print(FileReport(path: place, result: .failed(.outside)), to: &printout)
          continue
        }
        let file = Walk.Found(path, root: path)
        if let report = restoration.report(file, isNamed: true, to: { output }) {
          printer.print(report, to: &printout)
        } else {
          printer.skip(path, .duplicate, in: &printout)
        }
      }
      return printout
    } then: {
      console.put($0)
    }
  }

  /// Where the files are that a record names, in its order; sidecars come with their photographs.
  private static func places(_ index: RecordIndex) -> [FilePath] {
    var met: Set<FilePath> = []
    if index.hasSidecars {
      for entry in index.entries where !entry.isSidecar {
        met.formUnion(entry.place.map(SidecarFile.paths(beside:)) ?? [])
      }
    }
    return index.entries.compactMap(\.place).filter { met.insert($0).inserted }
  }

  private func walk(_ restoration: FileRestoration, _ printer: Printer, _ console: Console) {
    let roots = paths.map { ArgumentPath.path($0) }
    let directory = outputDir.map { ArgumentPath.path($0) }
    let file = output.map { ArgumentPath.path($0) }
    let names = NameRule(allNames: allNames)
    let tree = directory.map { OutputTree(directory: $0, roots: roots, names: names) }
    let walk = Walk(
      roots: roots,
      recursive: output == nil,
      meetsOnce: restoration.replacement.met != nil,
      names: names,
      outputDirectory: directory
    )
    let items = ItemPrinter(printer: printer, roots: roots, removesAbandoned: !dryRun)
    Batch(jobs: batch.jobs).forEach(walk) { group in
      items.printout(group) { file, isCandidate in
        !isCandidate || FileReader.mayBeJPEG(at: file.path)
      } work: { found in
        restoration.report(found, isNamed: found.isNamed) { () throws in
          try tree?.output(for: found.path, root: found.root) ?? file
        }
      }
    } then: {
      console.put($0)
    }
  }
}

internal import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import SystemPackage

/// The options for where results are written.
struct DestinationOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the result to this file; - is standard output. There must be one input.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write the results into this directory. It gets the same tree of subdirectories.",
      valueName: "dir"
    ),
    completion: .directory
  )
  var outputDir: String?

  @Flag(help: .of("overwrite"))
  var overwrite = false

  @Flag(name: [.customShort("n"), .long], help: .of("dry-run"))
  var dryRun = false

  /// Checks the options against each other, the command's arguments and the options that select files.
  func check(_ paths: [String], _ files: SelectionOptions) throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir cannot be combined.")
    }
    if output != nil, paths.count != 1 || files.filesFrom != nil {
      throw ValidationError("-o takes one input; for several, use --output-dir.")
    }
    if let output, output.hasSuffix("/") {
      throw ValidationError(
        "-o names a file. To write into the directory \(TextFormat.escaped(output)), use --output-dir."
      )
    }
  }

  /// The directory of the outputs.
  var directory: FilePath? { outputDir.map { ArgumentPath.path($0) } }

  /// The destination of a file without `--output-dir`.
  var only: Destination {
    switch output {
    case nil: .inPlace
    case "-"?: .standardOutput
    case let path?: .file(ArgumentPath.path(path))
    }
  }

  /// Whether files are replaced in place.
  var isInPlace: Bool { output == nil && outputDir == nil }

  /// Returns where the results of a selection are written.
  func destinations(of selection: Selection) -> Destinations {
    guard let directory else { return .only(only) }
    return .names(OutputNames(selection.tree(in: directory), repeats: selection.repeats))
  }

  /// Returns how output files are created that do not replace their input.
  func creation(_ times: TimesOption, _ readOnly: ReadOnlyOption) -> AtomicCreation {
    AtomicCreation(
      overwrite: overwrite,
      createDirectories: outputDir != nil,
      times: times.times,
      protection: readOnly.rule,
      once: overwrite && outputDir != nil
    )
  }
}

/// The options for how files are replaced.
struct ReplacementOptions: ParsableArguments {
  @Option(help: .of("hard-links", valueName: "policy"))
  var hardLinks = HardLinks.refuse

  @OptionGroup var readOnly: ReadOnlyOption

  @OptionGroup var time: TimesOption

  /// Returns how files are replaced, each once if `remembersAll` is not nil: whether all are remembered for that.
  func atomic(remembersAll: Bool?, backup: String? = nil) -> AtomicReplacement {
    AtomicReplacement(
      hardLinks: hardLinks,
      backupSuffix: backup.map(ArgumentPath.bytes),
      visited: remembersAll.map { VisitedFiles(remembersAll: $0, hardLinks: hardLinks) },
      times: time.times
    )
  }
}

/// The option for files that their owner or user may not write.
struct ReadOnlyOption: ParsableArguments {
  @Option(help: .of("read-only", valueName: "policy"))
  var readOnly = ReadOnlyPolicy.skip

  /// Which files are protected.
  var rule: WriteProtection.Rule { readOnly.rule }
}

/// The option for the modification time.
struct TimesOption: ParsableArguments {
  @Option(help: .of("times", valueName: "rule"))
  var times = FileTimes.visible
}

extension HardLinks: NamedValue {}
extension ReadOnlyPolicy: NamedValue {}
extension FileTimes: NamedValue {}

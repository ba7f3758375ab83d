internal import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import SystemPackage

/// The options for where results are written.
struct DestinationOptions: DeclaredOptions {
  var output: String?
  var outputDir: String?
  var overwrite = false
  var dryRun = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &output,
      "output",
      short: "o",
      help: ArgumentHelp(
        "Write the result to this file; - is standard output. There must be one input.",
        valueName: "file"
      ),
      completion: .file()
    )
    try visitor.option(
      &outputDir,
      "output-dir",
      help: ArgumentHelp(
        "Write the results into this directory. It gets the same tree of subdirectories.",
        valueName: "dir"
      ),
      completion: .directory
    )
    try visitor.flag(&overwrite, "overwrite", help: .of("overwrite"))
    try visitor.flag(&dryRun, "dry-run", short: "n", help: .of("dry-run"))
  }

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
struct ReplacementOptions: DeclaredOptions {
  var hardLinks = HardLinks.refuse
  var readOnly = ReadOnlyOption()
  var time = TimesOption()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&hardLinks, "hard-links", help: .of("hard-links", valueName: "policy"))
    try visitor.group(&readOnly, "readOnly")
    try visitor.group(&time, "time")
  }

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
struct ReadOnlyOption: DeclaredOptions {
  var readOnly = ReadOnlyPolicy.skip

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&readOnly, "read-only", help: .of("read-only", valueName: "policy"))
  }

  /// Which files are protected.
  var rule: WriteProtection.Rule { readOnly.rule }
}

/// The option for the modification time.
struct TimesOption: DeclaredOptions {
  var times = FileTimes.visible

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&times, "times", help: .of("times", valueName: "rule"))
  }
}

extension HardLinks: NamedValue {}
extension ReadOnlyPolicy: NamedValue {}
extension FileTimes: NamedValue {}

internal import Archive
internal import ArgumentParser
internal import Conversion
internal import SystemPackage
internal import Upright

/// The options of `upright convert`: where results go, and how they are made.
struct ConversionOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Walk directories.")
  var recursive = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the result here (one input only); - is standard output.",
      valueName: "file"
    ),
    completion: .file()
  )
  var output: String?

  @Option(
    help: ArgumentHelp(
      "Write the results into this directory, in the same tree.",
      valueName: "dir"
    ),
    completion: .directory
  )
  var outputDir: String?

  @Option(
    help: ArgumentHelp("How well to compress, 1 to 100, as libjpeg counts.", valueName: "number")
  )
  var quality = Converter().quality

  @Option(
    help: ArgumentHelp(
      "What to do with face and subject regions: keep them as they are, or let them follow the picture.",
      valueName: "policy"
    )
  )
  var regions = Options.RegionPolicy.keep

  @Flag(help: "Replace outputs that exist already.")
  var overwrite = false

  @Flag(help: "Give the results the present time instead of the times of their sources.")
  var touch = false

  @Flag(name: [.customShort("n"), .long], help: "Convert in memory and say so; write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Refuse pictures that claim more pixels.", valueName: "count"))
  var maxPixels = Options().maxPixels

  @Option(
    help: ArgumentHelp(
      """
      Note in this file what is done, and pass over what it says is done already, so that a run that was \
      killed goes on where it stopped.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var journal: String?

  /// Checks options that only together make sense.
  ///
  /// - Throws: `ValidationError`, where options contradict each other.
  func check(_ paths: [String], _ files: SelectionOptions) throws {
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other.")
    }
    if output != nil, paths.count != 1 || files.filesFrom != nil {
      throw ValidationError("-o takes one input; use --output-dir for several.")
    }
    if journal != nil, output != nil {
      throw ValidationError("--journal is for many files, not for one.")
    }
    try OwnFiles(files: [("--journal", journal)]).check(inputs: paths + [files.filesFrom])
    guard (1...100).contains(quality) else {
      throw ValidationError("--quality takes a number from 1 to 100.")
    }
  }

  /// What is done with each file that is not too large.
  func conversion(_ limit: SizeLimit) -> FileConversion {
    var converter = Converter()
    converter.quality = quality
    converter.options.regions = regions
    return FileConversion(
      converter: converter,
      maxPixels: maxPixels,
      limit: limit,
      dryRun: dryRun,
      creation: AtomicCreation(
        overwrite: overwrite,
        createDirectories: outputDir != nil,
        touch: touch
      )
    )
  }

  /// Where the result of the only file goes; nil where names are made of the files'.
  var target: ConversionTarget? {
    output.map { $0 == "-" ? .standardOutput : .file(ArgumentPath.path($0)) }
  }

  /// The journal, where one is kept.
  ///
  /// - Throws: ``FileError``.
  func openedJournal() throws(FileError) -> Journal? {
    guard let journal, !dryRun else { return nil }
    return try Journal(ArgumentPath.path(journal))
  }
}

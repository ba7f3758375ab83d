internal import ArgumentParser
internal import Conversion
internal import FileSystem
internal import HEIFDecoder
internal import ImageFormats
internal import PhotoFiles
internal import SystemPackage
internal import Upright

/// `upright convert`, which converts HEIF files to JPEG files.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    _superCommandName: "upright",
    abstract: "Convert HEIF (HEIC) to upright JPEG, with its metadata.",
    discussion: """
      The pixels are re-encoded: the conversion is not lossless. Exif, XMP and the ICC profile are copied byte \
      for byte, except Orientation and dimensions. What a JPEG file cannot hold, such as depth and gain maps, is \
      reported.

      Without -o or --output-dir, the result is written next to the source as NAME.jpg. The source is kept.
      """
  )

  @Argument(
    help: "HEIF files, and directories of them.",
    completion: .file()
  )
  var paths: [String] = []

  @Option(
    help: ArgumentHelp("JPEG quality on libjpeg's scale, 1 to 100.", valueName: "number")
  )
  var quality = Converter().quality

  @OptionGroup(title: "Results") var destination: DestinationOptions

  @OptionGroup(title: "Results") var journal: JournalOption

  @OptionGroup(title: "Results") var report: ReportOptions

  @OptionGroup(title: "Files") var recursion: RecursionOption

  @OptionGroup var files: SelectionOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  @OptionGroup(title: "Advanced") var regions: RegionOption

  @OptionGroup(title: "Advanced") var pixels: PixelLimit

  @OptionGroup(title: "Advanced") var time: TimesOption

  @OptionGroup(title: "Advanced") var readOnly: ReadOnlyOption

  @Option(
    help: ArgumentHelp(
      "End the decoding of a file after this many seconds; the file is an error.",
      valueName: "seconds"
    )
  )
  var timeLimit = 120

  func validate() throws {
    if let problem = FileConversion.problem {
      throw ValidationError(problem)
    }
    try files.check(paths)
    try destination.check(paths, files)
    try report.check(isDry: destination.dryRun)
    try journal.check(isSingle: destination.output != nil)
    try OwnFiles.check(
      [("--journal", journal.journal), ("--report", report.report), ("--html", report.html)],
      inputs: paths + [files.filesFrom]
    )
    try (1...100).check(quality, of: "--quality")
    try (1...86_400).check(timeLimit, of: "--time-limit")
  }

  private var converter: Converter {
    var converter = Converter()
    converter.quality = quality
    converter.options.regions = regions.regions
    return converter
  }

  func run() throws {
    let isDry = destination.dryRun
    let isImage = !isDry && destination.output == "-"
    var printer = output.printer()
    var run = BatchRun(output, Console(printer, outputIsImage: isImage))
    run.journal = try run.open { () throws(FileError) in isDry ? nil : try journal.opened() }
    run.reports = try run.open { () throws(FileError) in isDry ? nil : try report.opened() }
    printer.page = try run.open { () throws(FileError) in
      var settings = Page.Settings(.report, of: "convert", converter.options)
      settings.undo = .init(text: "The HEIF files are where they were.")
      return try report.page(settings)
    }
    run.console = Console(printer, outputIsImage: isImage)
    if !isDry { BatchRun.removeAbandonedFiles(below: destination.directory) }
    let selection = files.selection(
      paths,
      recursive: recursion.recursive && destination.output == nil,
      outputDirectory: destination.directory,
      formats: Set(ImageFormat.allCases.filter { $0.isHEIF }),
      meetsOnce: false
    )
    let names = OutputNames(
      destination.directory.map(selection.tree),
      repeats: true,
      ending: "jpg"
    )
    let conversion = FileConversion(
      converter: converter,
      decoder: IsolatedDecoder(
        maxPixels: pixels.maxPixels,
        maxBytes: files.limit.maxBytes,
        timeLimit: .seconds(timeLimit)
      ),
      limit: files.limit,
      dryRun: isDry,
      creation: destination.creation(time, readOnly),
      destinations: destination.output == nil ? .names(names) : .only(destination.only)
    )
    run.work(conversion, on: selection)
    try run.console.finish()
  }
}

internal import ArgumentParser
internal import Conversion
internal import FileSystem
internal import SystemPackage
internal import Upright

/// `upright convert`: HEIF files to JPEG files.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Make upright JPEG files of HEIF files (HEIC), with all their metadata.",
    discussion: """
      The pixels are re-encoded: this is not lossless. Exif, XMP and the colour profile are copied byte for \
      byte, but for Orientation and dimensions. What has no place in a JPEG file, such as depth and gain maps, is \
      reported. Without -o or --output-dir the result stands beside the source, as NAME.jpg; the source stays.
      """
        + (FileConversion.isAvailable ? "" : "\n\nThis upright cannot convert. \(howToEnable)")
  )

  /// How to get an upright that can convert.
  static let howToEnable = """
    It was built without libheif. Install libheif-dev (on Debian and Ubuntu: tools/setup --heif) and build it with: \
    swift build -c release --product upright --traits HEIF
    """

  @Argument(
    help: "Files, and directories of HEIF files.",
    completion: .file()
  )
  var paths: [String] = []

  @Option(
    help: ArgumentHelp("How well to compress, 1 to 100, as libjpeg counts.", valueName: "number")
  )
  var quality = Converter().quality

  @OptionGroup(title: "Results") var destination: DestinationOptions

  @OptionGroup(title: "Results") var journal: JournalOption

  @OptionGroup var files: SelectionOptions

  @OptionGroup(title: "Output") var output: OutputOptions

  @OptionGroup(title: "Advanced") var time: TimeOption

  @OptionGroup(title: "Advanced") var regions: RegionOption

  @OptionGroup(title: "Advanced") var pixels: PixelLimit

  func validate() throws {
    if let problem = FileConversion.problem {
      throw ValidationError("This upright cannot convert. \(problem)")
    }
    try files.check(paths)
    try destination.check(paths, files)
    try journal.check(isSingle: destination.output != nil)
    try OwnFiles(files: [("--journal", journal.journal)]).check(inputs: paths + [files.filesFrom])
    guard (1...100).contains(quality) else {
      throw ValidationError("--quality takes a number from 1 to 100.")
    }
  }

  func run() throws {
    let isDry = destination.dryRun
    let isImage = !isDry && destination.output == "-"
    var run = BatchRun(output, Console(output.printer(), outputIsImage: isImage))
    run.journal = try run.open { () throws(FileError) in isDry ? nil : try journal.opened() }
    run.removesAbandoned = !isDry
    run.removeAbandonedFiles(below: destination.directory)
    let selection = files.selection(
      paths,
      recursive: files.names.recursive && destination.output == nil,
      outputDirectory: destination.directory,
      kind: .heif,
      meetsOnce: false
    )
    var converter = Converter()
    converter.quality = quality
    converter.options.regions = regions.regions
    let names = OutputNames(
      destination.directory.map(selection.tree),
      repeats: true,
      ending: "jpg"
    )
    let conversion = FileConversion(
      converter: converter,
      maxPixels: pixels.maxPixels,
      limit: files.limit,
      dryRun: isDry,
      creation: destination.creation(touch: time.touch),
      destinations: destination.output == nil ? .names(names) : .only(destination.only)
    )
    run.work(conversion, on: selection)
    try run.finish()
  }
}

internal import Archive
internal import ArgumentParser
internal import Conversion
internal import SystemPackage
internal import Upright

/// `upright convert`: HEIF files to JPEG files.
struct ConvertCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Make upright JPEG files of HEIF files (HEIC), with all their metadata.",
    discussion: """
      The pixels are compressed anew: this is not lossless. EXIF, XMP and the colour profile are copied byte for \
      byte, but for Orientation and dimensions. What has no place in a JPEG file, such as depth and gain maps, is \
      reported. Without -o or --output-dir the result stands beside the source, as NAME.jpg; the source stays.
      """
        + (FileConversion.isAvailable ? "" : "\n\nThis upright cannot convert. \(howToEnable)")
  )

  /// How to get an upright that can convert.
  static let howToEnable = """
    It was built without libheif. Install libheif-dev (Debian, Ubuntu: tools/setup --heif) and build with \
    swift build -c release --product upright --traits HEIF
    """

  @Argument(help: "Files and directories, in which HEIF files are told by their content.")
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

  @Option(
    help: ArgumentHelp("How well to compress, 1 to 100, as libjpeg counts.", valueName: "number")
  )
  var quality = Converter().quality

  @Flag(name: .shortAndLong, help: "Walk directories.")
  var recursive = false

  @Flag(help: "Replace outputs that exist already.")
  var overwrite = false

  @Flag(help: "Give the results the present time instead of the times of their sources.")
  var touch = false

  @Flag(name: [.customShort("n"), .long], help: "Convert in memory and say so; write nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Leave pictures alone that claim more pixels.", valueName: "count"))
  var maxPixels = Options().maxPixels

  @Option(help: "How to print: text for people, ndjson for programs.")
  var format = OutputFormat.text

  @Flag(name: .shortAndLong, help: "Print failures only.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print what is passed over, and notes on every file.")
  var verbose = false

  func validate() throws {
    guard FileConversion.isAvailable else {
      throw ValidationError("This upright cannot convert. \(Self.howToEnable)")
    }
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other.")
    }
    if output != nil, paths.count != 1 {
      throw ValidationError("-o takes one input; use --output-dir for several.")
    }
    guard (1...100).contains(quality) else {
      throw ValidationError("--quality takes a number from 1 to 100.")
    }
  }

  func run() throws {
    Syscalls.reportWriteSignalsAsErrors()
    Interruption.observe()
    let console = Console(
      format: format,
      outputIsPicture: !dryRun && output == "-",
      quiet: quiet,
      verbose: verbose
    )
    let roots = paths.map { ArgumentPath.path($0) }
    let directory = outputDir.map { ArgumentPath.path($0) }
    let outputs = ConversionOutputs(directory.map { OutputTree(directory: $0, roots: roots) })
    let conversion = conversion
    for path in roots {
      if Interruption.isPending { break }
      var report = conversion.report(path) { () throws in
        switch output {
        case nil: .file(try outputs.output(for: path, root: path))
        case "-"?: .standardOutput
        case let output?: .file(ArgumentPath.path(output))
        }
      }
      report.isNamed = true
      console.print(report)
    }
    if let status = Interruption.exitStatus { throw ExitCode(status) }
    try console.finish()
  }

  private var conversion: FileConversion {
    var converter = Converter()
    converter.quality = quality
    return FileConversion(
      converter: converter,
      maxPixels: maxPixels,
      dryRun: dryRun,
      creation: AtomicCreation(
        overwrite: overwrite,
        createDirectories: outputDir != nil,
        touch: touch
      )
    )
  }
}

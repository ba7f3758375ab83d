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
    It was built without libheif. Install libheif-dev (on Debian and Ubuntu: tools/setup --heif) and build it with: \
    swift build -c release --product upright --traits HEIF
    """

  @Argument(
    help: "Files, and directories of HEIF files.",
    completion: .file()
  )
  var paths: [String] = []

  @OptionGroup(title: "Results") var target: ConversionOptions

  @OptionGroup(title: "Files") var files: SelectionOptions

  @OptionGroup(title: "Output") var batch: BatchOptions

  func validate() throws {
    guard FileConversion.isAvailable else {
      throw ValidationError("This upright cannot convert. \(Self.howToEnable)")
    }
    try files.check(paths)
    try target.check(paths, files)
  }

  func run() throws {
    Interruption.observe()
    let printer = Printer(
      format: batch.format ?? .text,
      quiet: batch.quiet,
      verbose: batch.verbose
    )
    let console = Console(printer, outputIsPicture: !target.dryRun && target.output == "-")
    let journal: Journal?
    do throws(FileError) {
      journal = try target.openedJournal()
    } catch {
      console.error(error.description)
      throw ExitCode(Interruption.exitStatus ?? 2)
    }
    let directory = target.outputDir.map { ArgumentPath.path($0) }
    if let directory, !target.dryRun { removeAbandonedFiles(below: directory) }
    let selection = files.selection(
      paths,
      recursive: target.recursive && target.output == nil,
      outputDirectory: directory,
      kind: .heif,
      meetsOnce: false
    )
    console.showProgress(of: selection)
    let walk = selection.walk
    let tree = directory.map { OutputTree(directory: $0, roots: walk.roots, names: walk.names) }
    let outputs = OutputNames(tree, repeats: true, ending: "jpg")
    let items = ItemPrinter(
      printer: printer,
      roots: walk.roots,
      removesAbandoned: !target.dryRun,
      journal: journal
    )
    let (conversion, only) = (target.conversion(files.limit), target.target)
    Batch(jobs: batch.jobs).forEach(selection) { group in
      items.printout(group) { file, isCandidate in
        !isCandidate || Self.looksLikeHEIF(file.path)
      } work: { file in
        conversion.report(file.path) { () throws in
          if let only { return only }
          return try outputs.output(for: file.path, root: file.root).map { .file($0) }
        }
      }
    } then: {
      console.put($0)
    }
    try console.finish(interruption: Interruption.exitStatus)
  }

  private static func looksLikeHEIF(_ path: FilePath) -> Bool {
    guard let reader = try? FileReader(path),
      let beginning = try? reader.read(at: 0, count: 256)
    else { return false }
    return HEIFStructure.isHEIF(beginning)
  }
}

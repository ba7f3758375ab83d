internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import PhotoFiles
internal import Upright

/// `upright tag`, which reads and changes the Orientation tag and leaves the image unchanged.
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Read, set or remove the Orientation tag only.",
    subcommands: [Get.self, Set.self, Remove.self]
  )

  /// `upright tag get`.
  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: "Print the Orientation of files, 1 to 8.",
      discussion: """
        For a single file, prints only the number; for several, each path with its number. Reads the tag from \
        Exif, or from XMP if Exif has none; prints none if neither has one. Directories are searched \
        recursively.
        """
    )

    @Argument(help: "Files and directories.", completion: .file())
    var paths: [String] = []

    @OptionGroup(title: "Files") var recursion: AlwaysRecursiveOption

    @OptionGroup var files: SelectionOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
      try files.check(paths)
      if output.format == .table {
        throw ValidationError("--format table sums up what would be done: use upright audit.")
      }
    }

    func run() throws {
      var printer = output.printer()
      printer.reportsPlans = false
      let isSingle = paths.count == 1
      printer.row = { report, _ in
        guard report.plan != nil else { return nil }
        let number = report.facts?.exifOrientation ?? report.facts?.xmpOrientation
        let text = number.map { "\($0)" } ?? "none"
        return isSingle && report.isNamed ? text : "\(TextFormat.path(report.path)): \(text)"
      }
      let run = BatchRun(output, Console(printer))
      let selection = files.selection(paths, recursive: true, meetsOnce: false)
      var policy = FilePolicy()
      policy.sidecars = .ignore
      policy.protection = .none
      run.work(FileAudit(Rewriter(), policy), on: selection)
      try run.console.finish()
    }
  }

  /// `upright tag set`.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Set the Orientation of files, and leave the image unchanged.",
      discussion: """
        Changes the value in place, in Exif, in XMP, in copies of it and in the sidecar, and removes a second Exif identifier. A \
        file without Exif gets an Exif block of 36 bytes that contains only the tag, unless offsets into the file \
        would become wrong. A file with Exif but without an Orientation tag is skipped, because Exif has no room \
        for one.
        """
    )

    @Argument(
      help: ArgumentHelp(
        "Orientation, 1 to 8 or its name. Readers show the image so: \(Orientation.list)."
      ),
      completion: .list(Orientation.allCases.map { "\($0.rawValue)" }),
      transform: Orientation.init(parsing:)
    )
    var orientation: Orientation

    @OptionGroup var options: TagOptions

    func run() throws { try options.run(.set(orientation)) }
  }

  /// `upright tag remove`.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove the Orientation tag, so that files are displayed as stored.",
      discussion: """
        Removes the entry from Exif without moving other data, and sets the value in XMP to 1. The length of the \
        file stays the same, unless its Exif block contains only the tag; then the block is removed.
        """
    )

    @OptionGroup var options: TagOptions

    func run() throws { try options.run(.remove) }
  }
}

/// The arguments of the commands that change only the tag.
struct TagOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Pages of TIFF files to change, each of which has an Orientation of its own: a number from 1, or all. By default \
      the first image, with its reduced renditions.
      """,
      valueName: "page"
    )
  )
  var page: TagPages?

  @OptionGroup(title: "Results") var undo: UndoOptions

  @OptionGroup var rewrite: RewriteOptions

  @OptionGroup(title: "Policies") var policy: TagPolicyOptions

  func validate() throws {
    try rewrite.checkInputs(undo)
    try rewrite.check(undo)
  }

  func run(_ operation: TagOperation) throws {
    var options = policy.options
    // A sidecar gets the value of the photo also where the photo has it already.
    options.onConflict = .resetTag
    try rewrite.run(options, .tag(operation, pages: page ?? .first), undo)
  }
}

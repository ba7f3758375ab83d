internal import Archive
internal import ArgumentParser
internal import ImageOrientation
internal import Upright

/// `upright tag`: reads and changes what files say of their orientation, and leaves the pictures as they are.
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Read, set or remove the Orientation tag alone.",
    subcommands: [Get.self, Set.self, Remove.self]
  )

  /// `upright tag get`.
  struct Get: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "get",
      abstract: "Print the Orientation of files, 1 to 8.",
      discussion: """
        Of a single file the number alone is printed, of several each with its file: EXIF's, or XMP's where \
        EXIF has none; none where there is none. Directories are walked.
        """
    )

    @Argument(help: "Files and directories.", completion: .file())
    var paths: [String] = []

    @OptionGroup(title: "Files") var files: SelectionOptions

    func validate() throws { try files.check(paths) }

    func run() throws {
      let console = Console(Printer())
      var hasFailed = false
      for item in files.selection(paths, recursive: true, meetsOnce: false) {
        guard case .file(let report) = AuditCommand.finding(item, Normalizer()) else { continue }
        let path = TextFormat.path(report.path)
        if case .failed(let failure) = report.result {
          console.error("\(path): \(failure.message)")
          hasFailed = true
          continue
        }
        let number = report.facts?.exifOrientation ?? report.facts?.xmpOrientation
        let text = number.map(String.init) ?? "none"
        console.line(paths.count == 1 && report.isNamed ? text : "\(path): \(text)")
      }
      try console.end(hasFailed ? 2 : 0)
    }
  }

  /// `upright tag set`.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Set the Orientation of files, and change nothing else.",
      discussion: """
        The number changes where it stands, in EXIF and in XMP, and no other byte does. A file without EXIF gets \
        a block of 36 bytes that holds nothing else, unless that would move what others point to. EXIF without \
        an Orientation has no room for one: such a file is left alone. Of the policies, --content-credentials \
        alone matters.
        """
    )

    @Argument(help: "1 to 8, or a name such as right or upMirrored.")
    var orientation: Orientation

    @OptionGroup var options: TagOptions

    func run() throws { try options.run(.set(orientation)) }
  }

  /// `upright tag remove`.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove the Orientation of files, so that they are shown as they are stored.",
      discussion: """
        EXIF's entry is taken out without moving what others point to, and XMP's becomes 1. The file keeps its \
        length, unless its EXIF block holds nothing else and goes as a whole.
        """
    )

    @OptionGroup var options: TagOptions

    func run() throws { try options.run(.remove) }
  }
}

/// The arguments that the commands share which change the tag alone.
struct TagOptions: ParsableArguments {
  @Argument(
    help: "Files and directories; - reads standard input and writes standard output.",
    completion: .file()
  )
  var paths: [String] = []

  @OptionGroup(title: "Results") var target: TargetOptions

  @OptionGroup(title: "Files") var files: SelectionOptions

  @OptionGroup(title: "Policies") var policy: PolicyOptions

  @OptionGroup(title: "Output") var batch: BatchOptions

  func validate() throws { try target.check(paths, files) }

  /// Changes the tags of the files.
  ///
  /// - Throws: `ExitCode`, where it is not 0.
  func run(_ operation: TagEditor.Operation) throws {
    try Rewriting(paths: paths, target: target, files: files, policy: policy, batch: batch) {
      .tag(TagEditor(operation, options: $0))
    }
    .run()
  }
}

internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import Upright

/// `upright tag`: reads and changes what files say of their orientation, and leaves the images as they are.
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
        Of a single file the number alone is printed, of several each with its file: Exif's, or XMP's where \
        Exif has none; none where there is none. Directories are walked.
        """
    )

    @Argument(help: "Files and directories.", completion: .file())
    var paths: [String] = []

    @OptionGroup var files: SelectionOptions

    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try files.check(paths) }

    func run() throws {
      var printer = output.printer()
      let isSingle = paths.count == 1
      printer.row = { report in
        guard report.plan != nil else { return nil }
        let number = report.facts?.exifOrientation ?? report.facts?.xmpOrientation
        let text = number.map(String.init) ?? "none"
        return isSingle && report.isNamed ? text : "\(TextFormat.path(report.path)): \(text)"
      }
      let run = BatchRun(output, Console(printer))
      let selection = files.selection(paths, recursive: true, meetsOnce: false)
      run.work(FileAudit(normalizer: Normalizer()), on: selection)
      try run.console.end(run.console.tally.exitStatus == 2 ? 2 : 0)
    }
  }

  /// `upright tag set`.
  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set",
      abstract: "Set the Orientation of files, and change nothing else.",
      discussion: """
        The number changes where it stands, in Exif and in XMP, and no other byte does. A file without Exif gets \
        a block of 36 bytes that holds nothing else, unless that would move what others point to. Exif without \
        an Orientation has no room for one: such a file is skipped.
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
        Exif's entry is taken out without moving what others point to, and XMP's becomes 1. The file keeps its \
        length, unless its Exif block holds nothing else and goes as a whole.
        """
    )

    @OptionGroup var options: TagOptions

    func run() throws { try options.run(.remove) }
  }
}

/// The arguments that the commands share which change the tag alone.
struct TagOptions: ParsableArguments {
  @OptionGroup(title: "Results") var undo: UndoOptions

  @OptionGroup var rewrite: RewriteOptions

  @OptionGroup var policy: TagPolicyOptions

  func validate() throws { try rewrite.check(undo) }

  /// Changes the tags of the files.
  ///
  /// - Throws: `ExitCode`, where it is not 0.
  func run(_ operation: TagEditor.Operation) throws {
    try rewrite.run(policy.options, undo) { .tag(TagEditor(operation, options: $0)) }
  }
}

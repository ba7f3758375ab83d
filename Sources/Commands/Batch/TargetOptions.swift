internal import Archive
internal import ArgumentParser
internal import Records
internal import SystemPackage
internal import Upright

/// The options of a command that rewrites files: where results go, and how carefully.
struct TargetOptions: ParsableArguments {
  @Flag(name: .shortAndLong, help: "Walk directories.")
  var recursive = false

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the result to this file; - is standard output. For one input only.",
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

  @Flag(help: "Replace outputs that exist already.")
  var overwrite = false

  @Option(
    help: ArgumentHelp(
      "What to do with a file that has more names than one: refuse it, or break the link.",
      valueName: "policy"
    )
  )
  var hardLinks = HardLinks.refuse

  @Option(
    help: ArgumentHelp(
      "Keep each original that is replaced, under its name with this suffix; never over another file.",
      valueName: "suffix"
    )
  )
  var backup: String?

  @Flag(help: "Give the results the present time instead of the times of their originals.")
  var touch = false

  @Flag(name: [.customShort("n"), .long], help: "Say what would be done; write nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      """
      How to check each result before it is used: restore the original from it, or compare its coefficients with \
      the reference, TurboJPEG's transform of the original; or none.
      """,
      valueName: "check"
    )
  )
  var verify = Options.VerificationPolicy.restore

  @Flag(help: "The same as --verify none.")
  var noVerify = false

  /// How results are checked.
  var verification: Options.VerificationPolicy { noVerify ? .none : verify }

  @Option(
    help: ArgumentHelp(
      """
      Append a record of each rewrite to this file, before the rewrite takes its place; \
      upright undo gives the original back from it.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var record: String?

  @Flag(help: "Leave files alone whose original could not be restored identically.")
  var requireUndo = false

  @Option(
    help: ArgumentHelp(
      "What to do with XMP files beside the photographs: report, update, or ignore them.",
      valueName: "policy"
    )
  )
  var sidecars = SidecarPolicy.report

  @Option(
    help: ArgumentHelp(
      """
      Note in this file what was done, and pass over what it says was done before. A run that was killed \
      goes on where it stopped when it is started again with the same journal.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var journal: String?

  /// Checks options that only together make sense.
  ///
  /// - Parameters:
  ///   - paths: The command's arguments.
  ///   - files: Which files to work on.
  /// - Throws: `ValidationError`, where options contradict each other.
  func check(_ paths: [String], _ files: SelectionOptions) throws {
    try files.check(paths)
    if output != nil, outputDir != nil {
      throw ValidationError("-o and --output-dir exclude each other.")
    }
    if output != nil, paths.count != 1 || files.filesFrom != nil {
      throw ValidationError("-o takes one input; use --output-dir for several.")
    }
    if paths.contains("-"), paths.count > 1 || outputDir != nil || files.filesFrom != nil {
      throw ValidationError("- (standard input) goes alone, with -o or without.")
    }
    if requireUndo, record == nil {
      throw ValidationError("--require-undo needs --record, which keeps the way back.")
    }
    if requireUndo, verification == .none {
      throw ValidationError("--require-undo and --no-verify exclude each other.")
    }
    if let backup, backup.isEmpty || backup.contains("/") {
      throw ValidationError("--backup takes the end of a name, such as .orig.")
    }
    // The next run would take such a backup for a photograph.
    if let backup, NameRule().verdict(ArgumentPath.bytes("x.jpg" + backup)) == .taken {
      throw ValidationError("--backup takes the end of a name that is not a photograph's.")
    }
    if journal != nil, paths == ["-"] || output != nil {
      throw ValidationError("--journal is for many files, not for one.")
    }
    try OwnFiles(files: [("--record", record), ("--journal", journal)])
      .check(inputs: paths + [files.filesFrom], output: output, takesSidecars: true)
  }

  /// Where the result of a file goes that has no directory of its own for it.
  var target: FileNormalization.Target {
    switch output {
    case nil: .inPlace
    case "-"?: .standardOutput
    case let path?: .file(ArgumentPath.path(path))
    }
  }

  /// Whether standard output carries a picture when these are the command's arguments.
  func writesToStandardOutput(_ paths: [String]) -> Bool {
    !dryRun && (output == "-" || (output == nil && paths == ["-"]))
  }
}

extension HardLinks: ExpressibleByArgument {}

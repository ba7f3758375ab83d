internal import ArgumentParser
internal import Upright

/// `upright normalize`: makes files upright.
struct NormalizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "normalize",
    abstract: "Make JPEG files upright, in place or into another file or directory.",
    discussion: """
      Without -o or --output-dir each file is replaced atomically, keeping its mode, owner, times and extended \
      attributes; a file that needs nothing, or is left alone, is not touched. With -o or --output-dir such a \
      file is copied byte for byte, so that the output is complete; a file that fails is not written.
      """
  )

  @Argument(
    help: "Files and directories; - reads standard input and writes standard output.",
    completion: .file()
  )
  var paths: [String] = []

  @OptionGroup(title: "Results") var target: TargetOptions

  @OptionGroup(title: "Files") var files: SelectionOptions

  @OptionGroup(title: "Policies") var policy: PolicyOptions

  @OptionGroup(title: "Output") var batch: BatchOptions

  @Flag(
    help: """
      Decode the files that need nothing, too, and report those that are damaged; that reads every file to its \
      end.
      """
  )
  var checkUnchanged = false

  func validate() throws { try target.check(paths, files) }

  func run() throws {
    var rewriting = Rewriting(
      paths: paths,
      target: target,
      files: files,
      policy: policy,
      batch: batch
    )
    rewriting.checksUnchanged = checkUnchanged
    try rewriting.run()
  }
}

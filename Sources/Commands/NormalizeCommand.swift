internal import ArgumentParser
internal import Upright

/// `upright normalize`: makes files upright.
struct NormalizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "normalize",
    abstract: "Make JPEG files upright, in place or into another file or directory.",
    discussion: """
      Without -o or --output-dir each file is replaced atomically, keeping its mode, owner, times and extended \
      attributes; a file that is already upright, or is skipped, is not touched. With -o or --output-dir such a \
      file is copied byte for byte, so that the output is complete; a file that fails is not written.

      EXAMPLES:
        upright normalize photo.jpg
        upright normalize -n -r photos
        upright normalize -r photos --lossless-only
        upright normalize -r photos --record record.ndjson --journal journal
        upright normalize -r photos --output-dir upright-photos
        upright normalize - < photo.jpg > upright.jpg
      """
  )

  @OptionGroup(title: "Results") var undo: UndoOptions

  @OptionGroup var rewrite: RewriteOptions

  @OptionGroup var policy: PolicyOptions

  @OptionGroup(title: "Advanced") var unchanged: UnchangedOption

  func validate() throws { try rewrite.check(undo) }

  func run() throws {
    var options = policy.options
    options.checksUnchanged = unchanged.checkUnchanged
    try rewrite.run(options, undo) { .normalize(Normalizer(options: $0)) }
  }
}

/// The option of what is done with files that are already upright.
struct UnchangedOption: ParsableArguments {
  @Flag(
    help: """
      Decode the files that are already upright, too, and report those that are damaged; that reads every file to its \
      end.
      """
  )
  var checkUnchanged = false
}

internal import ArgumentParser
internal import Upright

/// `upright normalize`, which normalizes the orientation of files.
struct NormalizeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "normalize",
    _superCommandName: "upright",
    abstract: "Normalize the orientation of JPEG files, in place or into other files.",
    discussion: """
      Rotates or flips the image as the Orientation tag specifies, sets the tag to 1 and keeps the other metadata. If \
      the size of the image does not allow a lossless transform, the affected components are re-encoded, unless \
      --lossless-only or --unaligned is given.

      Without -o or --output-dir, each file is replaced atomically and keeps its mode, owner and extended attributes, \
      and its time unless that would hide the change (--times); a file that is already upright or is skipped is not touched. With -o or --output-dir, such a \
      file is copied byte for byte, and only a file that fails is missing from the output.

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

  @OptionGroup(title: "Policies") var invalid: InvalidTagOption

  @OptionGroup(title: "Advanced") var unchanged: UnchangedOption

  func validate() throws {
    try rewrite.checkInputs()
    try rewrite.check(undo)
  }

  func run() throws {
    var options = policy.options
    options.checksUnchanged = unchanged.checkUnchanged
    options.resetsInvalid = invalid.resetInvalid
    try rewrite.run(options, .normalize(), undo)
  }
}

/// The option for tags that have no meaning.
struct InvalidTagOption: ParsableArguments {
  @Flag(
    help: .of(
      "reset-invalid",
      " By default, 0 is taken for 1 and stays, and files with other values are skipped."
    )
  )
  var resetInvalid = false
}

/// The option for files that are already upright.
struct UnchangedOption: ParsableArguments {
  @Flag(
    help: .of("check-unchanged", " Reads every file to its end.", visibility: .hidden)
  )
  var checkUnchanged = false
}

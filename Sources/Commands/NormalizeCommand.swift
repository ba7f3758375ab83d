internal import ArgumentParser
internal import Upright

/// `upright normalize`, which normalizes the orientation of files.
struct NormalizeCommand: ParsableCommand, DeclaredOptions {
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

  var undo = UndoOptions()
  var rewrite = RewriteOptions()
  var policy = PolicyOptions()
  var invalid = InvalidTagOption()
  var unchanged = UnchangedOption()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.group(&undo, "undo", title: "Results")
    try visitor.group(&rewrite, "rewrite")
    try visitor.group(&policy, "policy")
    try visitor.group(&invalid, "invalid", title: "Policies")
    try visitor.group(&unchanged, "unchanged", title: "Advanced")
  }

  func validate() throws {
    try rewrite.checkInputs(undo)
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
struct InvalidTagOption: DeclaredOptions {
  var resetInvalid = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(
      &resetInvalid,
      "reset-invalid",
      help: .of(
        "reset-invalid",
        " By default, 0 is taken for 1 and stays, and files with other values are skipped."
      )
    )
  }
}

/// The option for files that are already upright.
struct UnchangedOption: DeclaredOptions {
  var checkUnchanged = false

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(
      &checkUnchanged,
      "check-unchanged",
      help: .of("check-unchanged", " Reads every file to its end.", visibility: .hidden)
    )
  }
}

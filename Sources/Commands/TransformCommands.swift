internal import ArgumentParser
internal import FileSystem
internal import ImageOrientation
internal import Upright

/// The arguments of all commands that transform the displayed image.
struct TransformOptions: DeclaredOptions {
  /// The common part of the help texts.
  static let discussion = """
    Applies to the image as displayed, whatever its Orientation tag. The image itself is rotated or flipped, \
    losslessly, together with thumbnail and metadata, and Orientation is set to 1. With --tag-only, only the tag \
    is changed.

    Unlike normalize, this is not idempotent: a second run rotates or flips again. With --record or \
    --embed-undo, upright undo restores the originals.
    """

  var tagOnly = false
  var undo = UndoOptions()
  var rewrite = RewriteOptions()
  var policy = TransformPolicyOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(&tagOnly, "tag-only", help: .of("tag-only"))
    try visitor.group(&undo, "undo", title: "Results")
    try visitor.group(&rewrite, "rewrite")
    try visitor.group(&policy, "policy")
  }

  func validate() throws { try rewrite.check(undo) }

  func checkInputs() throws { try rewrite.checkInputs(undo) }

  func run(_ transform: OrientationTransform, _ angles: AngleList? = nil) throws {
    try rewrite.run(policy.options, .transform(transform, tagOnly: tagOnly), undo, angles)
  }
}

/// `upright rotate`, which rotates by multiples of 90°.
struct RotateCommand: ParsableCommand, DeclaredOptions {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    _superCommandName: "upright",
    abstract: "Rotate JPEG files clockwise, as displayed.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright rotate 90 photo.jpg
        upright rotate left photo.jpg -o rotated.jpg
        upright rotate --angles-from angles.tsv --record record.ndjson --journal journal
      """
  )

  private static let angles =
    OrientationTransform.angles + [("right", .rotate90), ("left", .rotate270)]

  var angle: OrientationTransform?
  var anglesFrom: String?
  var options = TransformOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.argument(
      &angle,
      "angle",
      help: "Clockwise angle: 90, 180 or 270 degrees. right is 90, left is 270.",
      completion: .list(Self.angles.map(\.name)),
      transform: OrientationTransform.parser(of: Self.angles)
    )
    try visitor.option(
      &anglesFrom,
      "angles-from",
      help: ArgumentHelp(
        """
        Rotate the files of this list, each by its angle. A line is a path, a tab and a clockwise angle: 0, 90, 180 or \
        270. Files with the angle 0 stay as they are. With -0, lines end with NUL. - is standard input.
        """,
        valueName: "file"
      ),
      completion: .file()
    )
    try visitor.group(&options, "options")
  }

  func validate() throws {
    let rewrite = options.rewrite
    guard let anglesFrom else {
      guard angle != nil else {
        throw ValidationError("Give an angle, as in: upright rotate 90 photo.jpg")
      }
      return try rewrite.checkInputs(options.undo)
    }
    if angle != nil || !rewrite.paths.isEmpty || rewrite.files.filesFrom != nil {
      throw ValidationError("--angles-from names the files and their angles. Give no others.")
    }
    try rewrite.check(options.undo, list: anglesFrom)
  }

  func run() throws {
    guard let anglesFrom else { return try options.run(angle ?? .none) }
    do {
      let terminator = options.rewrite.files.terminator
      let angles = try AngleList(
        ArgumentPath.path(anglesFrom),
        endingWith: terminator,
        isInPlace: options.rewrite.destination.isInPlace
      )
      try options.run(.none, angles)
    } catch let error as FileError {
      Console().fail(error)
      throw ExitCode(2)
    }
  }
}

/// `upright flip`, which mirrors horizontally or vertically.
struct FlipCommand: ParsableCommand, DeclaredOptions {
  static let configuration = CommandConfiguration(
    commandName: "flip",
    _superCommandName: "upright",
    abstract: "Flip (mirror) JPEG files, as displayed.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright flip horizontal photo.jpg
      """
  )

  var direction = OrientationTransform.none
  var options = TransformOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.requiredArgument(
      &direction,
      "direction",
      help: "horizontal or vertical. horizontal swaps left and right.",
      completion: .list(OrientationTransform.flips.map(\.name)),
      transform: OrientationTransform.parser(of: OrientationTransform.flips)
    )
    try visitor.group(&options, "options")
  }

  func validate() throws { try options.checkInputs() }

  func run() throws { try options.run(direction) }
}

/// `upright transpose`, which mirrors across the main diagonal.
struct TransposeCommand: ParsableCommand, DeclaredOptions {
  static let configuration = CommandConfiguration(
    commandName: "transpose",
    _superCommandName: "upright",
    abstract: "Transpose JPEG files (mirror across the main diagonal), as displayed.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright transpose photo.jpg
      """
  )

  var options = TransformOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.group(&options, "options")
  }

  func validate() throws { try options.checkInputs() }

  func run() throws { try options.run(.transpose) }
}

/// `upright transverse`, which mirrors across the anti-diagonal.
struct TransverseCommand: ParsableCommand, DeclaredOptions {
  static let configuration = CommandConfiguration(
    commandName: "transverse",
    _superCommandName: "upright",
    abstract: "Transverse JPEG files (mirror across the anti-diagonal), as displayed.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright transverse photo.jpg
      """
  )

  var options = TransformOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.group(&options, "options")
  }

  func validate() throws { try options.checkInputs() }

  func run() throws { try options.run(.transverse) }
}

internal import ArgumentParser
internal import ImageOrientation
internal import Upright

/// The arguments that all commands share which transform what a viewer sees.
struct TransformOptions: ParsableArguments {
  /// What people should know of these commands.
  static let discussion = """
    What a viewer sees is transformed, whatever the Orientation tag says now. The image itself is transformed, losslessly \
    and with all that belongs to it, and Orientation becomes 1, as with normalize; with --tag-only the image stays as it is \
    and the tag changes alone. Unlike normalize, this is not idempotent: done twice, it is done twice. \
    upright undo takes it back where it was recorded.
    """

  @Flag(help: "Change the Orientation tag alone, and leave the image as it is stored.")
  var tagOnly = false

  @OptionGroup(title: "Results") var undo: UndoOptions

  @OptionGroup var rewrite: RewriteOptions

  @OptionGroup var policy: TransformPolicyOptions

  func validate() throws { try rewrite.check(undo) }

  /// Transforms the files.
  ///
  /// - Throws: `ExitCode`, where it is not 0.
  func run(_ transform: OrientationTransform) throws {
    try rewrite.run(policy.options, undo) {
      tagOnly
        ? .tag(TagEditor(.transform(transform), options: $0))
        : .normalize(Normalizer(options: $0, then: transform))
    }
  }
}

/// `upright rotate`: transforms by quarters.
struct RotateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Rotate JPEG files clockwise, as they are seen, without losing anything.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright rotate 90 photo.jpg
        upright rotate left photo.jpg -o transformed.jpg
      """
  )

  /// A clockwise rotation.
  enum Angle: String, NamedValue {
    case quarter = "90"
    case half = "180"
    case threeQuarters = "270"
    case right, left

    var transform: OrientationTransform {
      switch self {
      case .quarter, .right: .rotate90
      case .half: .rotate180
      case .threeQuarters, .left: .rotate270
      }
    }
  }

  @Argument(help: "Degrees, clockwise; or right or left, by a quarter.")
  var angle: Angle

  @OptionGroup var options: TransformOptions

  func run() throws { try options.run(angle.transform) }
}

/// `upright flip`: mirrors.
struct FlipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flip",
    abstract: "Mirror JPEG files, as they are seen, without losing anything.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright flip horizontal photo.jpg
      """
  )

  /// What a mirroring exchanges.
  enum Direction: String, NamedValue {
    case horizontal, vertical
  }

  @Argument(help: "What is swapped: horizontal, left and right; vertical, top and bottom.")
  var direction: Direction

  @OptionGroup var options: TransformOptions

  func run() throws {
    try options.run(direction == .horizontal ? .flipHorizontal : .flipVertical)
  }
}

/// `upright transpose`: mirrors at the main diagonal.
struct TransposeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transpose",
    abstract: "Mirror JPEG files at the diagonal from top left to bottom right, as they are seen.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright transpose photo.jpg
      """
  )

  @OptionGroup var options: TransformOptions

  func run() throws { try options.run(.transpose) }
}

/// `upright transverse`: mirrors at the other diagonal.
struct TransverseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transverse",
    abstract: "Mirror JPEG files at the diagonal from top right to bottom left, as they are seen.",
    discussion: TransformOptions.discussion + """


      EXAMPLES:
        upright transverse photo.jpg
      """
  )

  @OptionGroup var options: TransformOptions

  func run() throws { try options.run(.transverse) }
}

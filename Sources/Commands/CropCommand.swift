public import ArgumentParser
public import ImageOrientation
public import Upright

/// `upright crop`: cuts a rectangle out of files.
struct CropCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    abstract: "Crop JPEG files losslessly, and make them upright on the way.",
    discussion: """
      The rectangle is WIDTHxHEIGHT+X+Y in pixels of the image as it is seen, the origin at the top left. \
      JPEG stores blocks of 8 to 32 pixels, and a lossless image begins with a whole one; so the rectangle \
      grows to the left and the top where it must, and the report says what it became.

      What is cut away is gone: there is no undo. Without -o or --output-dir, --backup must say where the \
      originals go.

      EXAMPLES:
        upright crop 1920x1080+0+64 photo.jpg -o crop.jpg
        upright crop 200x150+40+60 --exact photo.jpg --backup .orig
      """
  )

  @Argument(
    help: ArgumentHelp("What to keep, such as 1920x1080+0+64.", valueName: "rectangle"),
    transform: Self.rectangle
  )
  var rectangle: PixelRectangle

  @Option(
    help: ArgumentHelp(
      """
      What happens to a rectangle that does not begin with a whole block: it can grow, shrink, or stay as it \
      is (exact), for which what it cuts is re-encoded.
      """,
      valueName: "way"
    )
  )
  var snap = Crop.Snap.grow

  @Flag(help: "The same as --snap exact.")
  var exact = false

  @OptionGroup var rewrite: RewriteOptions

  @OptionGroup var policy: TransformPolicyOptions

  private static func rectangle(_ text: String) throws -> PixelRectangle {
    if let rectangle = PixelRectangle(argument: text) { return rectangle }
    let hint =
      PixelRectangle(argument: text + "+0+0") == nil
      ? "give width, height and position, as in 200x150+40+60"
      : "add the position, as in \(text)+0+0"
    throw ValidationError(hint)
  }

  func validate() throws {
    if exact, snap == .shrink {
      throw ValidationError("--exact and --snap shrink exclude each other.")
    }
    let destination = rewrite.destination
    if destination.isInPlace, rewrite.paths != ["-"], rewrite.originals.backup == nil,
      !destination.dryRun
    {
      throw ValidationError(
        """
        What a crop cuts away is gone. Say where the results go, with -o or --output-dir, or keep the \
        originals with --backup .orig, for example.
        """
      )
    }
  }

  func run() throws {
    try rewrite.run(policy.options) {
      .normalize(Cropper(options: $0).normalizer(rectangle, exact ? .exact : snap))
    }
  }
}

extension PixelRectangle: ExpressibleByArgument {}

extension Crop.Snap: NamedValue {}

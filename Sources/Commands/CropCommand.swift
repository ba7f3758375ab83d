public import ArgumentParser
public import ImageOrientation
public import Upright

/// `upright crop`, which crops files to a rectangle.
struct CropCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crop",
    _superCommandName: "upright",
    abstract:
      "Crop JPEG files losslessly, and normalize them; in place only with --backup.",
    discussion: """
      The rectangle is WIDTHxHEIGHT+X+Y in pixels of the displayed image, with the origin at the top left. JPEG \
      stores blocks of 8 to 32 pixels, and a lossless crop must start at a block boundary: the rectangle grows \
      to the left and to the top where necessary, and the report gives the result.

      A crop cannot be undone. To replace files, give --backup SUFFIX, which keeps each original under its name with \
      that suffix; to restore it, rename it.

      EXAMPLES:
        upright crop 1920x1080+0+64 photo.jpg -o crop.jpg
        upright crop 200x150+40+60 --exact photo.jpg --backup .orig
      """
  )

  @Argument(
    help: ArgumentHelp(
      "WIDTHxHEIGHT+X+Y in pixels of the displayed image. This part is kept.",
      valueName: "rectangle"
    ),
    transform: Self.rectangle
  )
  var rectangle: PixelRectangle

  @Option(
    help: .of("snap", valueName: "way")
  )
  var snap = Crop.Snap.grow

  @Flag(help: "Crop to the pixel. Same as --snap exact.")
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
    try rewrite.checkInputs()
    if exact, snap == .shrink {
      throw ValidationError("--exact and --snap shrink cannot be combined.")
    }
    if exact || snap == .exact, [.skip, .fail].contains(policy.image.edges) {
      throw ValidationError(
        "An exact crop may re-encode, so --lossless-only, --unaligned skip and --unaligned fail cannot be combined with it."
      )
    }
    let destination = rewrite.destination
    if destination.isInPlace, rewrite.paths != ["-"], rewrite.originals.backup == nil,
      !destination.dryRun
    {
      throw ValidationError(
        """
        A crop cannot be undone, not even from a record. Write the results elsewhere with -o or --output-dir, or keep \
        each original under another name, for example with --backup .orig: renamed, it is back.
        """
      )
    }
  }

  func run() throws {
    try rewrite.run(policy.options, .crop(rectangle, snapping: exact ? .exact : snap))
  }
}

extension PixelRectangle: ExpressibleByArgument {}

extension Crop.Snap: NamedValue {}

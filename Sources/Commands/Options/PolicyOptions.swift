internal import ArgumentParser
internal import FileSystem
public import Upright

/// The options for the policies.
struct PolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var conflict: ConflictOption

  @OptionGroup var transform: TransformPolicyOptions

  /// The options of the library.
  var options: Options {
    var options = transform.options
    options.onConflict = conflict.onConflict
    return options
  }

  /// The policies by the names of their options.
  var named: [String: String] { Self.named(options) }

  /// The policies that differ from the defaults.
  var nonDefault: [String: String] {
    let defaults = Self.named(Options())
    return named.filter { $0.value != defaults[$0.key] }
  }

  private static func named(_ options: Options) -> [String: String] {
    [
      "--unaligned": options.unaligned.rawValue, "--on-conflict": options.onConflict.rawValue,
      "--content-credentials": options.contentCredentials.rawValue,
      "--registered-data": options.registeredData.rawValue,
      "--redraw-quality": options.redrawQuality.rawValue,
      "--resolution": options.resolution.rawValue, "--regions": options.regions.rawValue,
    ]
  }
}

/// The policies for commands that transform a photo whatever its tag.
///
/// Few groups with many options each, because the parser's work for a group takes 0.2 ms whenever a command starts.
struct TransformPolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var image: ImagePolicyOptions

  @OptionGroup(title: "Advanced") var details: DetailOptions

  /// The options of the library.
  var options: Options {
    var options = Options()
    options.contentCredentials = image.contentCredentials
    options.unaligned = image.edges
    options.registeredData = image.registeredData
    options.redrawQuality = details.redrawQuality
    options.resolution = details.resolution
    options.regions = details.regions.regions
    options.maxPixels = details.pixels.maxPixels
    options.maxScans = details.maxScans
    // Clamps negative and very large numbers.
    options.maxMemory =
      details.memory.map { max(0, min($0, 1 << 40)) << 20 } ?? ProcessMemory.ofMachine
    return options
  }
}

/// The policies for commands that change only the Orientation tag.
struct TagPolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var credentials: CredentialOption

  /// The options of the library.
  var options: Options {
    var options = Options()
    options.contentCredentials = credentials.contentCredentials
    options.maxMemory = ProcessMemory.ofMachine
    return options
  }
}

/// The option for photos whose Orientation tag may be stale.
struct ConflictOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do if the Orientation tag seems stale. The image seems to be upright already; the file is skipped, \
      rotated or flipped anyway, or only its Orientation is set to 1.
      """,
      valueName: "policy"
    )
  )
  var onConflict = Options.ConflictPolicy.skip
}

/// The options for images that cannot simply be transformed.
struct ImagePolicyOptions: ParsableArguments {
  @Flag(
    help: """
      Skip files that cannot be rotated losslessly. That includes their thumbnails and gain maps. Same as --unaligned \
      skip.
      """
  )
  var losslessOnly = false

  @Option(
    help: ArgumentHelp(
      """
      What to do if an edge of the image is not aligned to whole blocks and the transform requires it. The affected \
      components are re-encoded (the default), the partial blocks are cut off, the file is skipped, or it fails.
      """,
      valueName: "policy"
    )
  )
  var unaligned: Options.UnalignedPolicy?

  @Option(help: CredentialOption.help)
  var contentCredentials = Options.CredentialPolicy.skip

  @Option(
    help: ArgumentHelp(
      """
      What to do with a file whose thermal data, depth map or other data would no longer fit the image. It is skipped, \
      or the image is transformed and the data kept.
      """,
      valueName: "policy"
    )
  )
  var registeredData = Options.RegisteredDataPolicy.skip

  /// The policy for unaligned edges.
  var edges: Options.UnalignedPolicy { losslessOnly ? .skip : unaligned ?? .redraw }

  func validate() throws {
    if losslessOnly, let unaligned, unaligned != .skip {
      throw ValidationError(
        "--lossless-only and --unaligned \(unaligned.rawValue) cannot be combined."
      )
    }
  }
}

/// The option for content credentials.
struct CredentialOption: ParsableArguments {
  @Option(help: Self.help)
  var contentCredentials = Options.CredentialPolicy.skip

  static let help = ArgumentHelp(
    """
    What to do with a file that has C2PA content credentials. It is skipped, or rewritten and the credentials, which \
    no longer match, are kept or removed.
    """,
    valueName: "policy"
  )
}

/// The less common options, and limits.
struct DetailOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Quality of re-encoded parts. The second value makes smaller files, the third the largest ones.
      """,
      valueName: "quality"
    )
  )
  var redrawQuality = Options.RedrawQuality.standard

  @Option(
    help: ArgumentHelp(
      """
      What to do if the axes are swapped and the X and Y resolutions differ. They are kept, or swapped, too.
      """,
      valueName: "policy",
      visibility: .hidden
    )
  )
  var resolution = Options.ResolutionPolicy.keep

  @OptionGroup var regions: RegionOption

  @OptionGroup var pixels: PixelLimit

  @Option(
    help: ArgumentHelp(
      """
      Limit the estimated memory of all files being processed to this many MiB; skip files that need more. Default: \
      the memory of the machine. In serve, the limit holds for each photo; default: 1024.
      """,
      valueName: "mib"
    )
  )
  var memory: Int?

  @Option(
    help: ArgumentHelp(
      "Skip images with more scans than this.",
      valueName: "count",
      visibility: .hidden
    )
  )
  var maxScans = Options().maxScans
}

/// The option for regions.
struct RegionOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do with face and subject regions. Those in XMP are transformed if the file shows that they describe the \
      stored image; or all are kept; or all are transformed, SubjectArea included.
      """,
      valueName: "policy"
    )
  )
  var regions = Options.RegionPolicy.auto
}

/// The option for the maximum number of pixels.
struct PixelLimit: ParsableArguments {
  @Option(
    name: .customLong("max-pixels"),
    help: ArgumentHelp(
      "Skip images with more pixels than this. Default: half a gigapixel (2^29).",
      valueName: "count"
    )
  )
  var given: Int?

  /// The limit.
  var maxPixels: Int { given ?? Options().maxPixels }
}

extension Options.UnalignedPolicy: NamedValue {}
extension Options.VerificationPolicy: NamedValue {}
extension Options.ConflictPolicy: NamedValue {}
extension Options.ResolutionPolicy: NamedValue {}
extension Options.RegionPolicy: NamedValue {}
extension Options.CredentialPolicy: NamedValue {}
extension Options.RegisteredDataPolicy: NamedValue {}
extension Options.RedrawQuality: NamedValue {}

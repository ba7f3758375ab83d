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
struct TransformPolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var edges: EdgeOptions

  @OptionGroup var tag: TagPolicyOptions

  @OptionGroup(title: "Policies") var registered: RegisteredDataOption

  @OptionGroup(title: "Advanced") var details: DetailOptions

  @OptionGroup(title: "Advanced") var regions: RegionOption

  @OptionGroup(title: "Advanced") var limits: LimitOptions

  /// The options of the library.
  var options: Options {
    var options = tag.options
    options.unaligned = edges.policy
    options.registeredData = registered.registeredData
    options.redrawQuality = details.redrawQuality
    options.resolution = details.resolution
    options.strictOrientation = details.strictOrientation
    options.regions = regions.regions
    options.maxPixels = limits.pixels.maxPixels
    options.maxScans = limits.maxScans
    // Clamps negative and very large numbers.
    options.maxMemory =
      limits.memory.map { max(0, min($0, 1 << 40)) << 20 } ?? ProcessMemory.ofMachine
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
      What to do when the Orientation tag seems stale because the image is already upright: skip the file \
      (skip), rotate or flip it anyway (trust-tag), or only set Orientation to 1 (reset-tag).
      """,
      valueName: "policy"
    )
  )
  var onConflict = Options.ConflictPolicy.skip
}

/// The options for images whose edges are not aligned to whole MCUs.
struct EdgeOptions: ParsableArguments {
  @Flag(
    help: """
      Rewrite only files of which all images, also thumbnails and gain maps, can be transformed losslessly; skip \
      others with their tag unchanged. Same as --unaligned skip.
      """
  )
  var losslessOnly = false

  @Option(
    help: ArgumentHelp(
      """
      What to do when an edge of the image is not aligned to whole blocks and the transform requires it: \
      re-encode the affected components (redraw, the default), skip the file (skip), cut off the partial blocks \
      (trim), or report an error (fail).
      """,
      valueName: "policy"
    )
  )
  var unaligned: Options.UnalignedPolicy?

  /// The policy for unaligned edges.
  var policy: Options.UnalignedPolicy { losslessOnly ? .skip : unaligned ?? .redraw }

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
  @Option(
    help: ArgumentHelp(
      """
      What to do with a file that has C2PA content credentials: skip it (skip), or rewrite it and keep (keep) or \
      strip (strip) the credentials, which no longer match.
      """,
      valueName: "policy"
    )
  )
  var contentCredentials = Options.CredentialPolicy.skip
}

/// The option for data that is registered to the pixels.
struct RegisteredDataOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do with a file whose thermal data, depth map or other data would no longer fit the transformed image: \
      skip it (skip), or transform the image and keep the data (keep).
      """,
      valueName: "policy"
    )
  )
  var registeredData = Options.RegisteredDataPolicy.skip
}

/// The less common options.
struct DetailOptions: ParsableArguments {
  @Flag(help: "Skip files with Orientation 0; by default, it is taken for 1.")
  var strictOrientation = false

  @Option(
    help: ArgumentHelp(
      """
      How finely to re-encode: with the noise of a quarter of the original's quantization steps (standard) or of \
      half of them (compact, the smallest files), or with steps of 1 (max).
      """,
      valueName: "quality"
    )
  )
  var redrawQuality = Options.RedrawQuality.standard

  @Option(
    help: ArgumentHelp(
      """
      What to do when the axes are swapped and the X and Y resolutions differ: keep them (keep) or swap them \
      (follow).
      """,
      valueName: "policy"
    )
  )
  var resolution = Options.ResolutionPolicy.keep
}

/// The option for regions.
struct RegionOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do with face and subject regions: transform those in XMP that describe the stored image, as far as the \
      file shows it (auto), leave all unchanged (keep), or transform all, SubjectArea included (follow).
      """,
      valueName: "policy"
    )
  )
  var regions = Options.RegionPolicy.auto
}

/// The option for the maximum number of pixels.
struct PixelLimit: ParsableArguments {
  @Option(
    help: ArgumentHelp("Skip images with more pixels than this.", valueName: "count")
  )
  var maxPixels = Options().maxPixels
}

/// The options for limits.
struct LimitOptions: ParsableArguments {
  @OptionGroup var pixels: PixelLimit

  @Option(
    help: ArgumentHelp(
      """
      Limit the estimated memory of all files in work to this many MiB; skip files that need more. Default: the \
      memory of the machine.
      """,
      valueName: "mib"
    )
  )
  var memory: Int?

  @Option(
    help: ArgumentHelp("Skip images with more scans than this.", valueName: "count")
  )
  var maxScans = Options().maxScans
}

extension Options.UnalignedPolicy: NamedValue {}
extension Options.VerificationPolicy: NamedValue {}
extension Options.ConflictPolicy: NamedValue {}
extension Options.ResolutionPolicy: NamedValue {}
extension Options.RegionPolicy: NamedValue {}
extension Options.CredentialPolicy: NamedValue {}
extension Options.RegisteredDataPolicy: NamedValue {}
extension Options.RedrawQuality: NamedValue {}

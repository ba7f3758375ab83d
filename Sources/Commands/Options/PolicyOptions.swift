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
  @Option(
    help: .of("content-credentials", valueName: "policy")
  )
  var contentCredentials = Options.CredentialPolicy.skip

  /// The options of the library.
  var options: Options {
    var options = Options()
    options.contentCredentials = contentCredentials
    options.maxMemory = ProcessMemory.ofMachine
    return options
  }
}

/// The option for photos whose Orientation tag may be stale.
struct ConflictOption: ParsableArguments {
  @Option(
    help: .of("on-conflict", valueName: "policy")
  )
  var onConflict = Options.ConflictPolicy.skip
}

/// The options for images that cannot simply be transformed.
struct ImagePolicyOptions: ParsableArguments {
  @Flag(
    help: .of("lossless-only", " Same as --unaligned skip.")
  )
  var losslessOnly = false

  @Option(
    help: .of("unaligned", " Default: redraw.", valueName: "policy")
  )
  var unaligned: Options.UnalignedPolicy?

  @Option(
    help: .of("content-credentials", valueName: "policy")
  )
  var contentCredentials = Options.CredentialPolicy.skip

  @Option(
    help: .of("registered-data", valueName: "policy")
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

/// The less common options, and limits.
struct DetailOptions: ParsableArguments {
  @Option(
    help: .of("redraw-quality", valueName: "quality")
  )
  var redrawQuality = Options.RedrawQuality.standard

  @Option(
    help: .of("resolution", valueName: "policy", visibility: .hidden)
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
    help: .of("max-scans", valueName: "count", visibility: .hidden)
  )
  var maxScans = Options().maxScans
}

/// The option for regions.
struct RegionOption: ParsableArguments {
  @Option(
    help: .of("regions", valueName: "policy")
  )
  var regions = Options.RegionPolicy.auto
}

/// The option for the maximum number of pixels.
struct PixelLimit: ParsableArguments {
  @Option(
    name: .customLong("max-pixels"),
    help: .of("max-pixels", " Default: half a gigapixel (2^29).", valueName: "count")
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

internal import ArgumentParser
internal import FileSystem
public import Upright

/// The options that decide what is done where there is a choice.
struct PolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var conflict: ConflictOption

  @OptionGroup var transform: TransformPolicyOptions

  /// The options as the library takes them.
  var options: Options {
    var options = transform.options
    options.onConflict = conflict.onConflict
    return options
  }

  /// The policies by the names of their options.
  var named: [String: String] { Self.named(options) }

  /// The policies that are not those of a command without options.
  var nonDefault: [String: String] {
    let defaults = Self.named(Options())
    return named.filter { $0.value != defaults[$0.key] }
  }

  private static func named(_ options: Options) -> [String: String] {
    [
      "--unaligned": options.unaligned.rawValue, "--on-conflict": options.onConflict.rawValue,
      "--content-credentials": options.contentCredentials.rawValue,
      "--redraw-quality": options.redrawQuality.rawValue,
      "--resolution": options.resolution.rawValue, "--regions": options.regions.rawValue,
    ]
  }
}

/// Those of them that matter where a photograph is transformed, whatever its tag says.
struct TransformPolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var edges: EdgeOptions

  @OptionGroup var tag: TagPolicyOptions

  @OptionGroup(title: "Advanced") var details: DetailOptions

  @OptionGroup(title: "Advanced") var regions: RegionOption

  @OptionGroup(title: "Advanced") var limits: LimitOptions

  /// The options as the library takes them.
  var options: Options {
    var options = tag.options
    options.unaligned = edges.policy
    options.redrawQuality = details.redrawQuality
    options.resolution = details.resolution
    options.strictOrientation = details.strictOrientation
    options.regions = regions.regions
    options.maxPixels = limits.pixels.maxPixels
    options.maxScans = limits.maxScans
    // Negative and absurd numbers are limits, too.
    options.maxMemory =
      limits.memory.map { max(0, min($0, 1 << 40)) << 20 } ?? ProcessMemory.ofMachine
    return options
  }
}

/// Those of them that matter where only the Orientation tag changes.
struct TagPolicyOptions: ParsableArguments {
  @OptionGroup(title: "Policies") var credentials: CredentialOption

  /// The options as the library takes them.
  var options: Options {
    var options = Options()
    options.contentCredentials = credentials.contentCredentials
    options.maxMemory = ProcessMemory.ofMachine
    return options
  }
}

/// The option of what happens to a photograph that seems to be upright already.
struct ConflictOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do when the image seems to be upright already, against its tag: leave the file alone \
      (skip), transform it (trust-tag), or only set Orientation to 1 (reset-tag).
      """,
      valueName: "policy"
    )
  )
  var onConflict = Options.ConflictPolicy.skip
}

/// The options of what happens at edges that are no whole number of blocks.
struct EdgeOptions: ParsableArguments {
  @Flag(
    help: """
      Rewrite only what can be transformed without loss, and leave other files as they are, with their tag. The same \
      as --unaligned skip.
      """
  )
  var losslessOnly = false

  @Option(
    help: ArgumentHelp(
      """
      What to do when an edge of the image is not a whole number of blocks where the transform needs it: \
      re-encode the components that this hits (redraw, the default), leave the file alone (skip), cut the \
      partial blocks off (trim), or count the file as failed (fail).
      """,
      valueName: "policy"
    )
  )
  var unaligned: Options.UnalignedPolicy?

  /// What happens there.
  var policy: Options.UnalignedPolicy { losslessOnly ? .skip : unaligned ?? .redraw }

  func validate() throws {
    if losslessOnly, let unaligned, unaligned != .skip {
      throw ValidationError(
        "--lossless-only and --unaligned \(unaligned.rawValue) exclude each other."
      )
    }
  }
}

/// The option of what happens to content credentials.
struct CredentialOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do with a file that carries C2PA content credentials: leave it alone (skip), or rewrite it and \
      keep or strip the credentials, which no longer match it.
      """,
      valueName: "policy"
    )
  )
  var contentCredentials = Options.CredentialPolicy.skip
}

/// The options of what few people need.
struct DetailOptions: ParsableArguments {
  @Flag(help: "Leave files with Orientation 0 alone; by default it counts as unknown, which is 1.")
  var strictOrientation = false

  @Option(
    help: ArgumentHelp(
      """
      How closely to re-encode: with the noise of a quarter of the original's quantization steps (standard), of \
      half of them (compact, the smallest files), or with steps of 1 (max).
      """,
      valueName: "quality"
    )
  )
  var redrawQuality = Options.RedrawQuality.standard

  @Option(
    help: ArgumentHelp(
      """
      What to do with resolutions that differ by axis when the axes are swapped: keep them, or let them \
      follow.
      """,
      valueName: "policy"
    )
  )
  var resolution = Options.ResolutionPolicy.keep
}

/// The option of what happens to regions.
struct RegionOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What to do with face and subject regions: keep them as they are, or let them follow the image.",
      valueName: "policy"
    )
  )
  var regions = Options.RegionPolicy.keep
}

/// The option of how many pixels an image may have.
struct PixelLimit: ParsableArguments {
  @Option(
    help: ArgumentHelp("Leave images alone that claim more pixels than this.", valueName: "count")
  )
  var maxPixels = Options().maxPixels
}

/// The options of what is too much.
struct LimitOptions: ParsableArguments {
  @OptionGroup var pixels: PixelLimit

  @Option(
    help: ArgumentHelp(
      """
      Work on no more files at once than are estimated to fit into so many MiB of memory, and leave those alone \
      that would not fit by themselves. By default it is the memory of the machine.
      """,
      valueName: "mib"
    )
  )
  var memory: Int?

  @Option(
    help: ArgumentHelp("Leave images alone that have more scans than this.", valueName: "count")
  )
  var maxScans = Options().maxScans
}

extension Options.UnalignedPolicy: NamedValue {}
extension Options.VerificationPolicy: NamedValue {}
extension Options.ConflictPolicy: NamedValue {}
extension Options.ResolutionPolicy: NamedValue {}
extension Options.RegionPolicy: NamedValue {}
extension Options.CredentialPolicy: NamedValue {}
extension Options.RedrawQuality: NamedValue {}

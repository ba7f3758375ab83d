internal import ArgumentParser
internal import FileSystem
public import Upright

/// The options for the policies.
struct PolicyOptions: DeclaredOptions {
  var conflict = ConflictOption()
  var transform = TransformPolicyOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.group(&conflict, "conflict", title: "Policies")
    try visitor.group(&transform, "transform")
  }

  /// The options of the library.
  var options: Options {
    var options = transform.options
    options.onConflict = conflict.onConflict
    return options
  }
}

/// The policies for commands that transform a photo whatever its tag.
struct TransformPolicyOptions: DeclaredOptions {
  var image = ImagePolicyOptions()
  var details = DetailOptions()

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.group(&image, "image", title: "Policies")
    try visitor.group(&details, "details", title: "Advanced")
  }

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
struct TagPolicyOptions: DeclaredOptions {
  var contentCredentials = Options.CredentialPolicy.skip

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &contentCredentials,
      "content-credentials",
      help: .of("content-credentials", valueName: "policy")
    )
  }

  /// The options of the library.
  var options: Options {
    var options = Options()
    options.contentCredentials = contentCredentials
    options.maxMemory = ProcessMemory.ofMachine
    return options
  }
}

/// The option for photos whose Orientation tag may be stale.
struct ConflictOption: DeclaredOptions {
  var onConflict = Options.ConflictPolicy.skip

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&onConflict, "on-conflict", help: .of("on-conflict", valueName: "policy"))
  }
}

/// The options for images that cannot simply be transformed.
struct ImagePolicyOptions: DeclaredOptions {
  var losslessOnly = false
  var unaligned: Options.UnalignedPolicy?
  var contentCredentials = Options.CredentialPolicy.skip
  var registeredData = Options.RegisteredDataPolicy.skip

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.flag(
      &losslessOnly,
      "lossless-only",
      help: .of("lossless-only", " Same as --unaligned skip.")
    )
    try visitor.option(
      &unaligned,
      "unaligned",
      help: .of("unaligned", " Default: redraw.", valueName: "policy")
    )
    try visitor.option(
      &contentCredentials,
      "content-credentials",
      help: .of("content-credentials", valueName: "policy")
    )
    try visitor.option(
      &registeredData,
      "registered-data",
      help: .of("registered-data", valueName: "policy")
    )
  }

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
struct DetailOptions: DeclaredOptions {
  var redrawQuality = Options.RedrawQuality.standard
  var resolution = Options.ResolutionPolicy.keep
  var regions = RegionOption()
  var pixels = PixelLimit()
  var memory: Int?
  var maxScans = Options().maxScans

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &redrawQuality,
      "redraw-quality",
      help: .of("redraw-quality", valueName: "quality")
    )
    try visitor.option(
      &resolution,
      "resolution",
      help: .of("resolution", valueName: "policy", visibility: .hidden)
    )
    try visitor.group(&regions, "regions")
    try visitor.group(&pixels, "pixels")
    try visitor.option(
      &memory,
      "memory",
      help: ArgumentHelp(
        """
        Limit the estimated memory of all files being processed to this many MiB; skip files that need more. Default: \
        the memory of the machine. In serve, the limit holds for each photo; default: 1024.
        """,
        valueName: "mib"
      )
    )
    try visitor.option(
      &maxScans,
      "max-scans",
      help: .of("max-scans", valueName: "count", visibility: .hidden)
    )
  }
}

/// The option for regions.
struct RegionOption: DeclaredOptions {
  var regions = Options.RegionPolicy.auto

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&regions, "regions", help: .of("regions", valueName: "policy"))
  }
}

/// The option for the maximum number of pixels.
struct PixelLimit: DeclaredOptions {
  var given: Int?

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(
      &given,
      "max-pixels",
      help: .of("max-pixels", " Default: half a gigapixel (2^29).", valueName: "count")
    )
  }

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

internal import Archive
public import ArgumentParser
public import Upright

/// The options that decide what is done where there is a choice; audit and normalize share them.
struct PolicyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      What to do when an edge of the picture is not a whole number of blocks where the turn needs it: \
      redraw the components that this hits (redraw), leave the file alone (skip), cut the partial blocks \
      off (trim), or count the file as failed (fail).
      """,
      valueName: "policy"
    )
  )
  var unaligned = Options.UnalignedPolicy.redraw

  @Option(
    help: ArgumentHelp(
      "How closely to redraw: standard, with a quarter of the quantization steps, or max.",
      valueName: "quality"
    )
  )
  var redrawQuality = Options.RedrawQuality.standard

  @Option(
    help: ArgumentHelp(
      """
      What to do when the picture seems to be upright already, against its tag: leave the file alone \
      (skip), turn it (trust-tag), or only set Orientation to 1 (reset-tag).
      """,
      valueName: "policy"
    )
  )
  var onConflict = Options.ConflictPolicy.skip

  @Option(
    help: ArgumentHelp(
      """
      What to do with resolutions that differ by axis when the axes change places: keep them, or let them \
      follow.
      """,
      valueName: "policy"
    )
  )
  var resolution = Options.ResolutionPolicy.keep

  @Option(
    help: ArgumentHelp(
      "What to do with face and subject regions: keep them as they are, or let them follow the picture.",
      valueName: "policy"
    )
  )
  var regions = Options.RegionPolicy.keep

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

  @Flag(help: "Leave files with Orientation 0 alone; by default it counts as unknown, which is 1.")
  var strictOrientation = false

  @Option(
    help: ArgumentHelp("Leave pictures alone that claim more pixels than this.", valueName: "count")
  )
  var maxPixels = Options().maxPixels

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
    help: ArgumentHelp("Leave pictures alone that have more scans than this.", valueName: "count")
  )
  var maxScans = Options().maxScans

  /// The options as the library takes them.
  var options: Options {
    var options = Options()
    options.unaligned = unaligned
    options.redrawQuality = redrawQuality
    options.onConflict = onConflict
    options.resolution = resolution
    options.regions = regions
    options.contentCredentials = contentCredentials
    options.strictOrientation = strictOrientation
    options.maxPixels = maxPixels
    options.maxScans = maxScans
    // Negative and absurd numbers are limits, too.
    options.maxMemory = memory.map { max(0, min($0, 1 << 40)) << 20 } ?? ProcessMemory.ofMachine
    return options
  }
}

extension Options.UnalignedPolicy: ExpressibleByArgument {}
extension Options.VerificationPolicy: ExpressibleByArgument {}
extension Options.ConflictPolicy: ExpressibleByArgument {}
extension Options.ResolutionPolicy: ExpressibleByArgument {}
extension Options.RegionPolicy: ExpressibleByArgument {}
extension Options.CredentialPolicy: ExpressibleByArgument {}
extension Options.RedrawQuality: ExpressibleByArgument {}

internal import ArgumentParser
internal import PhotoFiles

/// The option for sidecars.
struct SidecarOption: ParsableArguments {
  @Option(
    name: .customLong("sidecars"),
    help: ArgumentHelp(
      """
      What to do with sidecars that no longer match. They are updated with the photo, which is skipped if that is \
      impossible, and outputs get theirs; or they are only reported; or ignored.
      """,
      valueName: "policy"
    )
  )
  var policy = SidecarPolicy.update
}

extension SidecarPolicy: NamedValue {}

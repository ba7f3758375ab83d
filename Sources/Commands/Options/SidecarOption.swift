internal import ArgumentParser
internal import PhotoFiles

/// The option for sidecars.
struct SidecarOption: ParsableArguments {
  @Option(
    name: .customLong("sidecars"),
    help: .of("sidecars", valueName: "policy")
  )
  var policy = SidecarPolicy.update
}

extension SidecarPolicy: NamedValue {}

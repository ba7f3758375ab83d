internal import ArgumentParser
internal import PhotoFiles

/// The option for sidecars.
struct SidecarOption: DeclaredOptions {
  var policy = SidecarPolicy.update

  mutating func declare(to visitor: inout OptionVisitor) throws {
    try visitor.option(&policy, "sidecars", help: .of("sidecars", valueName: "policy"))
  }
}

extension SidecarPolicy: NamedValue {}

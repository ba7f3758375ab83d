internal import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import SystemPackage

extension OwnFiles {
  /// Compares the files of options with each other and with all that the command reads or writes.
  static func check(
    _ files: [(option: String, argument: String?)],
    inputs: [String?],
    output: String? = nil,
    takesSidecars: Bool = false
  ) throws {
    let files = files.compactMap { option, argument in
      argument.map { (name: option, path: ArgumentPath.path($0)) }
    }
    do throws(Conflict) {
      try OwnFiles(files).check(
        inputs: inputs.compactMap { path(of: $0) },
        output: path(of: output),
        takesSidecars: takesSidecars
      )
    } catch {
      throw ValidationError(error.text)
    }
  }

  /// The path of a file; nil of a standard stream.
  private static func path(of argument: String?) -> FilePath? {
    argument.flatMap { $0 == "-" ? nil : ArgumentPath.path($0) }
  }
}

extension OwnFiles.Conflict {
  fileprivate var text: String {
    let what: String
    switch role {
    case .own(let other): return "\(name) and \(other) name the same file. Choose different ones."
    case .output: what = "also the output"
    case .input: what = "one of the inputs"
    case .sidecar: what = "the sidecar of an input or of the output"
    }
    return "\(name) \(TextFormat.path(path)) is \(what). Choose a different file."
  }
}

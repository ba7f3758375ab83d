internal import ArgumentParser
internal import FileSystem
internal import PhotoFiles
internal import SystemPackage

/// The files that a command writes besides its results, such as a record and a journal.
///
/// Each must differ from all other files of the command, whatever its name, because what is written to it would
/// end up in the other file.
enum OwnFiles {
  /// Compares the files with each other and with all that the command reads or writes.
  static func check(
    _ files: [(option: String, argument: String?)],
    inputs: [String?],
    output: String? = nil,
    takesSidecars: Bool = false
  ) throws {
    var names: [Place: String] = [:]
    for (option, argument) in files {
      guard let place = argument.flatMap({ Place(ArgumentPath.path($0)) }) else { continue }
      if let other = names.updateValue(option, forKey: place) {
        throw ValidationError("\(other) and \(option) name the same file. Choose different ones.")
      }
    }
    guard !names.isEmpty else { return }
    func refuse(_ path: FilePath, _ what: String) throws {
      guard let option = Place(path).flatMap({ names[$0] }) else { return }
      throw ValidationError(
        "\(option) \(TextFormat.path(path)) is \(what). Choose a different file."
      )
    }
    if let output, output != "-" { try refuse(ArgumentPath.path(output), "also the output") }
    for case let input? in inputs where input != "-" {
      let path = ArgumentPath.path(input)
      try refuse(path, "one of the inputs")
      for sidecar in takesSidecars ? PhotoGroup.sidecarPaths(of: Walk.Found(path, root: path)) : []
      {
        try refuse(sidecar, "the sidecar of an input")
      }
    }
  }

  /// A file, or the path of one that does not exist yet.
  private enum Place: Hashable {
    case file(FileIdentity.Key)
    case name(FilePath.Component, in: FileIdentity.Key)

    init?(_ path: FilePath) {
      let path = path.asListedThroughout
      if let status = path.status {
        self = .file(status.key)
        return
      }
      let directory = path.removingLastComponent()
      guard let name = path.lastComponent,
        let status = (directory.isEmpty ? "." : directory).status
      else { return nil }
      self = .name(name, in: status.key)
    }
  }
}

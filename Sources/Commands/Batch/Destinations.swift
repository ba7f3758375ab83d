internal import FileSystem
internal import SystemPackage

/// Where a result is written.
enum Destination: Sendable {
  case inPlace
  case file(FilePath)
  case standardOutput

  var isInPlace: Bool {
    if case .inPlace = self { true } else { false }
  }
}

/// Where the results of a run are written.
enum Destinations: Sendable {
  /// All to the same destination.
  case only(Destination)
  /// Into files whose names derive from those of the inputs.
  case names(OutputNames)
  /// Below a directory, with all components of their paths except `..`.
  case below(FilePath)

  /// Returns the output of a file, or nil if it is not written to a file of its own.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another file has the same output.
  func output(of file: Walk.Found) throws(FileError) -> FilePath? {
    switch self {
    case .only(.file(let output)): output
    case .only: nil
    case .names(let names): try names.path(for: file.path, root: file.root)
    case .below(let directory): directory.appending(file.path.components)
    }
  }

  /// Returns where the result of a file is written, or nil if the run has written it already.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another file has the same output.
  func destination(of file: Walk.Found) throws(FileError) -> Destination? {
    switch self {
    case .only(let destination): destination
    case .names(let names): try names.output(for: file.path, root: file.root).map { .file($0) }
    case .below: try output(of: file).map { .file($0) }
    }
  }

  /// Returns the path of an output's sidecar: next to the output, with the same name as before.
  static func name(of sidecar: FilePath, beside output: FilePath) -> FilePath {
    output.removingLastComponent().appending(sidecar.components.suffix(1))
  }

  /// Returns the path of an output's sidecar, which no other may have.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another output has the same.
  func path(of sidecar: FilePath, beside output: FilePath) throws(FileError) -> FilePath {
    let copy = Self.name(of: sidecar, beside: output)
    if case .names(let names) = self { _ = try names.isNew(copy, of: sidecar) }
    return copy
  }
}

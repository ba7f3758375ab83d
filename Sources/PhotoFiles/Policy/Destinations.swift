package import FileSystem
package import SystemPackage

/// Where a result is written.
package enum Destination: Sendable {
  case inPlace
  case file(FilePath)
  case standardOutput

  package var isInPlace: Bool {
    if case .inPlace = self { true } else { false }
  }
}

/// Where the results of a run are written.
package enum Destinations: Sendable {
  /// All to the same destination.
  case only(Destination)
  /// Into files whose names derive from those of the inputs.
  case names(OutputNames)
  /// Below a directory, with all components of their paths except `..`.
  case below(FilePath)

  /// Returns the output of a file, or nil if it is not written to a file of its own.
  ///
  /// - Throws: ``FileError`` `output-collision`, if another file has the same output.
  package func output(of file: Walk.Found) throws(FileError) -> FilePath? {
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
  package func destination(of file: Walk.Found) throws(FileError) -> Destination? {
    switch self {
    case .only(let destination): destination
    case .names(let names): try names.output(for: file.path, root: file.root).map { .file($0) }
    case .below: try output(of: file).map { .file($0) }
    }
  }

  /// Checks that the sidecar of an output is that of no other output.
  ///
  /// - Throws: ``FileError`` `output-collision`.
  package func check(_ copy: FilePath, of sidecar: FilePath) throws(FileError) {
    if case .names(let names) = self { _ = try names.isNew(copy, of: sidecar) }
  }
}

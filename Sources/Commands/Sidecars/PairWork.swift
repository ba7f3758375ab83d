internal import FileSystem
internal import SystemPackage
internal import Upright

/// The work of a command that writes photos with their sidecars.
protocol PairWork: FileWork {
  /// How files are replaced.
  var replacement: AtomicReplacement { get }

  /// How output files are created.
  var creation: AtomicCreation { get }
}

extension PairWork {
  /// Checks whether a sidecar may be replaced, or created beside an output.
  ///
  /// An output's sidecar that has its content already is accepted.
  ///
  /// - Throws: ``SidecarError`` or ``UprightError``.
  func check(_ sidecar: PairReplacement.SidecarMember, _ target: Destination) throws {
    switch target {
    case .inPlace:
      try SidecarError.of { () throws(FileError) in
        try replacement.check(sidecar.path, sidecar.rights.identity)
      }
    case .file(let output):
      let copy = try path(of: sidecar, beside: output)
      try SidecarError.of { () throws(FileError) in
        do throws(FileError) {
          if !holdsFile(copy, sidecar.bytes) { try creation.check(copy, sidecar.rights.identity) }
        } catch {
          // Another thread may have created it meanwhile.
          guard error.problem == .exists, holdsFile(copy, sidecar.bytes) else { throw error }
        }
      }
    case .standardOutput: break
    }
  }

  /// Returns the path of a sidecar beside an output.
  ///
  /// - Throws: ``SidecarError`` or ``UprightError``, if it is, or would be, that of another photo.
  func path(
    of sidecar: PairReplacement.SidecarMember,
    beside output: FilePath
  ) throws -> FilePath {
    let (copy, sharing) = try SidecarError.of {
      () throws(FileError) -> (FilePath, String?) in
      let copy = SidecarFile.path(of: sidecar.path, sidecar.photo, beside: output)
      try destinations.check(copy, of: sidecar.path)
      let contents = (sidecar.rights, sidecar.bytes, false)
      return (copy, try SidecarFile.sharing(of: copy, beside: output, contents))
    }
    // Photos that share a sidecar have outputs that do.
    guard let sharing, !holdsFile(copy, sidecar.bytes) else { return copy }
    throw UprightError(
      .unsupported,
      "the sidecar \(TextFormat.path(copy)) of the result \(sharing): give the result another name"
    )
  }

  /// Creates a sidecar next to an output.
  ///
  /// - Returns: Its path.
  /// - Throws: ``SidecarError`` or ``UprightError``.
  func create(
    _ sidecar: PairReplacement.SidecarMember,
    beside output: FilePath
  ) throws -> FilePath {
    let copy = try path(of: sidecar, beside: output)
    try SidecarError.of { () throws(FileError) in
      _ = try creation.create(copy, like: sidecar.rights, with: sidecar.bytes)
    }
    return copy
  }
}

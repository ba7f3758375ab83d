internal import FileSystem
internal import SystemPackage

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
  /// - Parameters:
  ///   - sidecar: The sidecar.
  ///   - rights: Those of the version that was read.
  ///   - bytes: Its new content; an output that has it already is accepted.
  ///   - target: Where the photo is written.
  /// - Throws: ``SidecarError``.
  func check(
    _ sidecar: FilePath,
    _ rights: AccessRights,
    _ bytes: [UInt8],
    _ target: Destination
  ) throws(SidecarError) {
    try SidecarError.of { () throws(FileError) in
      switch target {
      case .inPlace: try replacement.check(sidecar, rights.identity)
      case .file(let output):
        let copy = try destinations.path(of: sidecar, beside: output)
        if !holdsFile(copy, bytes) { try creation.check(copy, rights.identity) }
      case .standardOutput: break
      }
    }
  }
}

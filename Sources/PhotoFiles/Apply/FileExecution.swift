internal import FileSystem
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// Carries out what was decided for a file and its companions; the same for a rewrite and an undo.
struct FileExecution {
  let policy: FilePolicy
  /// The log of the rewrites, if they are recorded.
  var log: RecordLog?

  /// A photo, and what it gets.
  struct Photo {
    var path: FilePath
    /// The version that was read.
    var identity: FileIdentity
    /// What was read.
    var former: [UInt8]
    /// What is written.
    var bytes: [UInt8]
    /// Whether that differs, so that a file in place is replaced.
    var isNew: Bool
    /// What the time of the file depends on.
    var change = ContentChange()
  }

  /// What became of a file and its companions.
  struct Written {
    /// The output, if the file was not replaced in place.
    var output: FilePath?
    /// The attributes that the new file could not be given.
    var lost: [LostAttribute] = []
    /// Why it is unknown whether the photo is, or stays, in place.
    var failure: FileError?
  }

  // MARK: Dry runs

  /// Checks whether companions may be written.
  ///
  /// - Throws: ``SidecarError`` or ``UprightError``.
  func check(_ steps: [FilePlan.Step], to target: Destination) throws {
    var copies: [FilePath: PairReplacement.SidecarMember] = [:]
    for sidecar in steps.compactMap(\.member) {
      switch target {
      case .inPlace:
        try SidecarError.of { () throws(FileError) in
          try policy.replacement.check(sidecar.path, sidecar.rights.identity)
        }
      case .file(let output):
        let copy = try check(sidecar, beside: output)
        // Beside a link, another may have the same name.
        if let other = copies.updateValue(sidecar, forKey: copy), other.bytes != sidecar.bytes {
          throw SidecarError(error: .collision(sidecar.path, with: other.path))
        }
      case .standardOutput: break
      }
    }
  }

  /// Checks whether a sidecar may be created beside an output, where it may be already.
  ///
  /// - Returns: Its path.
  private func check(
    _ sidecar: PairReplacement.SidecarMember,
    beside output: FilePath
  ) throws -> FilePath {
    let copy = try path(of: sidecar, beside: output)
    try SidecarError.of { () throws(FileError) in
      do throws(FileError) {
        if !holdsFile(copy, sidecar.bytes) {
          try policy.creation.check(copy, sidecar.rights.identity)
        }
      } catch {
        // Another thread may have created it meanwhile.
        guard error.problem == .exists, holdsFile(copy, sidecar.bytes) else { throw error }
      }
    }
    return copy
  }

  // MARK: Writing

  /// Writes a photo and its companions, and notes in the steps what became of each.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - steps: What was decided for its companions.
  ///   - target: Where the result is written.
  ///   - reader: The file, whose rights an output gets.
  ///   - before: What is recorded before anything is written; it prevents that by an error.
  /// - Returns: What became of the photo.
  /// - Throws: ``FileError``, ``SidecarError`` or ``UprightError``; then the photo is as it was.
  func write(
    _ photo: Photo,
    _ steps: inout [FilePlan.Step],
    to target: Destination,
    _ reader: borrowing FileReader,
    before: () throws -> Void
  ) throws -> Written {
    switch target {
    case .inPlace:
      if photo.isNew { try before() }
      return photo.isNew ? try replace(photo, &steps) : try replaceCompanions(&steps)
    case .file(let output):
      let works = steps.contains { $0.work != nil }
      if works {
        // Otherwise a photo that is there already would get them.
        if !holdsFile(output, photo.bytes) {
          try policy.creation.check(output, photo.identity, of: photo.path)
        }
        try check(steps, to: target)
      }
      try before()
      // Sidecars are created first, so that a photo in place always has them.
      try create(&steps, beside: output)
      let lost = try policy.creation.create(output, like: reader.rights(), with: photo.bytes)
      return Written(output: output, lost: lost)
    case .standardOutput:
      try before()
      try StandardStreams.write(photo.bytes)
      return Written()
    }
  }

  /// Replaces a photo and its sidecars.
  private func replace(_ photo: Photo, _ steps: inout [FilePlan.Step]) throws -> Written {
    let member = PairReplacement.Member(
      path: photo.path,
      identity: photo.identity,
      former: photo.former,
      bytes: photo.bytes,
      change: photo.change
    )
    let sidecars = steps.compactMap(\.member)
    guard !sidecars.isEmpty else {
      return Written(lost: try policy.replacement.replace(member))
    }
    for step in steps { try keep(step, output: nil) }
    let outcome = try PairReplacement(replacement: policy.replacement).replace(member, sidecars)
    for index in steps.indices {
      guard let path = steps[index].member?.path else { continue }
      steps[index].companion.error = outcome.sidecarFailures[path].map { UprightError($0) }
      steps[index].companion.isDone = outcome.sidecarFailures[path] == nil
    }
    return Written(lost: outcome.lost, failure: outcome.failure)
  }

  /// Replaces only sidecars.
  private func replaceCompanions(_ steps: inout [FilePlan.Step]) throws -> Written {
    for index in steps.indices {
      guard let sidecar = steps[index].member else { continue }
      try keep(steps[index], output: nil)
      _ = try SidecarError.of { () throws(FileError) in
        try policy.replacement.replace(sidecar.member)
      }
      steps[index].companion.isDone = true
    }
    return Written()
  }

  /// Creates sidecars beside an output.
  private func create(_ steps: inout [FilePlan.Step], beside output: FilePath) throws {
    var created: Set<FilePath> = []
    for index in steps.indices {
      guard let sidecar = steps[index].member else { continue }
      let copy = try path(of: sidecar, beside: output)
      // Beside a link, another may have the same name and content.
      if created.insert(copy).inserted {
        try keep(steps[index], output: copy)
        if steps[index].isUpdate || !holdsFile(copy, sidecar.bytes) {
          try SidecarError.of { () throws(FileError) in
            _ = try policy.creation.create(copy, like: sidecar.rights, with: sidecar.bytes)
          }
        }
      }
      steps[index].companion.output = copy
      steps[index].companion.written = Digest(of: sidecar.bytes)
      steps[index].companion.isDone = true
    }
  }

  /// Records the update of a sidecar before it is written.
  private func keep(_ step: FilePlan.Step, output: FilePath?) throws(FileError) {
    guard let log, case .write(let member, let update?) = step.work else { return }
    let modified = member.rights.identity.modificationTime
    try log.append {
      Record(of: update, path: member.path, output: output, modified: modified, in: $0)
    }
  }

  /// Returns the path of a sidecar beside an output.
  ///
  /// - Throws: ``SidecarError`` or ``UprightError``, if it is, or would be, that of another photo.
  private func path(
    of sidecar: PairReplacement.SidecarMember,
    beside output: FilePath
  ) throws -> FilePath {
    let (copy, owner) = try SidecarError.of { () throws(FileError) -> (FilePath, Claim?) in
      let copy = SidecarFile.path(of: sidecar.path, sidecar.photo, beside: output)
      try policy.destinations.check(copy, of: sidecar.path)
      let contents = (sidecar.rights, sidecar.bytes, false)
      return (copy, try SidecarFile.sharing(of: copy, beside: output, contents))
    }
    // Photos that share a sidecar have outputs that do.
    guard let owner, !holdsFile(copy, sidecar.bytes) else { return copy }
    throw UprightError(
      .unsupported,
      "the sidecar \(copy.escaped) of the result \(owner.text): give the result another name"
    )
  }
}

extension FilePlan.Step {
  /// The sidecar that is written; nil if the file is left.
  fileprivate var member: PairReplacement.SidecarMember? {
    if case .write(let member, _) = work { member } else { nil }
  }

  /// Whether a changed sidecar is written, which always replaces one that is there.
  fileprivate var isUpdate: Bool { companion.action != .copy }
}

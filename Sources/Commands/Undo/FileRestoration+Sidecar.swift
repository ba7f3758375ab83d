internal import FileSystem
internal import Records
internal import SystemPackage
internal import Upright

/// The restoration of the sidecar together with its photo.
extension FileRestoration {
  /// A sidecar and its original.
  struct RestoredSidecar {
    var rights: AccessRights
    var member: PairReplacement.Member
  }

  /// Returns the sidecars of a photo of which the record has the original, if the photo is restored.
  ///
  /// An undo that was interrupted between the photo and them has restored only the former. If only the last rewrite is undone,
  /// sidecars that it did not change are not among them.
  ///
  /// - Throws: ``SidecarError``, ``FileError`` and ``UprightError``, if one cannot be read or restored.
  func sidecars(
    beside photo: Walk.Found,
    _ undo: FileReport.Undo,
    _ records: [RecordIndex.Entry]
  ) throws -> [RestoredSidecar] {
    guard index?.hasSidecars == true, undo.isOriginal, !SidecarFile.isName(photo.path) else {
      return []
    }
    var found: [RestoredSidecar] = []
    let names = names(of: photo, records).map(\.path)
    for path in names.dropFirst(photo.mayHaveSidecar ? 0 : 1).flatMap(SidecarFile.paths) {
      guard let (rights, bytes) = try SidecarFile.contents(of: path) else { continue }
      // Where names differ in their case only, a file has several paths.
      let identity = rights.identity
      guard !found.contains(where: { $0.rights.identity.isSameVersion(as: identity) }) else {
        continue
      }
      var own: [RecordIndex.Entry] = []
      guard let original = try undone(bytes, path, false, check: { own = $0 }).original else {
        continue
      }
      // The records of sidecars follow that of their photo.
      if maxSteps == 1, let former = own.first?.line, let last = records.first?.line, former < last
      {
        continue
      }
      let member = PairReplacement.Member(
        path: path,
        identity: identity,
        bytes: original,
        change: change(own)
      )
      found.append(RestoredSidecar(rights: rights, member: member))
    }
    return found
  }

  /// Returns the recorded sidecars of a photo that were changed since or do not exist any more.
  ///
  /// - Returns: Their paths beside the photo, and whether they exist.
  /// - Throws: ``SidecarError``, ``FileError`` and ``UprightError``, if one cannot be read.
  func lostSidecars(
    of photo: Walk.Found,
    _ records: [RecordIndex.Entry]
  ) throws -> [(path: FilePath, exists: Bool)] {
    guard let index, index.hasSidecars, !SidecarFile.isName(photo.path) else { return [] }
    var lost: [(path: FilePath, exists: Bool)] = []
    let paths = names(of: photo, records).flatMap { path, place in
      zip(SidecarFile.paths(beside: path), SidecarFile.paths(beside: place))
    }
    for (path, place) in paths where index.hasSidecar(at: place) {
      guard let (_, bytes) = try SidecarFile.contents(of: path) else {
        lost.append((path, false))
        continue
      }
      let (undo, original) = try undone(bytes, path, false)
      if original == nil, !undo.isOriginal { lost.append((path, true)) }
    }
    return lost
  }

  /// Returns the path of a photo and where it was recorded, then those of links through which it was rewritten.
  ///
  /// A photo that was moved has the records of its former place; one that is named now has its own, even if the last rewrite
  /// was through a link.
  private func names(
    of photo: Walk.Found,
    _ records: [RecordIndex.Entry]
  ) -> [(path: FilePath, place: FilePath)] {
    let (own, key) = (place(of: photo.path), photo.path.status?.key)
    var places = records.compactMap(\.place)
    let main = records.first?.place
    places.removeAll { $0 == own || $0.status?.key != key }
    let isLink = main.map(places.contains) == true
    return [(photo.path, isLink ? own : main ?? own)]
      + Set(places).map { place in
        var path = place
        _ = path.removePrefix(base)
        return (path, place)
      }
  }

  /// Restores a photo, if it is not the original already, and its sidecars.
  ///
  /// - Returns: The attributes that the photo could not be given.
  /// - Throws: ``FileError`` or ``SidecarError``.
  func replace(
    _ photo: PairReplacement.Member?,
    _ sidecars: [RestoredSidecar],
    _ report: inout FileReport
  ) throws -> [LostAttribute] {
    var outcome = PairReplacement.Outcome()
    do throws(FileError) {
      if let photo {
        outcome = try PairReplacement(replacement: replacement)
          .replace(photo, sidecars.map(\.member))
      } else {
        for sidecar in sidecars { _ = try replacement.replace(sidecar.member) }
      }
    } catch {
      if error.path == photo?.path { throw error }
      throw SidecarError(error: error)
    }
    for path in sidecars.map(\.member.path) {
      let name = TextFormat.path(path)
      if let failure = outcome.sidecarFailures[path] {
        report.addSidecar("the sidecar \(name) was not restored: \(failure.message)")
        report.sidecarFailed = true
      } else {
        report.addSidecar("the sidecar \(name) was restored")
      }
    }
    if let failure = outcome.failure { throw failure }
    return outcome.lost
  }

  /// Writes the original of a sidecar next to that of its photo.
  ///
  /// - Throws: ``SidecarError``.
  func create(
    _ sidecar: RestoredSidecar,
    beside output: FilePath,
    _ report: inout FileReport
  ) throws {
    try SidecarError.of { () throws(FileError) in
      let copy = try destinations.path(of: sidecar.member.path, beside: output)
      try creation.create(copy, like: sidecar.rights, with: sidecar.member.bytes)
      report.addSidecar("restored sidecar: \(TextFormat.path(copy))")
    }
  }
}

extension FileReport.Undo {
  /// Whether the photo is the original, or will be.
  var isOriginal: Bool { reason == nil || reason == .original }
}

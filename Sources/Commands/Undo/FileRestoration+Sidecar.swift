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
  /// An undo that was interrupted between the photo and them has restored only the former.
  ///
  /// - Throws: ``FileError`` and ``UprightError``, if one cannot be read or restored.
  func sidecars(
    beside photo: Walk.Found,
    _ undo: FileReport.Undo,
    _ records: [RecordIndex.Entry]
  ) throws -> [RestoredSidecar] {
    guard index?.hasSidecars == true, undo.isOriginal else { return [] }
    var found: [RestoredSidecar] = []
    let names = names(of: photo, records).map(\.path)
    for path in names.dropFirst(photo.mayHaveSidecar ? 0 : 1).flatMap(SidecarFile.paths) {
      do {
        let reader = try FileReader(path)
        let bytes = try reader.readAll(limit: SidecarFile.maxSize)
        // Where names differ in their case only, a file has several paths.
        let identity = reader.identity
        guard !found.contains(where: { $0.rights.identity.isSameVersion(as: identity) }) else {
          continue
        }
        var records: [RecordIndex.Entry] = []
        guard let original = try undone(bytes, path, false, check: { records = $0 }).original
        else { continue }
        let member = PairReplacement.Member(
          path: path,
          identity: identity,
          bytes: original,
          change: change(records)
        )
        found.append(RestoredSidecar(rights: try reader.rights(), member: member))
      } catch let error as FileError where [.notFound, .nameTooLong].contains(error.problem) {
        continue
      }
    }
    return found
  }

  /// Returns the recorded sidecar of a photo, if it was changed since or does not exist any more.
  ///
  /// - Returns: Its path beside the photo, and whether it exists.
  /// - Throws: ``FileError`` and ``UprightError``, if it cannot be read.
  func lostSidecar(
    of photo: Walk.Found,
    _ records: [RecordIndex.Entry]
  ) throws -> (path: FilePath, exists: Bool)? {
    guard let index, index.hasSidecars else { return nil }
    let paths = names(of: photo, records).flatMap { path, place in
      zip(SidecarFile.paths(beside: path), SidecarFile.paths(beside: place))
    }
    for (path, place) in paths where index.hasSidecar(at: place) {
      do {
        let bytes = try FileReader(path).readAll(limit: SidecarFile.maxSize)
        let (undo, original) = try undone(bytes, path, false)
        if original == nil, !undo.isOriginal { return (path, true) }
      } catch let error as FileError where [.notFound, .nameTooLong].contains(error.problem) {
        return (path, false)
      }
    }
    return nil
  }

  /// Returns the path of a photo and where it was recorded, then those of links through which it was rewritten.
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
    let copy = output.removingLastComponent()
      .appending(sidecar.member.path.components.suffix(1))
    _ = try SidecarError.of { () throws(FileError) in
      try creation.create(copy, like: sidecar.rights, with: sidecar.member.bytes)
    }
    report.addSidecar("restored sidecar: \(TextFormat.path(copy))")
  }
}

extension FileReport.Undo {
  /// Whether the photo is the original, or will be.
  var isOriginal: Bool { reason == nil || reason == .original }
}

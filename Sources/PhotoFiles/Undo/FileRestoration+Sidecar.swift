internal import FileSystem
package import Records
internal import Reports
package import SystemPackage
internal import Upright

/// The restoration of the sidecar together with its photo.
extension FileRestoration {
  /// Finds the sidecars of a photo that is the original, or will be; of one that was never rewritten in place, those of which the
  /// record is of this place, and that are of no recorded photo.
  ///
  /// If only the last rewrite is undone, sidecars that it did not change are not among them.
  ///
  /// - Throws: ``SidecarError``, ``FileError`` and ``UprightError``, if one cannot be read or restored.
  func sidecars(
    of places: [Walk.Found],
    _ undo: FileReport.Undo,
    _ records: [RecordIndex.Entry],
    isInPlace: Bool
  ) throws -> RestoredSidecars {
    var found = RestoredSidecars()
    let isAlone = undo.reason == .noRecord && isInPlace && places.contains(where: \.mayHaveSidecar)
    guard restoresSidecars, let index, index.hasSidecars, undo.isOriginal || isAlone,
      places.last.map({ SidecarFile.isName($0.path) }) == false
    else { return found }
    let others = isAlone ? sidecarsOfPhotos ?? Self.sidecarsOfPhotos(in: index) : []
    var keys: Set<FileIdentity.Key> = []
    let paths = names(of: places, records).flatMap { photo, place in
      zip(SidecarFile.paths(beside: photo), SidecarFile.paths(beside: place)).map {
        (photo, place, $0, $1)
      }
    }
    for (photo, recordedPhoto, path, place) in paths {
      let isRecorded = index.hasSidecar(at: place)
      if isAlone, !isRecorded || others.contains(place) { continue }
      guard let (rights, bytes, isPending) = try SidecarFile.contents(of: path, photo) else {
        if isRecorded { found.lost.append((path, false)) }
        continue
      }
      var own: [RecordIndex.Entry] = []
      let (undo, restored) = try undone(bytes, path, false, check: { own = $0 })
      guard let original = restored ?? (isPending ? bytes : nil) else {
        if isRecorded, !undo.isOriginal { found.lost.append((path, true)) }
        continue
      }
      // Another sidecar was changed to what this one has.
      if !isRecorded, records.isEmpty || records.contains(where: { $0.place == recordedPhoto }),
        isCopy(path, own)
      {
        continue
      }
      // The records of sidecars follow that of their photo.
      if maxSteps == 1, let former = own.first?.line, let last = records.first?.line, former < last
      {
        continue
      }
      // Where names differ in their case only, a file has several paths.
      if keys.insert(rights.identity.key).inserted,
        try !path.isSameFile(asOneOf: found.restored.map(\.path))
      {
        found.restored.append(
          .init(
            path: path,
            photo: photo,
            rights: rights,
            former: bytes,
            bytes: original,
            change: change(own)
          )
        )
      }
    }
    return found
  }

  /// Returns the places of recorded sidecars of recorded photos.
  package static func sidecarsOfPhotos(in index: RecordIndex) -> Set<FilePath> {
    var places: Set<FilePath> = []
    guard index.hasSidecars else { return places }
    for entry in index.entries where !entry.isSidecar {
      guard let place = entry.place else { continue }
      // Those of a file that was rewritten through a link are beside it.
      let paths = PhotoGroup.sidecarPaths(of: Walk.Found(place, root: place))
      places.formUnion(paths.filter { index.hasSidecar(at: $0) })
    }
    return places
  }

  /// Returns the paths of a photo and where it was recorded, then those of links through which it was rewritten.
  ///
  /// A photo that was moved has the records of its former place; one that is named now has its own, even if the last rewrite
  /// was through a link.
  private func names(
    of places: [Walk.Found],
    _ records: [RecordIndex.Entry]
  ) -> [(path: FilePath, place: FilePath)] {
    let own = places.map { place(of: $0.path) }
    let key = places[0].path.status?.key
    var links = records.compactMap(\.place)
    // Where it may be one of several equal files, nothing is known of its sidecars.
    let main = records.first.flatMap { record in
      index?.history.recordedPlace(of: record.after, at: own[own.count - 1]) {
        PlaceContent(of: $0, beside: places[0].path)
      }
    }
    links.removeAll { own.contains($0) || $0.status?.key != key }
    var former = own
    if let main, main.isAbsolute, !own.contains(main), !links.contains(main) {
      former[former.count - 1] = main
    }
    return zip(places.map(\.path), former).map { ($0, $1) }
      + Set(links).map { place in
        var path = place
        _ = path.removePrefix(base)
        return (path, place)
      }
  }
}

extension FileReport.Undo {
  /// Whether the photo is the original, or will be.
  var isOriginal: Bool { reason == nil || reason == .original }
}

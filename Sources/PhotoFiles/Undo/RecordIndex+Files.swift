package import FileSystem
package import ImageFormats
package import Records
package import SystemPackage
package import Upright

extension RecordIndex {
  /// The formats of the recorded files by their names; always JPEG, too.
  ///
  /// Where a sidecar alone is recorded, its photo may have any that is normalized.
  package var formats: Set<ImageFormat> {
    let endings = Set(entries.compactMap { $0.place?.extension })
    var formats = Set(endings.compactMap { ImageFormat.promised(byEnding: $0) }).union([.jpeg])
    let sidecars = Set(entries.lazy.filter(\.isSidecar).compactMap(\.place))
    if !sidecars.isSubset(of: FileRestoration.sidecarsOfPhotos(in: self)) {
      formats.formUnion(Request.normalize().formats)
    }
    // Files of both have names of either.
    return formats.isDisjoint(with: [.heic, .heif]) ? formats : formats.union([.heic, .heif])
  }

  /// Returns the recorded files in the order of the record; those below a folder by their relative paths.
  ///
  /// - Parameters:
  ///   - base: The working directory.
  ///   - sidecarsOfPhotos: The recorded sidecars of recorded photos, which are restored with these.
  ///   - takesSidecars: Whether sidecars are restored at all.
  /// - Returns: The files.
  package func files(
    below base: FilePath,
    besides sidecarsOfPhotos: Set<FilePath>,
    takesSidecars: Bool = true
  ) -> [Walk.Found] {
    var visited = sidecarsOfPhotos
    return entries.compactMap { entry in
      guard let place = entry.place, takesSidecars || !entry.isSidecar,
        visited.insert(place).inserted
      else { return nil }
      var path = place
      _ = path.removePrefix(base)
      return Walk.Found(path, root: path)
    }
  }

  /// The errors of damaged lines of the record file.
  package var errors: [UprightError] {
    lineProblems.map { UprightError(line: $0.line, $0.problem) }
      + (furtherProblems > 0 ? [UprightError(furtherLines: furtherProblems)] : [])
  }
}

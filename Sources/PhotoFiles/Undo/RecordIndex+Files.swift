package import ImageFormats
package import Records
internal import SystemPackage
internal import Upright

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

  /// The failures for damaged lines of the record file.
  package var failures: [FileReport.Failure] {
    lineProblems.map { .init(line: $0.line, $0.problem) }
      + (furtherProblems > 0 ? [.init(furtherLines: furtherProblems)] : [])
  }
}

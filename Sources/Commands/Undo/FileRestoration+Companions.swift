internal import FileSystem
internal import Records
internal import SystemPackage
internal import Upright

/// The files beside a photo that are not restored with it.
extension FileRestoration {
  /// Names the files that describe the image as it was before the undo, or may.
  ///
  /// They were made for the result, or were changed with it and have no record.
  ///
  /// - Throws: ``FileError``, if one of them that would do harm cannot be read, or it cannot be found out whose it is.
  func mentionCompanions(
    of places: [Walk.Found],
    _ original: [UInt8],
    _ records: [RecordIndex.Entry],
    _ sidecars: Sidecars,
    _ report: inout FileReport
  ) throws {
    let known = sidecars.restored.map(\.path) + sidecars.lost.map(\.path)
    let plan = try? Rewriter(options: options).plan(original)
    var texts: [String] = []
    for file in try SidecarFile.find(beside: places, [.xmp]).compactMap(\.file)
    where try !known.contains(where: { try $0.isSameFile(as: file.path) }) {
      if let text = plan.flatMap({ remark(on: file, $0) }) { texts.append(text) }
    }
    let neighbours = try places.flatMap { try Neighbour.find(beside: $0, isDisplayed: false) }
      .filter { neighbour in try !known.contains { try $0.isSameFile(as: neighbour.path) } }
    if !neighbours.isEmpty, try movesImage(records) {
      texts += Neighbour.different(neighbours).map {
        "the \($0.kind.name) \(TextFormat.path($0.path)) may describe the image as it was before the undo"
      }
    }
    guard !texts.isEmpty else { return }
    for text in texts { report.addSidecar(text) }
    if index == nil { report.addSidecar("files with a record are restored by: undo --record") }
  }

  /// Returns the text on a sidecar that does not match an original; nil if it does.
  private func remark(on file: SidecarFile, _ plan: Plan) -> String? {
    guard case .xmp(let sidecar) = file.content else { return nil }
    if sidecar.contradicts(plan.image) {
      return "the sidecar \(file.name) describes the image as it was before the undo"
        + file.disagreement(with: plan)
    }
    // Regions and crops may be those of the original or of the result.
    guard sidecar.orientation == nil, (try? file.normalized(for: plan, options: options)) != nil
    else { return nil }
    return "the sidecar \(file.name) may describe the image as it was before the undo"
  }

  /// Whether a rewrite that is undone has moved the stored image; the undo data in a file is taken for that of one.
  private func movesImage(_ records: [RecordIndex.Entry]) throws -> Bool {
    guard let index else { return true }
    return try records.contains { try index.record($0)?.action == .transformed }
  }

  private var options: Options {
    var options = Options()
    options.maxPixels = maxPixels
    return options
  }
}

internal import FileSystem
internal import Records
internal import Reports
internal import SystemPackage
internal import Upright

/// The files beside a photo that are not restored with it.
extension FileRestoration {
  /// Returns the files that describe the image as it was before the undo, or may.
  ///
  /// They were made for the result, or were changed with it and have no record.
  ///
  /// - Throws: ``FileError``, if one of them that would do harm cannot be read, or it cannot be found out whose it is.
  func otherCompanions(
    of places: [Walk.Found],
    _ original: [UInt8],
    _ records: [RecordIndex.Entry],
    _ sidecars: RestoredSidecars
  ) throws -> [CompanionResult] {
    let known = sidecars.restored.map(\.path) + sidecars.lost.map(\.path)
    let plan = try? Rewriter(options: options).plan(original)
    var companions: [CompanionResult] = []
    for file in try SidecarFile.find(beside: places, [.xmp]).compactMap(\.file)
    where try !known.contains(where: { try $0.isSameFile(as: file.path) }) {
      guard let plan, let companion = left(file, plan) else { continue }
      companions.append(companion)
    }
    let neighbours = try Neighbour.find(beside: places, isDisplayed: false)
      .filter { neighbour in try !known.contains { try $0.isSameFile(as: neighbour.path) } }
    if !neighbours.isEmpty, try movesImage(records) {
      companions += neighbours.map { CompanionResult($0, .mayBeOfResult) }
    }
    // They may be in a record that was not named.
    if index == nil {
      for index in companions.indices {
        companions[index].remedies = [Remedy(.action(.restoreFromRecord), "restore it")]
      }
    }
    return companions
  }

  /// Returns a sidecar that does not match an original; nil if it does.
  private func left(_ file: SidecarFile, _ plan: Plan) -> CompanionResult? {
    guard case .xmp(let sidecar) = file.content else { return nil }
    var companion = CompanionResult(file, .leave, .mayBeOfResult)
    if sidecar.contradicts(plan.image) {
      companion.cause = .ofResult
      companion.orientation = file.orientation(otherThanOf: plan)
      return companion
    }
    // Regions and crops may be those of the original or of the result.
    guard sidecar.orientation == nil, (try? file.normalized(for: plan, options: options)) != nil
    else { return nil }
    return companion
  }

  /// Whether a rewrite that is undone has moved the stored image; the undo data in a file is taken for that of one.
  private func movesImage(_ records: [RecordIndex.Entry]) throws -> Bool {
    guard let index else { return true }
    return try records.contains { try index.record($0)?.action == .transformed }
  }
}

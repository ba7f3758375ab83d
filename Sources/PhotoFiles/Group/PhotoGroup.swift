package import FileSystem
package import ImageFormats
internal import ImageOrientation
internal import Reports
package import SystemPackage
internal import Upright

/// A photo and the files beside it that describe it.
///
/// The sidecars are read when the group is made; the files of other programs are looked for if a plan concerns them.
package struct PhotoGroup: Sendable {
  /// The photo.
  package let photo: Walk.Found
  /// The version of it that was read.
  package let identity: FileIdentity
  /// Its format, or nil if that is not known.
  package let format: ImageFormat?
  /// The photo's path and, if that is a symbolic link, that of its target: where companions are.
  let places: [Walk.Found]
  /// The files with the names of sidecars.
  private(set) var sidecars: [SidecarFile.Found]

  /// Finds the files beside a photo.
  ///
  /// - Parameters:
  ///   - photo: The photo.
  ///   - identity: The version of it that was read.
  ///   - format: Its format.
  ///   - policy: What is requested of its companions.
  ///   - target: Where the result is written.
  /// - Throws: ``FileError``, if it cannot be found out what is there, or whose it is.
  package init(
    _ photo: Walk.Found,
    _ identity: FileIdentity,
    _ format: ImageFormat?,
    _ policy: borrowing FilePolicy,
    to target: Destination = .inPlace
  ) throws(FileError) {
    // A link that is replaced leaves what belongs to its target.
    let isReplaced = target.isInPlace && policy.replacement.replacesLinks
    var places = isReplaced ? [photo] : try photo.places()
    for index in places.indices { places[index].findSurroundings() }
    let sidecars =
      policy.sidecars == .ignore
      ? [] : try SidecarFile.find(beside: places, format?.sidecars ?? [])
    (self.photo, self.identity, self.format) = (photo, identity, format)
    (self.places, self.sidecars) = (places, sidecars)
  }

  /// Returns the sidecars of kinds that are not changed with photos of this format.
  func otherSidecars() throws(FileError) -> [FilePath] {
    try SidecarFile.existing(beside: places, besides: format?.sidecars ?? [])
  }

  /// Replaces the sidecars of which an interrupted run has replaced only the photo.
  ///
  /// - Returns: What was replaced.
  /// - Throws: ``SidecarError``, if one cannot be replaced, and ``FileError``.
  mutating func completePairs(_ policy: FilePolicy) throws -> [CompanionResult] {
    let completed = try sidecars.compactMap(\.file).filter { file in
      try PairFile(of: file.path, file.photo).complete(with: policy.replacement, policy.protection)
    }
    if !completed.isEmpty {
      sidecars = try SidecarFile.find(beside: places, format?.sidecars ?? [])
    }
    return completed.map { file in
      var companion = CompanionResult(file, .complete)
      companion.isDone = true
      return companion
    }
  }

  /// Returns the files of other programs beside the photo that a plan concerns.
  ///
  /// - Throws: ``FileError``, if one because of which the photo would be skipped cannot be examined or read.
  func neighbours(of plan: Plan) throws(FileError) -> [Neighbour] {
    guard case .transform(let transform, _) = plan.action else { return [] }
    let isDisplayed = plan.image.displayed(transform) != .none || plan.isCropped
    return try Neighbour.find(beside: places, isDisplayed: isDisplayed, sidecars.compactMap(\.file))
  }

  /// The names of the images and videos of the same shot.
  package var pairedNames: [String] { PhotoPair.names(besides: places[0]) }

  /// The sidecar of a camera raw file, which programs obey.
  func sidecarOfRaw() throws(FileError) -> SidecarFile? {
    guard format?.isRaw == true || format == .dng else { return nil }
    return try SidecarFile.find(beside: places, [.xmp]).lazy.compactMap(\.file).first
  }

  /// Returns the possible paths of the sidecars of a file, also where a link to it is.
  package static func sidecarPaths(of file: Walk.Found) -> [FilePath] {
    ((try? file.places()) ?? [file]).filter(\.mayHaveSidecar)
      .flatMap { SidecarFile.paths(beside: $0.path) }
  }
}

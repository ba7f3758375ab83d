internal import FileSystem
internal import ImageFormats
internal import SystemPackage
internal import Upright

/// The files next to a photo that belong to the same shot, by their names: the raw file of a photo, the video of a Live
/// Photo.
enum PhotoPair {
  /// The endings that are looked for if the directory has too many entries to be listed.
  private static let endings =
    ["jpg", "jpeg", "heic", "hif", "dng"]
    + (ImageFormat.all(of: .raw) + ImageFormat.all(of: .video)).map(\.ending)

  /// Returns the names of the files that belong together with a file.
  static func names(besides file: Walk.Found) -> [String] {
    if let surroundings = file.surroundings {
      return surroundings.paired(with: file.name).map { String(decoding: $0, as: UTF8.self) }
    }
    guard let name = file.path.lastComponent, let own = name.extension else { return [] }
    // Cameras write both parts of a name in the same case. A listing shows other spellings, too.
    let spelled = endings.flatMap { [$0, $0.uppercased()] }
    var found = [file.path]
    for ending in spelled.sorted() where ending != own {
      guard let path = SidecarFile.sibling(of: file.path, Array("\(name.stem).\(ending)".utf8)),
        path.status?.kind == .regular, (try? path.isSameFile(asOneOf: found)) != true
      else { continue }
      found.append(path)
    }
    return found.dropFirst().compactMap { $0.lastComponent?.string }
  }
}

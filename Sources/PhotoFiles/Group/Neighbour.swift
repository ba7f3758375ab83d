internal import FileSystem
internal import ImageOrientation
internal import Reports
internal import SystemPackage
internal import Upright

/// A file beside a photo in which another program describes the stored image.
package struct Neighbour: Sendable {
  /// What a transform of the image means for the file.
  enum Effect: Sendable {
    /// It describes the image as it was stored.
    case described
    /// It holds an edit, which would be applied to another part of the image: the photo is skipped.
    case edit
    /// It places the image on a map: the photo is skipped.
    case placement
    /// It shows the same as the photo, and does not if the displayed image changes.
    case counterpart
  }

  /// The name of the kinds of labels of data sets.
  package static let labelFile = "label file"

  let kind: Kind
  let path: FilePath
  /// Whether it is too large to be read, so that it is not known whether it concerns the photo.
  let isUnread: Bool
  /// Whether it can be updated with the photo.
  var isUpdatable = false
  /// Whose it may be besides, so that it cannot be updated with the photo.
  var owner: Claim?

  /// Finds the files beside the places of a photo that a transform of its stored image concerns.
  ///
  /// - Parameters:
  ///   - places: The photo's path, and that of the file that it leads to.
  ///   - isDisplayed: Whether the displayed image changes, too.
  ///   - sidecars: The sidecars of the photo.
  /// - Returns: Each file once, even if it concerns both a photo and a link to it.
  /// - Throws: ``FileError``, if one because of which the photo would be skipped cannot be examined or read, or it cannot be found
  ///   out whose it is.
  static func find(
    beside places: [Walk.Found],
    isDisplayed: Bool,
    _ sidecars: [SidecarFile] = []
  ) throws(FileError) -> [Neighbour] {
    var found: [Neighbour] = []
    for place in places {
      for neighbour in try find(beside: place, isDisplayed: isDisplayed, sidecars) {
        let isKnown = found.contains {
          $0.path == neighbour.path && $0.kind.name == neighbour.kind.name
        }
        if !isKnown { found.append(neighbour) }
      }
    }
    return found
  }

  private static func find(
    beside photo: Walk.Found,
    isDisplayed: Bool,
    _ sidecars: [SidecarFile]
  ) throws(FileError) -> [Neighbour] {
    guard photo.mayHaveNeighbours, let origin = Origin(photo) else { return [] }
    var found: [Neighbour] = []
    for kind in Kind.all {
      if case .counterpart = kind.effect, !isDisplayed { continue }
      var keys: Set<FileIdentity.Key> = []
      var paths: [FilePath] = []
      for path in kind.paths(beside: origin) {
        // A file may have several names.
        guard let (status, isUnread) = try kind.examine(path, origin.name),
          keys.insert(status.key).inserted, try !path.isSameFile(asOneOf: paths)
        else { continue }
        paths.append(path)
        var neighbour = Neighbour(kind: kind, path: path, isUnread: isUnread)
        if case .placement = kind.effect,
          let file = sidecars.first(where: {
            $0.rights.identity.key == status.key || $0.path == path
          })
        {
          neighbour.owner = try file.sharing()
          neighbour.isUpdatable = neighbour.owner == nil
        }
        found.append(neighbour)
      }
    }
    return found
  }
}

extension CompanionResult {
  /// Creates the result of a file of another program, which stays as it is.
  init(_ neighbour: Neighbour, _ cause: Companion.Cause) {
    let kind: Companion.Kind =
      switch neighbour.kind.effect {
      case .described: .description
      case .edit: .edit
      case .placement: .placement
      case .counterpart: .counterpart
      }
    self.init(neighbour.path, kind, neighbour.kind.name, .leave, cause)
    owner = neighbour.owner
  }
}

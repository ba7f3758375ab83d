internal import FileSystem
internal import ImageOrientation
internal import SystemPackage
internal import Upright

/// A file beside a photo in which another program describes the stored image.
struct Neighbour: Sendable {
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

  let kind: Kind
  let path: FilePath
  /// Whether it is too large to be read, so that it is not known whether it concerns the photo.
  let isUnread: Bool
  /// Whether it can be updated with the photo.
  var isUpdatable = false
  /// Whose it may be besides, so that it cannot be updated with the photo.
  var sharing: String?

  /// Finds the files beside a photo that its plan concerns.
  ///
  /// - Throws: ``FileError``, if one because of which the photo would be skipped cannot be examined or read, or it cannot be found
  ///   out whose it is.
  static func find(
    beside photo: Walk.Found,
    _ plan: Plan,
    _ sidecars: [SidecarFile]
  ) throws -> [Neighbour] {
    guard case .transform(let transform, _) = plan.action else { return [] }
    let isDisplayed = plan.image.displayed(transform) != .none || plan.isCropped
    return try find(beside: photo, isDisplayed: isDisplayed, sidecars)
  }

  /// Finds the files beside a photo that a transform of its stored image concerns.
  ///
  /// `isDisplayed` says whether the displayed image changes, too.
  static func find(
    beside photo: Walk.Found,
    isDisplayed: Bool,
    _ sidecars: [SidecarFile] = []
  ) throws -> [Neighbour] {
    guard let name = photo.path.lastComponent?.bytes else { return [] }
    var found: [Neighbour] = []
    for kind in Kind.all {
      if case .counterpart = kind.effect, !isDisplayed { continue }
      var keys: Set<FileIdentity.Key> = []
      var paths: [FilePath] = []
      for path in kind.paths(beside: photo.path, name, photo.surroundings) {
        // A file may have several names.
        guard let (status, isUnread) = try kind.examine(path, name),
          keys.insert(status.key).inserted, try !path.isSameFile(asOneOf: paths)
        else { continue }
        paths.append(path)
        var neighbour = Neighbour(kind: kind, path: path, isUnread: isUnread)
        if case .placement = kind.effect,
          let file = sidecars.first(where: {
            $0.rights.identity.key == status.key || $0.path == path
          })
        {
          neighbour.sharing = try file.sharing()
          neighbour.isUpdatable = neighbour.sharing == nil
        }
        found.append(neighbour)
      }
    }
    return found
  }

  /// The note on the file.
  var note: String {
    let name = TextFormat.path(path)
    return switch kind.effect {
    case .counterpart: "the \(kind.name) \(name) is not changed"
    case .described, .edit, .placement:
      "the \(kind.name) \(name) may describe the image as it was stored"
    }
  }

  /// Why the photo is not rewritten, or nil.
  var reason: Reason? {
    let subject = "the \(kind.name) \(TextFormat.path(path))"
    if isUnread {
      let text = "\(subject) is too large to find out whether it concerns the photo"
      return switch kind.effect {
      case .described, .counterpart: nil
      case .edit: Reason(.neighbourEdit, text, remedies: Self.remedies)
      case .placement: Reason(.neighbourMap, text, remedies: Self.remedies)
      }
    }
    return switch kind.effect {
    case .described, .counterpart: nil
    case .edit:
      Reason(
        .neighbourEdit,
        "\(subject) would be applied to another part of the image",
        remedies: Self.remedies
      )
    case .placement:
      Reason(
        .neighbourMap,
        "\(subject) would place the image elsewhere" + (sharing.map { ", and \($0)" } ?? ""),
        remedies: isUpdatable ? [Self.update] + Self.remedies : Self.remedies
      )
    }
  }

  private static let update = Remedy(.policy("sidecars", "update"), "update it with the photo")
  private static let remedies = [Remedy(.policy("sidecars", "ignore"), "rewrite it anyway")]
}

extension FileReport {
  /// Adds the files beside the photo, which no longer fit it.
  mutating func add(_ neighbours: [Neighbour]) {
    self.neighbours = neighbours.map { ($0.kind.name, $0.note) }
    guard plan?.action.rewrites == true else { return }
    for neighbour in neighbours { add(Note(.neighbour, neighbour.note)) }
  }
}

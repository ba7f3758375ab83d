internal import FileSystem
internal import ImageFormats
internal import ImageOrientation
internal import JPEGCore
internal import SystemPackage
internal import Upright

/// A file beside a photo in which another program describes the stored image.
struct Neighbour: Sendable {
  /// One kind of such files.
  ///
  /// `all` lists them; `docs/archives.md` describes them.
  struct Kind: Sendable {
    /// The kind as text for people.
    let name: String
    /// The ends of the files' names, in small letters; they may be written in capitals, too.
    let endings: [String]
    var base = Base.stem
    var effect = Effect.described
    /// Whether the content of a file concerns a photo with this name; nil if any does.
    var isMeant: (@Sendable (_ content: [UInt8], _ photo: [UInt8]) -> Bool)?
  }

  /// What is before the ending.
  enum Base: Sendable {
    /// The photo's name without its extension.
    case stem
    /// The photo's name.
    case name
    /// Nothing: the file is about all photos of its folder.
    case folder
  }

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
  /// Whether it can be updated with the photo.
  var isUpdatable = false
  /// Whose it may be besides, so that it cannot be updated with the photo.
  var sharing: String?

  static let all = [
    Kind(name: "edit of Apple Photos", endings: [".aae"], effect: .edit) { content, _ in
      content.has("adjustmentData")
    },
    Kind(name: "edit of Picasa", endings: [".picasa.ini"], base: .folder, effect: .edit) {
      Picasa.lines(of: $1, in: $0).contains { $0.isPicasaEdit }
    },
    Kind(name: "list of faces of Picasa", endings: [".picasa.ini"], base: .folder) {
      Picasa.lines(of: $1, in: $0).contains { $0.hasPrefix("faces=") }
    },
    Kind(name: "edit of darktable", endings: [".xmp"], base: .name, effect: .edit) { content, _ in
      (try? Sidecar(content))?.isEdited == true
    },
    Kind(name: "edit of RawTherapee", endings: [".pp3"], base: .name) { content, _ in
      content.has("[Crop]\nEnabled=true") || content.has("[Rotation]")
    },
    Kind(name: "edit of DxO PhotoLab", endings: [".dop"], base: .name),
    Kind(name: "edit of ON1", endings: [".on1"]),
    Kind(name: "world file", endings: SidecarFile.worldFileEndings, effect: .placement) {
      content,
      _ in (try? WorldFile(content)) != nil
    },
    Kind(name: "map position of GDAL", endings: [".aux.xml"], base: .name, effect: .placement) {
      content,
      _ in content.has("<GeoTransform>") || content.has("<GCPList")
    },
    Kind(name: "map points of QGIS", endings: [".points"], base: .name, effect: .placement),
    Kind(name: "label file", endings: [".xml"]) { content, _ in content.has("<bndbox>") },
    Kind(name: "label file", endings: [".json"]) { content, _ in
      content.has("\"shapes\"") && content.has("\"points\"")
    },
    Kind(name: "label file", endings: [".txt"]) { content, _ in isYOLO(content) },
    Kind(name: "video of a Live Photo", endings: [".mov"], effect: .counterpart),
    Kind(
      name: "raw file",
      endings: (ImageFormat.all(of: .raw) + [.dng]).flatMap { $0.endings.map { ".\($0)" } },
      effect: .counterpart
    ),
  ]

  /// The ends of the names of all kinds.
  static let endings = all.flatMap(\.endings)

  /// The number of bytes that are read to find what a file is about; those of larger files are not.
  private static let maxSize = 4 << 20

  /// Finds the files beside a photo that its plan concerns.
  ///
  /// - Throws: ``FileError``, if one because of which the photo would be skipped cannot be examined or read, or it cannot be found
  ///   out whose it is.
  static func find(
    beside photo: Walk.Found,
    _ plan: Plan,
    _ sidecars: [SidecarFile]
  ) throws -> [Neighbour] {
    guard photo.mayHaveNeighbours, case .transform(let transform, _) = plan.action,
      let name = photo.path.lastComponent?.bytes
    else { return [] }
    let isDisplayed = plan.image.displayed(transform) != .none || plan.isCropped
    var found: [Neighbour] = []
    for kind in all {
      if case .counterpart = kind.effect, !isDisplayed { continue }
      var keys: Set<FileIdentity.Key> = []
      for ending in kind.endings {
        // A file may have several names.
        guard let (path, key) = try file(kind, ending, name, photo.path), keys.insert(key).inserted
        else { continue }
        var neighbour = Neighbour(kind: kind, path: path)
        if case .placement = kind.effect,
          let file = sidecars.first(where: { $0.rights.identity.key == key })
        {
          neighbour.sharing = try file.sharing()
          neighbour.isUpdatable = neighbour.sharing == nil
        }
        found.append(neighbour)
      }
    }
    return found
  }

  private static func file(
    _ kind: Kind,
    _ ending: String,
    _ name: [UInt8],
    _ photo: FilePath
  ) throws -> (FilePath, FileIdentity.Key)? {
    let base =
      switch kind.base {
      case .stem: SidecarFile.stem(of: name)
      case .name: name
      case .folder: [UInt8]()
      }
    for path in SidecarFile.siblings(of: photo, base, [ending]) {
      do throws(FileError) {
        guard let status = try path.examined(), status.kind == .regular else { continue }
        guard let isMeant = kind.isMeant else { return (path, status.key) }
        if status.size <= maxSize, isMeant(try FileReader(path).readAll(limit: maxSize), name) {
          return (path, status.key)
        }
      } catch {
        // Nothing depends on what is only named.
        guard kind.effect == .described || kind.effect == .counterpart else { throw error }
      }
    }
    return nil
  }

  /// Returns whether a text is of lines of a class and four or more fractions.
  private static func isYOLO(_ content: [UInt8]) -> Bool {
    let lines = String(decoding: content.prefix(4096), as: UTF8.self).split(separator: "\n")
    guard let first = lines.first else { return false }
    let numbers = first.split(whereSeparator: \.isWhitespace).map { Double($0) }
    return numbers.count >= 5 && numbers.first.map { $0 == $0?.rounded() } == true
      && numbers.dropFirst().allSatisfy { $0.map { (-0.1...1.1).contains($0) } == true }
  }

  /// The note on the file, or nil if the photo is skipped because of it.
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
    let name = TextFormat.path(path)
    return switch kind.effect {
    case .described, .counterpart: nil
    case .edit:
      Reason(
        .neighbourEdit,
        "the \(kind.name) \(name) would be applied to another part of the image",
        remedies: Self.remedies
      )
    case .placement:
      Reason(
        .neighbourMap,
        "the \(kind.name) \(name) would place the image elsewhere"
          + (sharing.map { ", and \($0)" } ?? ""),
        remedies: isUpdatable ? [Self.update] + Self.remedies : Self.remedies
      )
    }
  }

  private static let update = Remedy(.policy("sidecars", "update"), "update it with the photo")
  private static let remedies = [Remedy(.policy("sidecars", "ignore"), "rewrite it anyway")]
}

/// The file in which Picasa keeps what it knows of the photos of a folder: a section for each, with its name.
private enum Picasa {
  /// Returns the lines on a photo.
  static func lines(of photo: [UInt8], in content: [UInt8]) -> [Substring] {
    let heading = "[\(String(decoding: photo, as: UTF8.self))]".lowercased()
    let text = String(decoding: content, as: UTF8.self)
    let lines = text.split(whereSeparator: \.isNewline).drop { $0.lowercased() != heading }
    return Array(lines.dropFirst().prefix { !$0.hasPrefix("[") })
  }
}

extension Substring {
  /// Whether a line of Picasa rotates, crops or retouches a photo.
  fileprivate var isPicasaEdit: Bool {
    if hasPrefix("rotate=") { return self != "rotate=rotate(0)" }
    if hasPrefix("crop=") { return true }
    return hasPrefix("filters=")
      && ["crop64=", "tilt=", "redeye=", "retouch="].contains { contains($0) }
  }
}

extension [UInt8] {
  fileprivate func has(_ text: StaticString) -> Bool {
    span.firstOffset(of: text, in: indices) != nil
  }
}

extension FileReport {
  /// Adds the files beside the photo, which no longer fit it.
  mutating func add(_ neighbours: [Neighbour]) {
    self.neighbours = neighbours.map { ($0.kind.name, $0.note) }
    guard plan?.action.rewrites == true else { return }
    for neighbour in neighbours { add(Note(.neighbour, neighbour.note)) }
  }
}

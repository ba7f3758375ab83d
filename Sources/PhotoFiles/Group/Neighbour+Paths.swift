internal import FileSystem
internal import SystemPackage
internal import Upright

extension Neighbour {
  /// What says where the neighbours of a photo may be.
  struct Origin {
    let photo: FilePath
    /// The photo's name, and without its extension.
    let name: [UInt8]
    let stem: [UInt8]
    /// What its directory was found to contain.
    let surroundings: Surroundings?
    let directory: FilePath
    /// The names of the directories that lead to it.
    let folders: [String]

    /// Creates the origin; nil if the photo has no name.
    init?(_ found: Walk.Found) {
      guard !found.name.isEmpty else { return nil }
      (photo, name, surroundings) = (found.path, found.name, found.surroundings)
      stem = SidecarFile.stem(of: name)
      directory = photo.removingLastComponent()
      folders = surroundings?.folders ?? directory.components.map(\.string)
    }
  }
}

extension Walk.Found {
  /// Whether there may be files of other programs that describe the photo, as far as its surroundings tell; beside most photos
  /// there are none.
  var mayHaveNeighbours: Bool {
    guard let surroundings else { return true }
    return surroundings.mayHave(anyOf: Neighbour.Kind.endingsBeside)
      || Neighbour.Kind.folders.contains(where: surroundings.contains)
      || Neighbour.Kind.trees.contains(where: surroundings.folders.contains)
      || Neighbour.Kind.isInTree
  }
}

extension Neighbour.Kind {
  /// The endings of the files that are beside photos.
  fileprivate static let endingsBeside = NameEndings(
    all.flatMap { (kind) -> [String] in
      switch kind.place {
      case .stem, .name, .duplicate, .original, .folder: kind.endings
      case .inFolder, .inFolders, .parallel: []
      }
    }
  )

  /// The names of the folders beside photos in which files are.
  fileprivate static let folders = all.compactMap { (kind) -> [UInt8]? in
    switch kind.place {
    case .inFolder(let folder), .inFolders(let folder, beginningWith: _): Array(folder.utf8)
    case .stem, .name, .duplicate, .original, .folder, .parallel: nil
    }
  }

  /// The names of the trees that have others beside them.
  fileprivate static let trees = Set(
    all.compactMap { kind in if case .parallel(_, let own) = kind.place { own } else { nil } }
  )

  /// Whether the working directory is in such a tree.
  fileprivate static let isInTree = !trees.isDisjoint(with: base?.components.map(\.string) ?? [])
}

extension Neighbour.Kind {
  /// The highest number of a duplicate that is looked for where the directory was not listed.
  private static let maxDuplicate = 99

  /// Returns where files of this kind may be beside a photo, as far as its surroundings do not exclude them.
  func paths(beside origin: Neighbour.Origin) -> [FilePath] {
    let (surroundings, stem) = (origin.surroundings, origin.stem)
    switch place {
    case .stem: return siblings(of: origin, stem)
    case .name: return siblings(of: origin, origin.name)
    case .original:
      guard let shown = Self.covers.first(where: { stem.ends(with: $0) }) else { return [] }
      return siblings(of: origin, stem.dropLast(shown.count) + Self.original)
    case .folder: return siblings(of: origin, [])
    case .duplicate: return duplicates(of: origin)
    case .inFolder(let folder):
      guard surroundings?.contains(Array(folder.utf8)) != false else { return [] }
      return within(origin.directory.appending(folder), origin.name)
    case .inFolders(let folder, let beginning):
      guard surroundings?.contains(Array(folder.utf8)) != false else { return [] }
      let parent = origin.directory.appending(folder)
      return Surroundings(in: parent)?.names(beginningWith: Array(beginning.utf8))
        .compactMap { FilePath.Component(bytes: $0) }
        .flatMap { within(parent.appending($0), origin.name) } ?? []
    case .parallel(let other, let own):
      return Self.parallel(to: origin, own, other).map { within($0, stem) } ?? []
    }
  }

  /// Returns the paths of a name with the endings of this kind in the photo's directory.
  private func siblings(of origin: Neighbour.Origin, _ name: [UInt8]) -> [FilePath] {
    let found = endings.filter { origin.surroundings?.mayHave($0) != false }
    return found.isEmpty ? [] : SidecarFile.siblings(of: origin.photo, name, found)
  }

  private func within(_ folder: FilePath, _ name: [UInt8]) -> [FilePath] {
    SidecarFile.siblings(of: folder.appending("x"), name, endings)
  }

  /// Returns the paths of names such as `IMG_01.jpg.xmp`.
  private func duplicates(of origin: Neighbour.Origin) -> [FilePath] {
    let found = endings.filter { origin.surroundings?.mayHave($0) != false }
    guard !found.isEmpty else { return [] }
    let stem = origin.stem
    let ending = origin.name.dropFirst(stem.count)
    let numbered: [[UInt8]]
    if let surroundings = origin.surroundings {
      numbered = surroundings.names(beginningWith: stem + [UInt8(ascii: "_")]).compactMap { other in
        let digits = other.dropFirst(stem.count + 1).prefix { (0x30...0x39).contains($0) }
        let own = stem + [UInt8(ascii: "_")] + digits + ending
        return digits.isEmpty || !other.starts(with: own) ? nil : own
      }
    } else {
      numbered = (1...Self.maxDuplicate).map { number in
        stem + Array("_\(number < 10 ? "0" : "")\(number)".utf8) + ending
      }
    }
    return numbered.flatMap { SidecarFile.siblings(of: origin.photo, $0, found) }
  }

  // MARK: Pixel

  private static let covers = [".RAW-01.COVER", ".RAW-01.MP.COVER"].map { Array($0.utf8) }
  private static let original = Array(".RAW-02.ORIGINAL".utf8)

  // MARK: Trees

  /// Returns the directory in the tree `other` in the place of a photo's in the tree `own`, the innermost one.
  private static func parallel(
    to origin: Neighbour.Origin,
    _ own: String,
    _ other: String
  ) -> FilePath? {
    let directory = origin.directory
    if origin.folders.contains(own) { return replacing(own, with: other, in: directory) }
    // The directory may be the working directory, or be below it.
    guard !directory.isAbsolute, let base, base.components.contains(where: { $0.string == own })
    else { return nil }
    return replacing(own, with: other, in: base.pushing(directory).lexicallyNormalized())
  }

  /// The working directory, which does not change.
  private static let base = try? workingDirectory()

  private static func replacing(
    _ own: String,
    with other: String,
    in directory: FilePath
  ) -> FilePath? {
    var parts = directory.components
    guard let component = FilePath.Component(other),
      let index = parts.lastIndex(where: { $0.string == own })
    else { return nil }
    parts.replaceSubrange(index...index, with: [component])
    return FilePath(root: directory.root, parts)
  }
}

extension [UInt8] {
  fileprivate func ends(with end: [UInt8]) -> Bool {
    count > end.count && suffix(end.count).elementsEqual(end)
  }
}

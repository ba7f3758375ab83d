internal import FileSystem
internal import SystemPackage
internal import Upright

extension Neighbour.Kind {
  /// The highest number of a duplicate that is looked for where the directory was not listed.
  private static let maxDuplicate = 99

  /// Returns where files of this kind may be beside a photo with this name, as far as its surroundings do not exclude them.
  func paths(
    beside photo: FilePath,
    _ name: [UInt8],
    _ surroundings: Surroundings?
  ) -> [FilePath] {
    let stem = SidecarFile.stem(of: name)
    switch place {
    case .stem: return siblings(of: photo, stem, surroundings)
    case .name: return siblings(of: photo, name, surroundings)
    case .original:
      guard let shown = Self.covers.first(where: { stem.ends(with: $0) }) else { return [] }
      return siblings(of: photo, stem.dropLast(shown.count) + Self.original, surroundings)
    case .folder: return siblings(of: photo, [], surroundings)
    case .duplicate: return duplicates(of: photo, name, stem, surroundings)
    case .inFolder(let folder):
      guard surroundings?.contains(Array(folder.utf8)) != false else { return [] }
      return within(photo.removingLastComponent().appending(folder), name)
    case .inFolders(let folder, let beginning):
      guard surroundings?.contains(Array(folder.utf8)) != false else { return [] }
      let parent = photo.removingLastComponent().appending(folder)
      return Surroundings(in: parent)?.names(beginningWith: Array(beginning.utf8))
        .compactMap { FilePath.Component(bytes: $0) }
        .flatMap { within(parent.appending($0), name) } ?? []
    case .parallel(let other, let own):
      return Self.parallel(to: photo, own, other).map { within($0, stem) } ?? []
    }
  }

  /// Returns the paths of a name with the endings of this kind in the photo's directory.
  private func siblings(
    of photo: FilePath,
    _ name: [UInt8],
    _ surroundings: Surroundings?
  ) -> [FilePath] {
    let found = endings.filter { surroundings?.mayHave($0) != false }
    return found.isEmpty ? [] : SidecarFile.siblings(of: photo, name, found)
  }

  private func within(_ folder: FilePath, _ name: [UInt8]) -> [FilePath] {
    SidecarFile.siblings(of: folder.appending("x"), name, endings)
  }

  /// Returns the paths of names such as `IMG_01.jpg.xmp`.
  private func duplicates(
    of photo: FilePath,
    _ name: [UInt8],
    _ stem: [UInt8],
    _ surroundings: Surroundings?
  ) -> [FilePath] {
    let found = endings.filter { surroundings?.mayHave($0) != false }
    guard !found.isEmpty else { return [] }
    let ending = name.dropFirst(stem.count)
    let numbered: [[UInt8]]
    if let surroundings {
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
    return numbered.flatMap { SidecarFile.siblings(of: photo, $0, found) }
  }

  // MARK: Pixel

  private static let covers = [".RAW-01.COVER", ".RAW-01.MP.COVER"].map { Array($0.utf8) }
  private static let original = Array(".RAW-02.ORIGINAL".utf8)

  // MARK: Trees

  /// Returns the directory in the tree `other` in the place of a photo's in the tree `own`, the innermost one.
  private static func parallel(to photo: FilePath, _ own: String, _ other: String) -> FilePath? {
    let directory = photo.removingLastComponent()
    if let found = replacing(own, with: other, in: directory) { return found }
    // The directory may be the working directory, or be below it.
    guard !photo.isAbsolute, let base else { return nil }
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

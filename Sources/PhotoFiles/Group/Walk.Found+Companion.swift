package import FileSystem
internal import ImageFormats
internal import SystemPackage

extension Walk.Found {
  /// Whether this is no image, and is named after a photo beside it, as `a.xmp`, `a.AAE` and `a.jpg.json` are after `a.jpg`, or
  /// is about all photos of its folder.
  package var isCompanion: Bool {
    guard !name.isEmpty, case .other = NameRule().verdict(name),
      isOfFolder(name) || isNamedAfterPhoto(name)
    else { return false }
    let beginning = try? FileReader(path).read(at: 0, count: ImageFormat.recognizedLength)
    return beginning.map { ImageFormat(beginning: $0.span) == nil } ?? false
  }

  private func isOfFolder(_ name: [UInt8]) -> Bool {
    Neighbour.Kind.namesInFolders.contains(String(decoding: name, as: UTF8.self).lowercased())
  }

  private func isNamedAfterPhoto(_ name: [UInt8]) -> Bool {
    name.indices.dropFirst().contains { index in
      guard name[index] == UInt8(ascii: ".") else { return false }
      let stem = Array(name[..<index])
      return isPhoto(stem) || hasPhoto(stem)
    }
  }

  /// Whether there is a photo of this name without its ending.
  private func hasPhoto(_ stem: [UInt8]) -> Bool {
    let beginning = stem + [UInt8(ascii: ".")]
    if let surroundings {
      return surroundings.names(beginningWith: beginning).contains { other in
        !other.dropFirst(beginning.count).contains(UInt8(ascii: ".")) && isPhoto(other)
      }
    }
    return Self.endings.contains { isPhoto(beginning + Array($0.utf8)) }
  }

  /// Whether there is a file of this name, which is that of an image or a video.
  private func isPhoto(_ name: [UInt8]) -> Bool {
    guard let other = FilePath.Component(bytes: name),
      other.extension.flatMap({ ImageFormat.promised(byEnding: $0) }) != nil
    else { return false }
    return path.removingLastComponent().appending(other).status?.kind == .regular
  }

  /// The endings of photos, the most frequent first, as cameras write them.
  private static let endings =
    ([.jpeg, .heic, .dng] + ImageFormat.allCases).flatMap(\.endings)
    .flatMap { [$0, $0.uppercased()] }
}

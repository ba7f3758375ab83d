internal import FileSystem
internal import ImageFormats
internal import SystemPackage
internal import Upright

/// Whose a sidecar is, if not that of the photo alone.
extension SidecarFile {
  /// The file whose sidecar an XMP file without the photo's extension in its name is, if not that of the photo: that which it
  /// names, or else the master of that name.
  func otherOwner() throws(FileError) -> Claim? {
    guard isStem, case .xmp(let sidecar) = content else { return nil }
    let promised = photo.extension.flatMap { ImageFormat.promised(byEnding: $0) }
    let isMaster = promised?.isRaw == true || promised == .dng
    if let named = sidecar.photoExtension {
      let isOwn =
        isMaster
        ? named.lowercased() == photo.extension?.lowercased()
        : ImageFormat.promised(byEnding: named) == promised ?? .jpeg
      return isOwn ? nil : .owner("the \(named.escaped) file")
    }
    guard !isMaster else { return nil }
    let masters = ImageFormat.all(of: .raw) + [.dng, .heic, .heif, .tiff]
    for master in Self.siblings(of: photo, masters.prefix { $0 != promised })
    where try master.examined()?.kind == .regular {
      return .owner(master.escaped)
    }
    return nil
  }

  /// Whose the sidecar may be besides, so that an update would be wrong for that: another photo that differs in its extension,
  /// or that of the file that a link leads to.
  ///
  /// - Throws: ``FileError`` if that cannot be found out.
  func sharing() throws(FileError) -> Claim? {
    if let target = try linkedFile() { return .link(target) }
    guard isStem else { return nil }
    let isGeneral = path.extension?.lowercased() == "wld"
    let formats: [ImageFormat] =
      isWorldFile ? isGeneral ? [.jpeg, .tiff, .png] : [.jpeg] : [.jpeg, .avif]
    guard let format = photo.extension.flatMap({ ImageFormat.promised(byEnding: $0) }),
      formats.contains(format)
    else { return nil }
    for other in Self.siblings(of: photo, formats) where other != photo {
      guard try other.examined()?.kind == .regular else { continue }
      // Another name of the photo is no other photo.
      guard try !other.isSameFile(as: photo) else { continue }
      return .sharer(other)
    }
    return nil
  }

  /// The file that a symbolic link leads to, if it is no sidecar of the photo, or of the file that is linked under its name.
  private func linkedFile() throws(FileError) -> FilePath? {
    do throws(Errno) {
      guard try Syscalls.status(path, followingLinks: false).kind == .symbolicLink else {
        return nil
      }
      let target = try Syscalls.resolve(path)
      let directory = photo.removingLastComponent()
      // An output need not exist.
      var photos = photo.status == nil ? [] : [try Syscalls.resolve(photo)]
      if let name = photo.lastComponent {
        photos.append(try Syscalls.resolve(directory.isEmpty ? "." : directory).appending(name))
      }
      return photos.flatMap(Self.paths).contains(target) ? nil : target
    } catch .noSuchFileOrDirectory {
      return nil
    } catch {
      throw FileError(path, .read, system: error)
    }
  }
}
